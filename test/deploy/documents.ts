import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root';

/** Each command of the `sh` blocks of a document, lines that end in a backslash joined. */
export function shellLines(document: string): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.replaceAll('\\\n', ' ').trim().split('\n'),
  );
}

/** The commands that a document runs in a service: `docker compose exec [-T] <service> <command>`. */
export function execLines(document: string): { readonly service: string; readonly command: string }[] {
  return shellLines(document).flatMap((line) => {
    const [, service, command] = /^docker compose exec (?:-T )?(\S+) (.*)$/.exec(line) ?? [];
    return service === undefined || command === undefined ? [] : [{ service, command }];
  });
}
