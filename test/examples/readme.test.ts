import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { runCommand } from '../../src/testing/run-command';
import type { RecordedRequest, ScriptedTurn } from '../../src/testing';
import { testServer } from '../support/test-server';
import { withScriptedModel } from '../support/with-scripted-model';
import { demoEnvironment, ROOT } from './demo-environment';

const EXAMPLE = join(ROOT, 'examples/readme/refund.ts');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

test('the code in the README is the example, line by line', () => {
  const [, code] = /^```ts\n([^]*?)^```$/m.exec(README) ?? [];
  expect(code).toBe(readFileSync(EXAMPLE, 'utf8'));
});

test('the example type-checks under the strict settings of this project', () => {
  const path = join(ROOT, 'tsconfig.json');
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path, (file) => ts.sys.readFile(file)).config,
    ts.sys,
    ROOT,
  );
  const program = ts.createProgram([EXAMPLE], { ...options, noEmit: true });
  const problems = ts.getPreEmitDiagnostics(program, program.getSourceFile(EXAMPLE));
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
}, 120_000);

test('the example halts for the approval and ends with what the model makes of it', async () => {
  const { address } = testServer();
  const { failure, output } = await withScriptedModel(refundOnce, ({ baseURL }) =>
    runCommand(process.execPath, [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), EXAMPLE], {
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
