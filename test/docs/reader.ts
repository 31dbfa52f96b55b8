import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { builtPackage } from '../cli/built-package';
import { commandEnvironment } from '../cli/command';
import { ROOT } from './pages';

/** Packages that the project of `holdpoint init` depends on, beside this one. */
const PACKAGES = ['zod', 'tsx', 'typescript', '@types/node'];

export interface Typed {
  readonly code: number | null;
  /** Standard output and standard error together. */
  readonly output: string;
}

/** Somebody who types what stands in the guide, in an empty folder. */
export class Reader {
  readonly #root = mkdtempSync(join(tmpdir(), 'holdpoint-reader-'));
  readonly #env: NodeJS.ProcessEnv;
  readonly #started: (() => Promise<void>)[] = [];
  #folder = this.#root;

  /** `temporal` is the path of that command, which the reader has. */
  constructor(temporal: string, env: Readonly<Record<string, string>>) {
    const path = `${dirname(temporal)}${delimiter}${process.env['PATH'] ?? ''}`;
    this.#env = commandEnvironment({ ...env, PATH: path, npm_config_update_notifier: 'false' });
    // What `npx` would fetch.
    this.#link('holdpoint');
  }

  /** Types one command and waits for its end. `npm install` gets this package, which no registry has yet. */
  async type(line: string): Promise<Typed> {
    const [, folder] = /^cd (\S+)$/.exec(line) ?? [];
    if (folder !== undefined) {
      this.#folder = join(this.#folder, folder);
      return { code: 0, output: '' };
    }
    if (line === 'npm install') {
      this.#link('holdpoint', ...PACKAGES);
      return { code: 0, output: '' };
    }
    const { child, text } = this.#spawn(line);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output: text() };
  }

  /** Types a command that goes on, in a terminal of its own. Resolves once it has printed what it must. */
  async start(line: string, ready: RegExp): Promise<void> {
    const { child, text } = this.#spawn(line);
    const closed = once(child, 'close');
    this.#started.push(async () => {
      // Its group: npm, and what npm runs. Ctrl-C would reach all of it as well.
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await closed;
    });
    await new Promise<void>((resolve, reject) => {
      const look = (): void => (ready.test(text()) ? resolve() : undefined);
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      void closed.then(() => reject(new Error(`${line} ended: ${text()}`)));
    });
  }

  async leave(): Promise<void> {
    for (const stop of this.#started) await stop();
    rmSync(this.#root, { recursive: true, force: true });
  }

  #spawn(line: string) {
    const child = spawn('/bin/sh', ['-c', line], { cwd: this.#folder, env: this.#env, detached: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stdin.end();
    return { child, text: () => output };
  }

  #link(...names: readonly string[]): void {
    const modules = join(this.#folder, 'node_modules');
    for (const name of names) {
      mkdirSync(join(modules, dirname(name)), { recursive: true });
      symlinkSync(
        name === 'holdpoint' ? builtPackage() : join(ROOT, 'node_modules', name),
        join(modules, name),
      );
    }
    mkdirSync(join(modules, '.bin'));
    const command = join(modules, '.bin/holdpoint');
    writeFileSync(command, '#!/bin/sh\nexec node "$(dirname "$0")/../holdpoint/lib/cli/main.js" "$@"\n');
    chmodSync(command, 0o755);
    if (names.includes('tsx')) symlinkSync('../tsx/dist/cli.mjs', join(modules, '.bin/tsx'));
  }
}
