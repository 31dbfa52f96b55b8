import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ComposeService } from '../compose-file';

/** How a service's processes are started on this machine. */
export interface Recipe {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/** The images' own users are not here; what counts is that no service runs as root. */
export const NOBODY = 65_534;
/** The arguments of `setpriv` before a command that is to run so. */
export const AS_NOBODY = [
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  '--clear-groups',
  '--no-new-privs',
  '--',
] as const;
const CHECK_MS = 500;

/** One service of the compose file, run as a process of this machine. */
export class Container {
  private child: ChildProcess | undefined;
  private ended: Promise<string> | undefined;

  constructor(
    readonly name: string,
    private readonly service: ComposeService,
    private readonly recipe: Recipe,
  ) {}

  /** A service without a health check is one that sets something up. */
  get endsByItself(): boolean {
    return this.service.healthcheck === undefined;
  }

  /** Starts it and resolves when it is healthy, or, for a service that is to end, when it has ended well. */
  async start(): Promise<void> {
    this.ended = this.run(this.recipe.argv, (child) => (this.child = child));
    if (!this.endsByItself) return this.untilHealthy();
    const how = await this.ended;
    if (how !== '0') throw this.failure(`ended with ${how}`);
  }

  /** Ends it as `docker stop` does; throws when it did not end by itself, and well, in its time. */
  async stop(): Promise<void> {
    if (!this.child || !this.ended) return;
    // The image of PostgreSQL says that its signal is SIGINT, which lets no client hold the end up.
    const signal = this.name === 'postgres' ? 'SIGINT' : 'SIGTERM';
    this.child.kill(signal);
    const graceMs = seconds(this.service.stop_grace_period ?? '10s') * 1000;
    const how = await Promise.race([this.ended, delay(graceMs, 'no end', { ref: false })]);
    this.child = undefined;
    // The web page has nothing to finish, and leaves it to the signal to end it.
    if (how === '0' || (how === signal && this.name === 'temporal-ui')) return;
    throw this.failure(`was told to stop and gave ${how} within ${graceMs} ms`);
  }

  /** A command in it, as by `docker compose exec`. Resolves with how it ended. */
  exec(command: string): Promise<string> {
    return this.run(['/bin/sh', '-c', command], () => undefined);
  }

  private async untilHealthy(): Promise<void> {
    const { test, timeout, retries, interval, start_period: start } = this.service.healthcheck ?? {};
    const deadline = Date.now() + (seconds(start) + seconds(interval) * (retries ?? 1)) * 1000;
    for (;;) {
      const check = this.run((test ?? []).slice(1), (child) => {
        setTimeout(() => child.kill('SIGKILL'), seconds(timeout) * 1000).unref();
      });
      const how = await Promise.race([check, this.ended?.then((end) => `the end of the service: ${end}`)]);
      if (how === '0') return;
      if (how?.startsWith('the end') || Date.now() > deadline) throw this.failure(`is not healthy: ${how}`);
      await delay(CHECK_MS);
    }
  }

  /** Exactly the environment that the compose file gives, and nothing of this process. */
  private async run(argv: readonly string[], onStart: (child: ChildProcess) => void): Promise<string> {
    const log = createWriteStream(this.recipe.logFile, { flags: 'a' });
    await once(log, 'open');
    const child = spawn('setpriv', [...AS_NOBODY, ...argv], {
      cwd: this.recipe.cwd,
      env: this.recipe.env,
      stdio: ['ignore', log, log],
    });
    onStart(child);
    return new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(String(signal ?? code)));
    });
  }

  private failure(what: string): Error {
    const log = readFileSync(this.recipe.logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
    return new Error(`${this.name} ${what}. The end of its log:\n${log}`);
  }
}

function seconds(duration: string | undefined): number {
  return Number(duration?.replace('s', '') ?? 0);
}
