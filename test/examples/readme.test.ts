import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { runCommand } from '../../src/testing/run-command';
import type { RecordedRequest, ScriptedTurn } from '../../src/testing';
import { testServer } from '../support/test-server';
import { withScriptedModel } from '../support/with-scripted-model';
import { demoEnvironment, ROOT } from './demo-environment';

const FOLDER = join(ROOT, 'examples/readme');
const EXAMPLE = join(FOLDER, 'refund.ts');
const DESK = join(FOLDER, 'desk.ts');
const DESK_TEST = join(FOLDER, 'desk.test.ts');
const TSX = join(ROOT, 'node_modules/tsx/dist/cli.mjs');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

const read = (path: string): string => readFileSync(path, 'utf8');

test('the code in the README is the examples, line by line', () => {
  const blocks = [...README.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code);
  const [example, greet = '', deskTest] = blocks;
  expect([example, deskTest]).toEqual([read(EXAMPLE), read(DESK_TEST)]);
  expect(blocks).toHaveLength(3);
  expect(read(join(ROOT, 'examples/mcp/tools.ts'))).toContain(greet);
  // The file of its own that the README speaks of holds what the first block defines.
  const [, definitions = 'none'] = /^(const refund = [^]*)$/m.exec(read(DESK)) ?? [];
  expect(read(EXAMPLE)).toContain(definitions.replace('export ', ''));
});

test('the test in the README passes: it needs neither a server nor a model', async () => {
  const { failure, output } = await runCommand(process.execPath, [TSX, '--test', DESK_TEST], {
    cwd: ROOT,
    env: demoEnvironment({}),
    timeoutMs: 100_000,
  });
  expect(failure).toBeUndefined();
  expect(output).toMatch(/pass 1\b/);
}, 120_000);

test('the examples type-check under the strict settings of this project', () => {
  const path = join(ROOT, 'tsconfig.json');
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path, (file) => ts.sys.readFile(file)).config,
    ts.sys,
    ROOT,
  );
  const program = ts.createProgram([EXAMPLE, DESK_TEST], { ...options, noEmit: true });
  const problems = [EXAMPLE, DESK, DESK_TEST].flatMap((path) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(path)),
  );
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
}, 120_000);

test('the example halts for the approval and ends with what the model makes of it', async () => {
  const { address } = testServer();
  const { failure, output } = await withScriptedModel(refundOnce, ({ baseURL }) =>
    runCommand(process.execPath, [TSX, EXAMPLE], {
      cwd: ROOT,
      env: demoEnvironment({ TEMPORAL_ADDRESS: address, OPENAI_BASE_URL: baseURL }),
      timeoutMs: 200_000,
    }),
  );
  expect(output).toBe(
    'approve refund({"order":"1047","euros":89.9})\nDone. Paid 89.9 EUR back for order 1047.',
  );
  expect(failure).toBeUndefined();
}, 240_000);

function refundOnce({ body }: RecordedRequest): ScriptedTurn {
  const messages = body['messages'] as { role: string; content: string }[];
  const last = messages.at(-1);
  if (last?.role === 'tool') return { content: `Done. ${last.content}` };
  return { toolCalls: [{ id: 'c1', name: 'refund', arguments: { order: '1047', euros: 89.9 } }] };
}
