import { exec } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findServerBinary, INSTALLED } from '../../src/testing/server-binary';
import { testServer } from '../support/test-server';
import { demoEnvironment, ROOT } from './demo-environment';
import { hasTmux, Terminal } from './terminal';

const run = promisify(exec);
const FINAL_TEXT = /Final text: Your refund for "Rain jacket, size M" is done\. Paid 89\.90 EUR/;
const EXIT_0 = /^exit code 0$/m;
const WAITS_FOR_WAREHOUSE =
  /call +ask_warehouse\(\{"order":"1047"\}\) as call_2[^]*(temporal\S* workflow signal .*call_2.*)\n[^]*Ctrl-C parks/;
const WAITS_FOR_APPROVAL =
  /call +refund\(\{"order":"1047","amountCents":8990\}\)[^]*\n +(\S*temporal\S* workflow signal .*)\n[^]*Ctrl-C parks/;

/** It becomes the command that npm gives it, so that what npm passes on reaches the demo, after the terminal's own. */
const EXECUTING_SHELL = existsSync('/bin/bash') ? { npm_config_script_shell: '/bin/bash' } : {};

const inTerminal = hasTmux() ? test : test.skip;
const why = hasTmux() ? '' : ' (skipped: there is no tmux)';

inTerminal(
  `on a terminal the demo shows each request, and the signal command that it prints answers it${why}`,
  async () => {
    const { address } = testServer();
    const terminal = await Terminal.open('signal', ROOT, demoEnvironment({ TEMPORAL_ADDRESS: address }));
    const env = await withTemporalOnPath();
    try {
      await terminal.type('npm run demo; echo "exit code $?"');
      const [, deliver = ''] = await terminal.shows(WAITS_FOR_WAREHOUSE);
      expect((await terminal.screen()).match(/Answered/)).toBeNull();
      await run(deliver, { env });
      const [, approve = ''] = await terminal.shows(WAITS_FOR_APPROVAL);
      expect(approve).toContain(`--address ${address} `);
      await run(approve, { env });
      await terminal.shows(FINAL_TEXT);
      await terminal.shows(EXIT_0);
    } finally {
      await terminal.close();
    }
  },
  300_000,
);

inTerminal(
  `Ctrl-C parks the run and leaves no process; --run goes on with it, answered from a second terminal${why}`,
  async () => {
    await withTemporalOnPath();
    const terminal = await Terminal.open('park', ROOT, demoEnvironment(EXECUTING_SHELL));
    try {
      await terminal.type('npm run demo');
      await terminal.shows(WAITS_FOR_WAREHOUSE);
      const [, address = ''] = await terminal.shows(/Temporal server at (\S+),/);
      const [, worker = ''] = await terminal.shows(/Worker (\d+) takes work/);
      await terminal.press('C-c');
      const [, goOn = ''] = await terminal.shows(/The run is parked\. To go on with it: (.*)\n/);
      expect(() => process.kill(Number(worker), 0)).toThrow('ESRCH');
      await expect(connects(address)).resolves.toBe(false);

      await terminal.typeAnew(`${goOn}; echo "exit code $?"`);
      await terminal.shows(WAITS_FOR_WAREHOUSE);
      const [, deliver = ''] = await terminal.shows(/(npx tsx \S+answer\.ts .* result .*)\n/);
      const { stdout } = await run(deliver, { cwd: ROOT, env: demoEnvironment({}) });
      expect(stdout).toContain('The run has accepted it');
      await terminal.shows(WAITS_FOR_APPROVAL);
      const decline = [...(await terminal.screen()).matchAll(/npx tsx \S+answer\.ts .* decline .*/g)].at(
        -1,
      )?.[0];
      await run(decline ?? '', { cwd: ROOT, env: demoEnvironment({}) });
      await terminal.shows(/Final text: Your refund was not approved/);
      await terminal.shows(EXIT_0);
      const [, runId = ''] = /--run (\S+)/.exec(goOn) ?? [];
      expect(existsSync(join(ROOT, '.holdpoint/refund-desk', runId))).toBe(false);
    } finally {
      await terminal.close();
    }
  },
  400_000,
);

/** An executable that is there already; finding none fails rather than building one for minutes. */
async function withTemporalOnPath(): Promise<NodeJS.ProcessEnv> {
  const executable = await findServerBinary({ env: process.env, onProgress: () => undefined }, INSTALLED, []);
  return { ...process.env, PATH: `${dirname(executable)}${delimiter}${process.env.PATH ?? ''}` };
}

function connects(address: string): Promise<boolean> {
  const [host = '', port] = address.split(':');
  return new Promise((resolve) => {
    const socket = connect(Number(port), host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.unref();
  });
}
