import { newId, pendingId, type Desk } from '../client/desk';
import { hasTmux, Terminal } from '../examples/terminal';
import { testServer } from '../support/test-server';
import { commandEnvironment, program } from './command';
import { openShop, REFUND, turn } from './shop';

const inTerminal = hasTmux() ? test : test.skip;
const why = hasTmux() ? '' : ' (skipped: there is no tmux)';

let shop: Desk;
let terminal: Terminal;
beforeAll(async () => {
  shop = await openShop();
  if (!hasTmux()) return;
  const env = commandEnvironment({ TEMPORAL_ADDRESS: testServer().address });
  terminal = await Terminal.open('answer', __dirname, env);
  await terminal.type(`holdpoint() { "${process.execPath}" ${program()} "$@"; echo "exit code $?"; }`);
});
afterAll(async () => {
  await terminal?.close();
  await shop.close();
});

async function answer(...args: readonly string[]): Promise<void> {
  await terminal.typeAnew(`holdpoint answer ${args.join(' ')}`);
}

inTerminal(
  `at a terminal the request is shown whole, and its arguments can be edited in place${why}`,
  async () => {
    const { runId } = await shop.client.run('shop', shop.play([REFUND, { content: 'Refunded.' }]));
    await answer(runId, '--by', 'ann', '--wait');
    await terminal.shows(/refund Pays money back\.\n +order +"1047"\n +cents +8990\n/);
    await terminal.shows(/\[a\]pprove, \[e\]dit the arguments, give the \[r\]esult, \[d\]ecline, \[q\]uit:/);
    await terminal.type('what?');
    await terminal.shows(
      /"what\?" is none of these\..*\n +a +approve\n +e +edit the arguments\n[^]*\n\[a\]pprove/,
    );
    await terminal.type('done');
    await terminal.shows(/"done" is none of these\./);
    await terminal.type('e');
    await terminal.shows(/Arguments: \{"order":"1047","cents":8990\}$/m);
    await terminal.press('BSpace');
    await terminal.type(',');
    await terminal.shows(
      /That is not a JSON object\. Change it, or leave with Ctrl-C\.\nArguments: \{"order":"1047","cents":8990,$/m,
    );
    await terminal.type('"slow":true}');
    await terminal.shows(/Accepted at .*, by ann\.\nRefunded\.\nexit code 0$/m);
    const [call] = (await shop.client.result(runId)).toolCalls;
    expect(call?.args).toEqual({ order: '1047', cents: 8990, slow: true });
  },
  120_000,
);

inTerminal(
  `arguments that do not fit the tool go back to the editor as they were typed, and nothing has counted${why}`,
  async () => {
    const { runId } = await shop.client.run(
      'shop',
      shop.play([turn(['repay', 'p1', { cents: 5 }]), { content: 'Repaid.' }]),
    );
    await answer(runId, '--wait');
    await terminal.type('e');
    await terminal.shows(/Arguments: \{"cents":5\}$/m);
    await terminal.press('BSpace');
    await terminal.press('BSpace');
    await terminal.type('"five"}');
    await terminal.shows(/holdpoint: .*cents.*\n[^]*Arguments: \{"cents":"five"\}$/m);
    for (let at = 0; at < '"five"}'.length; at += 1) await terminal.press('BSpace');
    await terminal.type('7}');
    await terminal.shows(/Accepted at .*\nRepaid\.\nexit code 0$/m);
    const [call] = (await shop.client.result(runId)).toolCalls;
    expect(call?.args).toEqual({ cents: 7 });
  },
  120_000,
);

inTerminal(
  `of several requests one is chosen, and a relayed call is given its result${why}`,
  async () => {
    const turns = [turn(['refund', 'r1'], ['stock', 'a', { sku: 1 }]), { content: 'Done.' }];
    const { runId } = await shop.client.run('shop', shop.play(turns));
    await answer(runId);
    await terminal.shows(
      /waits on 2 requests:\n +1 +\(approval\) approve refund.*\n +2 +\(tool_call\) relay/,
    );
    await terminal.type('2');
    await terminal.shows(/stock call a\n +sku +1\n[^]*give the \[r\]esult, \[d\]ecline, \[q\]uit:/);
    await terminal.type('r');
    await terminal.shows(/Result:/);
    await terminal.type('twelve of them');
    await terminal.shows(/Accepted at .*\nexit code 0$/m);

    await answer(runId);
    await terminal.shows(/approve refund/);
    await terminal.type('d');
    await terminal.type('not today');
    await terminal.shows(/Declined at .*\nexit code 0$/m);
    const { toolCalls } = await shop.client.result(runId);
    expect(toolCalls.map(({ output }) => output)).toEqual([
      'declined/expired: approve refund({})\nreason: not today',
      'twelve of them',
    ]);
  },
  120_000,
);

inTerminal(
  `where several must agree no result is offered in the tool’s place, and a vote says what it has done${why}`,
  async () => {
    const { runId } = await shop.client.run('shop', shop.play([turn(['wire', 'w1'])]));
    await answer(runId, '--by', 'ann');
    await terminal.shows(/\[a\]pprove, \[e\]dit the arguments, \[d\]ecline, \[q\]uit:/);
    await terminal.type('a');
    await terminal.shows(/Your vote counts: 1 of 2 approvals\. Still needed: 1 more\.\nexit code 0$/m);
  },
  120_000,
);

inTerminal(
  `q, Ctrl-C and Ctrl-D answer nothing, and the run still waits${why}`,
  async () => {
    const halted = await shop.client.run('shop', shop.play([REFUND]));
    await answer(halted.runId);
    await terminal.shows(/\[q\]uit:/);
    await terminal.type('q');
    await terminal.shows(/exit code 3$/m);
    for (const key of ['C-c', 'C-d']) {
      await answer(halted.runId);
      await terminal.shows(/\[q\]uit:/);
      await terminal.press(key);
      await terminal.shows(/holdpoint: Nothing was answered; the run still waits\.\nexit code 130$/m);
    }
    expect(pendingId(await shop.client.waitForHalt(halted.runId))).toBe(pendingId(halted));
  },
  120_000,
);

inTerminal(
  `Ctrl-C ends the waiting of a run, which goes on, and says how to wait again${why}`,
  async () => {
    const runId = newId();
    await terminal.typeAnew(`holdpoint run shop Hello --run-id ${runId} --task-queue ${newId()}`);
    await terminal.shows(new RegExp(`^Run ${runId}$`, 'm'));
    await terminal.press('C-c');
    await terminal.shows(
      new RegExp(
        `holdpoint: Run ${runId} goes on\\. To wait again: holdpoint show ${runId} --wait\nexit code 130$`,
        'm',
      ),
    );
    await shop.client.cancel(runId);
  },
  120_000,
);
