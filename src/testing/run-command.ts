import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How a command ended. `failure` says why it did not exit with 0, and is undefined when it did. */
export interface CommandOutcome {
  readonly failure: string | undefined;
  /** The last lines of stdout and stderr together. */
  readonly output: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Killed when it takes longer, in milliseconds. */
  readonly timeoutMs: number;
  readonly onLine?: (line: string) => void;
  /** Ends the command early; the reason becomes its failure. */
  readonly signal?: AbortSignal;
}

const KEPT_LINES = 40;

/** Runs a command to its end without a shell. Never throws: a command that cannot start has a `failure`. */
export function runCommand(
  file: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandOutcome> {
  return new Promise((resolve) => {
    const lines: string[] = [];
    const child = spawn(file, args, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        if (lines.length > KEPT_LINES) lines.shift();
        options.onLine?.(line);
      });
    }

    let ended: string | undefined;
    const end = (reason: string): void => {
      ended = reason;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => end(`took longer than ${options.timeoutMs} ms`), options.timeoutMs);
    options.signal?.addEventListener('abort', () => end(String(options.signal?.reason)), { once: true });

    const settle = (failure: string | undefined): void => {
      clearTimeout(timer);
      resolve({ failure, output: lines.join('\n') });
    };
    child.once('error', (error) => settle(error.message));
    child.once('close', (code, signal) => {
      settle(ended ?? (code === 0 ? undefined : `ended with ${signal ?? `exit code ${String(code)}`}`));
    });
  });
}
