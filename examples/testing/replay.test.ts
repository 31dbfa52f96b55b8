import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { replayCheck } from 'holdpoint/testing';

const folder = join(__dirname, 'histories');

for (const name of readdirSync(folder))
  void test(`${name} replays with the workflow code as it is now`, () => replayCheck(join(folder, name)));
