import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dependencies } from '../../package.json';
import { ROOT } from './demo-environment';

const DECISIONS = 'docs/decisions';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

test('the list of decisions has every decision under its own title', () => {
  const list = read(join(DECISIONS, 'README.md'));
  const files = readdirSync(join(ROOT, DECISIONS)).filter((name) => name !== 'README.md');
  const lines = files.map((name) => {
    const [, title = ''] = /^# (.*)$/m.exec(read(join(DECISIONS, name))) ?? [];
    return `- [${name.slice(0, 4)} ${title}](${name})`;
  });
  expect(list.split('\n').filter((line) => line.startsWith('- '))).toEqual(lines.sort());
});

test('the decision about dependencies names each of them with the version that is pinned', () => {
  const rows = read(join(DECISIONS, '0008-dependencies.md')).split('\n');
  const missing = Object.entries(dependencies).filter(
    ([name, version]) => !rows.some((row) => row.includes(`\`${name}\``) && row.includes(` ${version} `)),
  );
  expect(missing).toEqual([]);
});
