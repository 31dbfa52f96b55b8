#!/bin/sh
# Creates Temporal's two databases and brings their schema to this version. Running it again changes nothing.
set -eu

setup() {
  temporal-sql-tool --database "$1" create-database
  temporal-sql-tool --database "$1" setup-schema --version 0.0
  temporal-sql-tool --database "$1" update-schema --schema-name "postgresql/v12/$2"
}

setup temporal temporal
setup temporal_visibility visibility
