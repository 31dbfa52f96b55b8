import fs, { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileWatch } from '../../src/cli/dev/file-watch';
import { until } from '../support/until';

let folder: string;
let changes: number;
let watch: FileWatch;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-watch-'));
  changes = 0;
  watch = new FileWatch(() => (changes += 1));
});
afterEach(() => {
  watch.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const changed = (times: number): Promise<void> =>
  until(`it has changed ${times} times`, () => changes >= times);

test('a file that is written, or replaced by another, has changed; its neighbours and a look at it have not', async () => {
  writeFileSync(at('agents.ts'), 'one');
  watch.watch([at('agents.ts')], { anyCode: false });
  const neighbour = new FileWatch(() => (neighbours += 1));
  let neighbours = 0;
  neighbour.watch([at('notes.ts')], { anyCode: false });
  writeFileSync(at('notes.ts'), 'beside');
  readFileSync(at('agents.ts'));
  await until('the neighbour has changed', () => neighbours > 0);
  neighbour.close();
  expect(changes).toBe(0);
  writeFileSync(at('agents.ts'), 'two of them');
  await changed(1);
  watch.watch([at('agents.ts')], { anyCode: false });
  writeFileSync(at('new.ts'), 'three');
  renameSync(at('new.ts'), at('agents.ts'));
  await changed(2);
  expect(changes).toBe(2);
});

test('for a file that could not be loaded, a file of code beside it counts, and one in a folder to come', async () => {
  writeFileSync(at('agents.ts'), 'one');
  const paths = [at('agents.ts'), at('tools/pay/now.js')];
  watch.watch(paths, { anyCode: true });
  writeFileSync(at('tool.ts'), 'new');
  await changed(1);
  mkdirSync(at('tools'));
  await changed(2);
  watch.watch(paths, { anyCode: true });
  mkdirSync(at('tools/pay'));
  await changed(3);
  watch.watch(paths, { anyCode: true });
  writeFileSync(at('tools/pay/now.ts'), 'there');
  await changed(4);
});

test('where the system has no watch to spare, a change is seen all the same, once', () => {
  jest.useFakeTimers();
  jest.spyOn(fs, 'watch').mockImplementation(() => {
    throw new Error('ENOSPC: System limit for number of file watchers reached');
  });
  try {
    writeFileSync(at('agents.ts'), 'one');
    watch.watch([at('agents.ts')], { anyCode: true });
    writeFileSync(at('agents.ts'), 'two of them');
    jest.advanceTimersByTime(5_000);
    expect(changes).toBe(1);
  } finally {
    jest.useRealTimers();
    jest.restoreAllMocks();
  }
});
