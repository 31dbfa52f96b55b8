import { inputDigest } from '../../src/agent/approval';
import { approve } from '../../src/agent/decisions';
import { defineAgent, defineTool, questionTool } from '../../src/tools';
import { openDesk, pendingId, type Desk } from '../client/desk';
import { containing, matching } from '../support/matchers';
import { until } from '../support/until';
import { documentOf, holdpoint } from './command';
import { turn } from './shop';

let desk: Desk;
beforeAll(async () => {
  const pay = (name: string, options: object) =>
    defineTool({ name, description: 'Pays.', needsApproval: true, ...options, execute: () => 'paid' });
  const tools = [
    pay('refund', { approvers: ['finance'], escalateAfter: '4 hours', escalateTo: ['cfo'] }),
    pay('large', { quorum: 2, approvers: ['finance', 'cfo'] }),
    pay('both', { quorum: 2 }),
    pay('small', {}),
    questionTool(),
  ];
  desk = await openDesk([defineAgent({ name: 'desk', model: 'scripted', tools })]);
});
afterAll(() => desk.close());

const halt = (...turns: Parameters<Desk['play']>[0]) =>
  desk.client.run('desk', desk.play([...turns, { content: 'Done.' }]));

test('a request that asks for a role is shown with whom it asks, refuses others, and takes --role', async () => {
  const { runId } = await halt(turn(['refund', 'a']));
  const shown = await holdpoint(['show', runId]);
  expect(shown.stdout).toContain('asks finance');
  expect(shown.stdout).toMatch(/asks cfo, too, in 3 h/);
  const refused = await holdpoint(['answer', runId, '--approve', '--by', 'bob']);
  expect(refused).toMatchObject({ code: 5, stderr: containing('"bob" is none of those who may: "finance"') });
  const id = (await desk.client.get(runId)).pending?.id ?? '';
  await desk.client.noteRefusal(runId, {
    requestId: id,
    by: 'eve',
    channel: 'api',
    error: { type: 'Holdpoint.Answer.NotApprover', message: 'Not eve’s.' },
  });
  const accepted = await holdpoint([
    'answer',
    runId,
    '--approve',
    '--by',
    'ann',
    '--role',
    'finance',
    '--json',
  ]);
  expect(documentOf(accepted)).toMatchObject({ by: 'ann', as: 'finance', channel: 'cli' });
  await desk.client.result(runId);
  const { stdout } = await holdpoint(['show', runId]);
  expect(stdout).toMatch(/answered by ann as finance at .* \(cli\)/);
  expect(stdout).toMatch(
    /Refused answers\n {2}refused by bob at .* \(cli\), .*\n {2}refused by eve at .* \(api\), request .*: Not eve’s\./,
  );
});

test('requests --approver lists what asks one of them', async () => {
  const { runId } = await halt(turn(['refund', 'a']));
  const rows = async (name: string): Promise<string> =>
    (await holdpoint(['requests', '--approver', name])).stdout;
  await until('it is listed', async () => (await rows('finance')).includes(runId));
  expect(await rows('sales')).not.toContain(runId);
});

test('votes are shown as what they are', async () => {
  const halted = await halt(turn(['large', 'a']));
  const args = ['answer', halted.runId, pendingId(halted), '--approve'];
  const shown = (await holdpoint(['show', halted.runId])).stdout;
  expect(shown).toMatch(/--approve --by 'your name' --role finance +# lets it run/);
  expect(shown).not.toContain('--output');
  expect(await holdpoint([...args, '--by', 'ann', '--role', 'cfo'])).toMatchObject({
    code: 0,
    stdout: 'Your vote counts: 1 of 2 approvals. Still needed: 1 more by finance, cfo.\n',
  });
  await until('it is listed', async () => {
    const { stdout } = await holdpoint(['requests', '--kind', 'approval', '--agent', 'desk']);
    return stdout
      .split('\n')
      .some((line) => line.includes(halted.runId) && line.includes('approval (1 of 2)'));
  });
  expect((await holdpoint(['show', halted.runId])).stdout).toContain('1 of 2 approved, ann');
  expect(await holdpoint([...args, '--by', 'bob', '--role', 'finance', '--wait'])).toMatchObject({ code: 0 });
  expect((await holdpoint(['show', halted.runId])).stdout).toMatch(
    /approved, one of several, by ann as cfo at/,
  );
});

test('a call whose arguments were changed shows what was asked for and what would run, then what ran', async () => {
  const halted = await halt(turn(['both', 'a', { cents: 5 }]));
  const id = pendingId(halted);
  await desk.client.answer(halted.runId, approve(id, { by: 'ann', input: { cents: 4 } }));
  const open = (await holdpoint(['show', halted.runId])).stdout;
  expect(open).toMatch(/asked for\n +cents +5\n +would run with\n +cents +4\n/);
  expect(open).toMatch(/--approve --by 'your name' +# lets it run/);
  const digest = inputDigest({ cents: 4 });
  await desk.client.runWithAnswer(halted.runId, approve(id, { by: 'bob', digest }));
  const { stdout } = await holdpoint(['show', halted.runId]);
  expect(stdout).toMatch(/asked for\n +cents +5\n +ran with\n +cents +4\n/);
});

test('--all-calls approves the later calls, too, and goes with --approve alone', async () => {
  const { runId } = await halt(turn(['small', 'a']), turn(['small', 'b']));
  expect(await holdpoint(['answer', runId, '--decline', '--all-calls'])).toMatchObject({
    code: 2,
    stderr: containing('--all-calls goes with --approve'),
  });
  expect(
    await holdpoint(['answer', runId, '--approve', '--all-calls', '--by', 'ann', '--wait']),
  ).toMatchObject({
    code: 0,
    stdout: 'Done.\n',
  });
  const { stdout } = await holdpoint(['show', runId]);
  expect(stdout).toMatch(/answered by ann at .* \(cli, for all calls of small\)/);
  expect(stdout).toMatch(/approved at .*, as all calls of the tool were by ann/);
});

test('a question says how it is answered: words, a choice, a form', async () => {
  const form = { type: 'object', properties: { size: { type: 'integer' } } };
  const { runId } = await halt(
    turn(['question', 'a', { question: 'Which?', choices: ['red', 'blue'] }]),
    turn(['question', 'b', { question: 'Fill in', form }]),
  );
  expect((await holdpoint(['show', runId])).stdout).toMatch(/--output 'the answer'/);
  expect(await holdpoint(['answer', runId, '--output', 'green'])).toMatchObject({
    code: 5,
    stderr: containing("none of the question's 2 choices"),
  });
  const next = await holdpoint(['answer', runId, '--output', 'blue', '--wait', '--json']);
  expect(documentOf(next)).toMatchObject({ pending: { prompt: 'Fill in' } });
  expect((await holdpoint(['show', runId])).stdout).toContain(`--data '{"content":{…}}'`);
  const done = await holdpoint(['answer', runId, '--data', '{"content":{"size":4}}', '--wait', '--json']);
  expect(documentOf(done)).toMatchObject({
    status: 'done',
    toolCalls: [{ output: 'blue' }, { output: matching(/4/) }],
  });
});
