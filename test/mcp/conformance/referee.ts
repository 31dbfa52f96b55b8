import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { node22 } from './node-22';

/** One thing that the referee looked at. */
export interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Runs the referee with these arguments and gives all that it checked, from the files that it wrote. */
export async function referee(args: readonly string[]): Promise<Check[]> {
  const node = await node22();
  const out = await mkdtemp(join(tmpdir(), 'holdpoint-conformance-'));
  try {
    const { said, code } = await run(node, [script(), ...args, '-o', out]);
    const checks = await readChecks(out);
    if (checks.length === 0) throw new Error(`The referee checked nothing (exit code ${code}):\n${said}`);
    return checks;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

function script(): string {
  const manifest = createRequire(__filename).resolve('@modelcontextprotocol/conformance/package.json');
  return join(manifest, '..', 'dist', 'index.js');
}

async function readChecks(out: string): Promise<Check[]> {
  const folders = await readdir(out, { withFileTypes: true });
  const lists = await Promise.all(
    folders
      .filter((entry) => entry.isDirectory())
      .map(async ({ name }) => {
        const text = await readFile(join(out, name, 'checks.json'), 'utf8');
        const scenario = name.replace(/^(server|client)-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
        return (JSON.parse(text) as Omit<Check, 'scenario'>[]).map((check) => ({ ...check, scenario }));
      }),
  );
  return lists.flat();
}

function run(command: string, args: readonly string[]): Promise<{ said: string; code: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    child.on('error', reject);
    child.on('close', (code) => resolve({ said, code }));
  });
}
