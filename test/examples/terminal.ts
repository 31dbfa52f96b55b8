import { execFile, spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Wide and high enough that nothing of a demo scrolls away. */
const COLUMNS = '240';
const ROWS = '200';
const LOOK_EVERY_MS = 200;

export function hasTmux(): boolean {
  return spawnSync('tmux', ['-V']).status === 0;
}

/** A shell in a real terminal: what it runs sees a TTY, and Ctrl-C is a key. */
export class Terminal {
  private begun = 0;

  private constructor(private readonly socket: string) {}

  /** Each terminal has a tmux server of its own, with this environment and no more. */
  static async open(name: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Terminal> {
    const terminal = new Terminal(`holdpoint-${name}-${process.pid}`);
    const size = ['-x', COLUMNS, '-y', ROWS];
    const options = ['-L', terminal.socket, '-f', '/dev/null'];
    await run('tmux', [...options, 'new-session', '-d', ...size, '-c', cwd, 'sh'], { env });
    return terminal;
  }

  async type(command: string): Promise<void> {
    await this.tmux('send-keys', '-l', command);
    await this.press('Enter');
  }

  /** Types a command on an empty screen: what an earlier one left there is not taken for its output. */
  async typeAnew(command: string): Promise<void> {
    this.begun += 1;
    await this.type(`clear; tmux clear-history; echo "begun ${this.begun}"; ${command}`);
    await this.shows(new RegExp(`^begun ${this.begun}$`, 'm'));
  }

  async press(key: string): Promise<void> {
    await this.tmux('send-keys', key);
  }

  async screen(): Promise<string> {
    return this.tmux('capture-pane', '-p', '-J', '-S', '-');
  }

  /** Resolves with the match once the screen shows it. Rejects after `timeoutMs` with what it shows then. */
  async shows(pattern: RegExp, timeoutMs = 120_000): Promise<RegExpExecArray> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const screen = await this.screen();
      const match = pattern.exec(screen);
      if (match) return match;
      if (Date.now() > deadline) throw new Error(`No ${String(pattern)} in ${timeoutMs} ms, but:\n${screen}`);
      await delay(LOOK_EVERY_MS);
    }
  }

  async close(): Promise<void> {
    await this.tmux('kill-server');
  }

  private async tmux(...args: string[]): Promise<string> {
    return (await run('tmux', ['-L', this.socket, ...args])).stdout;
  }
}
