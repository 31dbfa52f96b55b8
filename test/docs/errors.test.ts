import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Every member of the union `ErrorType`, its template literals written out. */
function declaredTypes(): string[] {
  const source = ts.createSourceFile('errors.ts', read('src/agent/errors.ts'), ts.ScriptTarget.Latest, true);
  const alias = source.statements.find(
    (statement) => ts.isTypeAliasDeclaration(statement) && statement.name.text === 'ErrorType',
  );
  if (!alias || !ts.isTypeAliasDeclaration(alias))
    throw new Error('src/agent/errors.ts declares no ErrorType');
  return expand(alias.type);
}

function expand(node: ts.TypeNode): string[] {
  if (ts.isUnionTypeNode(node)) return node.types.flatMap(expand);
  if (ts.isParenthesizedTypeNode(node)) return expand(node.type);
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteralLike(node.literal)) return [node.literal.text];
  if (ts.isTemplateLiteralTypeNode(node))
    return node.templateSpans.reduce(
      (heads, span) =>
        heads.flatMap((head) => expand(span.type).map((part) => head + part + span.literal.text)),
      [node.head.text],
    );
  throw new Error(`ErrorType holds something this test cannot read: ${node.getText()}`);
}

/** The page's sections: a type and what is said of it. */
function documentedTypes(): readonly (readonly [string, string])[] {
  const [, ...sections] = read('docs/errors.md').split(/^### /m);
  return sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n');
    return [heading.replaceAll('`', '').trim(), lines.join('\n').split(/^## /m)[0] ?? ''] as const;
  });
}

it('docs/errors.md explains exactly the types that exist, each once', () => {
  const documented = documentedTypes().map(([type]) => type);
  expect(declaredTypes().length).toBeGreaterThan(40);
  expect([...documented].sort()).toStrictEqual([...declaredTypes()].sort());
});

it.each(documentedTypes())(
  '%s says when, with which data, whether it is retried and what to do',
  (_type, text) => {
    for (const label of ['When', 'Data', 'Retried', 'To do'])
      expect(text).toMatch(new RegExp(`^- ${label}: \\S`, 'm'));
  },
);
