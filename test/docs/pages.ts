import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** The pages that a user reads, by their paths from the root. Decisions and the reference are not among them. */
export function pages(): string[] {
  const inDocs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  return [
    'README.md',
    'examples/README.md',
    'templates/init/README.md',
    ...inDocs.map((name) => `docs/${name}`),
  ];
}

/** Every page with a heading or a link: those of `pages`, the decisions and the changes. */
export function linkedPages(): string[] {
  const decisions = readdirSync(join(ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
  return [...pages(), ...decisions, 'CHANGELOG.md'];
}

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}
