import { readPage } from './pages';

/** The guide's row, what it says, and the constant that is the truth about it. */
const SIZES = [
  [
    "a tool result, a model's reply, as they are sent",
    '1 MiB',
    'src/tools/tool-result.ts',
    'MAX_RESULT_BYTES',
  ],
  [
    "a tool result, a model's reply, as they are sent",
    '1 MiB',
    'src/activities/call-model.ts',
    'MAX_REPLY_BYTES',
  ],
  ['an answer', '1 MiB', 'src/agent/answer.ts', 'MAX_ANSWER_BYTES'],
  [
    "arguments that an approver puts in place of the model's",
    '256 KiB',
    'src/agent/answer-content.ts',
    'MAX_EDIT_BYTES',
  ],
  ['requests that are open in one run, together', '1 MiB', 'src/agent/open-request.ts', 'MAX_OPEN_BYTES'],
  ['calls of one message', '256', 'src/agent/run-loop.ts', 'MAX_CALLS'],
  ['the messages that a run starts with', '1.5 MiB', 'src/agent/intake.ts', 'MAX_INPUT_BYTES'],
  ['`context`', '256 KiB', 'src/agent/start-input.ts', 'MAX_CONTEXT_BYTES'],
  ['instructions', '512 KiB', 'src/activities/call-model.ts', 'MAX_SYSTEM_BYTES'],
  ['a tool result, with a `payloadStore`', '4 MiB', 'src/tools/tool-result.ts', 'MAX_STORED_RESULT_BYTES'],
  ['the state that a long run carries over', '1.5 MiB', 'src/workflows/carry-limits.ts', 'MAX_CARRIED_BYTES'],
  ['the same with a `payloadStore`', '16 MiB', 'src/workflows/carry-limits.ts', 'MAX_STORED_BYTES'],
  [
    'asks that wait in a conversation, messages that wait in a run',
    '100',
    'src/workflows/conversation.ts',
    'MAX_QUEUED',
  ],
  [
    'asks that wait in a conversation, messages that wait in a run',
    '100',
    'src/agent/intake.ts',
    'MAX_INBOX',
  ],
  ['an id that you choose', '200 characters', 'src/client/ids.ts', 'MAX_ID_LENGTH'],
] as const;

/** A constant's value: products and underscores are all that these have. */
function valueOf(path: string, name: string): number {
  const [, factors = ''] = new RegExp(`const ${name} = ([\\d_.* ]+);`).exec(readPage(path)) ?? [];
  return factors.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
}

function inBytes(text: string): number {
  const [, amount = '', unit = ''] = /^([\d.]+)(?: (\w+))?/.exec(text) ?? [];
  return Number(amount) * (unit === 'MiB' ? 1024 ** 2 : unit === 'KiB' ? 1024 : 1);
}

test.each(SIZES)('the guide says of %s: %s, as %s has it in %s', (what, most, path, name) => {
  const rows = readPage('docs/guide.md').split('\n');
  const row = rows.find((line) => line.startsWith(`| ${what} `) && line.includes(`| ${most}`));
  expect(row).toBeDefined();
  expect(valueOf(path, name)).toBe(inBytes(most));
});
