#!/usr/bin/env node
import { endWithReader } from './lost-output';
import { runCli } from './program';

endWithReader();

void runCli(process.argv.slice(2)).then((code) => {
  // Not `process.exit`: what was written may still be on its way.
  process.exitCode = code;
});
