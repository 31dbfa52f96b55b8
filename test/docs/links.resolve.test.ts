/** A link from one page to another leads to a file, and to a heading of it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { linkedPages, pages, readPage, ROOT } from './pages';

interface Link {
  readonly target: string;
  readonly anchor: string;
}

/** Links to files of ours, pictures among them. What stands in code is no link. */
function linksOf(page: string): Link[] {
  const text = readPage(page).replace(/^```[^]*?^```$/gm, '');
  return [...text.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
    ([, target = '', anchor = '']) => ({ target, anchor }),
  );
}

/** A page's headings as links name them: in lower case, without signs, with hyphens for spaces. */
function anchorsOf(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replace(/^```[^]*?^```$/gm, '');
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isBroken(page: string, { target, anchor }: Link): boolean {
  const path = target === '' ? join(ROOT, page) : join(ROOT, dirname(page), target);
  if (!existsSync(path)) return true;
  return anchor !== '' && !anchorsOf(relative(ROOT, path)).includes(anchor);
}

test.each(linkedPages())('every link of %s leads to a file, and to a heading of it', (page) => {
  expect(linksOf(page).filter((link) => isBroken(page, link))).toEqual([]);
});

test('a link to nowhere is found', () => {
  expect(isBroken('docs/guide.md', { target: 'nowhere.md', anchor: '' })).toBe(true);
  expect(isBroken('docs/guide.md', { target: 'deploy.md', anchor: 'nothing' })).toBe(true);
  expect(isBroken('docs/guide.md', { target: 'deploy.md', anchor: 'monitoring' })).toBe(false);
});

test('every page in docs can be reached from the README by links', () => {
  const seen = new Set(['README.md']);
  for (const page of seen)
    for (const { target } of page.endsWith('.md') ? linksOf(page) : [])
      if (target !== '') seen.add(join(dirname(page), target));
  expect(pages().filter((page) => page.startsWith('docs/') && !seen.has(page))).toEqual([]);
});

test('every example has its line in the list of examples', () => {
  const folders = readdirSync(join(ROOT, 'examples'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const listed = linksOf('examples/README.md').map(({ target }) => target);
  expect([...listed, 'stage'].sort()).toEqual(folders.map(({ name }) => name).sort());
});
