import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '../agent/errors';

/** Why a module could not be loaded, and where, as a sentence: no stack, no noise of the tools in between. */
export function loadProblem(error: unknown, path: string): string {
  const file = shortPath(path);
  const message = errorMessage(error);
  if (!(error instanceof Error)) return `${file} threw while it was loaded: ${message}`;
  if (error.name === 'TransformError' || message.startsWith('Transform failed'))
    return `${file} cannot be compiled. ${compilerLines(message)}`;
  if (error instanceof SyntaxError) return `${file} cannot be loaded: ${message}${placeOfSyntax(error)}.`;
  if ('code' in error && String(error.code).endsWith('MODULE_NOT_FOUND'))
    return `${file} imports what is not there: ${message.split('\n')[0] ?? ''}.`;
  return `${file} threw while it was loaded: ${message}${placeOfThrow(error)}`;
}

/** About where a module was wanted that is not there: whoever adds it there mends the import. */
export function missingModule(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('url' in error && typeof error.url === 'string' && error.url.startsWith('file:'))
    return fileURLToPath(error.url);
  const stack: unknown = 'requireStack' in error ? error.requireStack : undefined;
  const from: unknown = Array.isArray(stack) ? stack[0] : undefined;
  const [, specifier] = /^Cannot find module '(\.[^']*)'/.exec(error.message) ?? [];
  return typeof from === 'string' && specifier !== undefined ? resolve(dirname(from), specifier) : undefined;
}

/** A path as somebody in this folder would write it. */
export function shortPath(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') ? path : near;
}

/** The compiler's own lines name file, line and column; its headline says nothing. */
function compilerLines(message: string): string {
  const [, ...lines] = message.split('\n');
  return lines
    .map((line) =>
      line.replace(
        /^(\S+?):(\d+:\d+): ERROR: /,
        (_, path: string, at: string) => `${shortPath(path)}:${at}: `,
      ),
    )
    .join('\n');
}

/** Node puts the place of a syntax error on the first line of the stack. */
function placeOfSyntax({ stack = '' }: Error): string {
  const [, path, line] = /^(\S+):(\d+)$/m.exec(stack.split('\n')[0] ?? '') ?? [];
  return path === undefined ? '' : ` (${shortPath(toPath(path))}:${line ?? ''})`;
}

/** The first frame that is the user's own. */
function placeOfThrow({ stack = '' }: Error): string {
  const frame = stack.split('\n').find((line) => /^\s+at /.test(line) && !/node:|node_modules/.test(line));
  const [, path, at] = /\(?((?:file:\/\/)?\/[^()]*?):(\d+:\d+)\)?$/.exec(frame ?? '') ?? [];
  return path === undefined ? '' : ` (${shortPath(toPath(path))}:${at ?? ''})`;
}

function toPath(place: string): string {
  return place.startsWith('file:') ? fileURLToPath(place) : place;
}
