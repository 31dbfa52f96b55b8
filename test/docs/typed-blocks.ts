import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { placeOf, type Block } from './blocks';
import { ROOT } from './pages';

const SETUPS = join(__dirname, 'setups');
/** Where the blocks stand for the compiler; nothing is written there. Modules above it are found as by any file. */
const FOLDER = join(__dirname, 'blocks');

/** A block as a file that is not on disk. */
interface VirtualFile {
  readonly path: string;
  readonly text: string;
  readonly block: Block;
  /** Lines that were put before the block's own. */
  readonly added: number;
}

/** What the compiler has against the TypeScript blocks, all of them in one program: `place: message`. */
export function problemsOf(blocks: readonly Block[]): string[] {
  const files = blocks.map(toFile);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const program = ts.createProgram({
    rootNames: files.map(({ path }) => path),
    options: compilerOptions(),
    host: hostWith(byPath),
  });
  return files.flatMap((file) => {
    const source = program.getSourceFile(file.path);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map((diagnostic) => toProblem(file, diagnostic));
  });
}

function toFile(block: Block): VirtualFile {
  const { page, line, text, marks } = block;
  const folder = join(FOLDER, page.replace(/\W/g, '-'));
  const path = join(folder, marks.file ?? `line-${line}.ts`);
  if (!marks.setup) return { path, text, block, added: 0 };
  return { path, text: asFragment(text, marks.setup, folder), block, added: 1 };
}

/** A fragment stands in a function, so that what it declares itself goes before what its setups declare. */
function asFragment(text: string, setups: readonly string[], folder: string): string {
  const source = ts.createSourceFile('block.ts', text, ts.ScriptTarget.Latest);
  const imports = source.statements.filter(ts.isImportDeclaration);
  const own = new Set(imports.flatMap(importedNames));
  const given = setups.map((name) => {
    const names = exportedNames(join(SETUPS, `${name}.ts`)).filter((each) => !own.has(each));
    return `import { ${names.join(', ')} } from '${relativeTo(folder, join(SETUPS, name))}';`;
  });
  const hoisted = imports.map((each) => each.getText(source).replaceAll('\n', ' '));
  // As many lines as before: a problem's line is the block's.
  const rest = imports.reduce(
    (left, each) => left.replace(each.getText(source), (gone) => gone.replace(/[^\n]/g, '')),
    text,
  );
  return `${[...given, ...hoisted].join(' ')} export async function block() {\n${rest}}\n`;
}

function relativeTo(folder: string, path: string): string {
  return `${folder.slice(ROOT.length).replace(/[^/]+/g, '..').slice(1)}${path.slice(ROOT.length)}`;
}

function importedNames({ importClause }: ts.ImportDeclaration): string[] {
  const bindings = importClause?.namedBindings;
  const named = bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : [];
  return [...named, ...(importClause?.name ? [importClause.name.text] : [])];
}

function exportedNames(path: string): string[] {
  if (!existsSync(path)) throw new Error(`There is no setup ${path}.`);
  return [...readFileSync(path, 'utf8').matchAll(/^export declare (?:const|function) (\w+)/gm)].map(
    ([, name = '']) => name,
  );
}

function compilerOptions(): ts.CompilerOptions {
  const path = join(ROOT, 'tsconfig.json');
  const { config } = ts.readConfigFile(path, (file) => ts.sys.readFile(file)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  // What a reader's own settings may leave out, and what a page need not repeat: unused names.
  const lenient = { noUnusedLocals: false, noUnusedParameters: false };
  return { ...options, ...lenient, noEmit: true, moduleDetection: ts.ModuleDetectionKind.Force };
}

function hostWith(files: ReadonlyMap<string, VirtualFile>): ts.CompilerHost {
  const host = ts.createCompilerHost(compilerOptions());
  const folders = new Set([...files.keys()].map(dirname));
  return {
    ...host,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    directoryExists: (path) => folders.has(path) || ts.sys.directoryExists(path),
    readFile: (path) => files.get(path)?.text ?? host.readFile(path),
    getSourceFile: (path, version, ...more) => {
      const file = files.get(path);
      return file
        ? ts.createSourceFile(path, file.text, version)
        : host.getSourceFile(path, version, ...more);
    },
  };
}

function toProblem({ block, added, text }: VirtualFile, { start = 0, messageText }: ts.Diagnostic): string {
  const line = text.slice(0, start).split('\n').length - 1 - added;
  const at = placeOf({ ...block, line: block.line + Math.max(0, line) });
  return `${at}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
}
