import { join, relative } from 'node:path';
import { startTestServer } from 'holdpoint/testing';
import { startModel, type Play } from './model';
import { Program } from './program';

/** Where the programs of an example run: beside a Temporal server and a model. */
export interface Stage {
  /** Runs a program of the example to its end. Throws when it fails, or one that was started does. */
  run(file: string, ...args: readonly string[]): Promise<void>;
  /** Starts one that goes on, such as a worker. It is stopped at the end, or before by `stop`. */
  start(file: string, ...args: readonly string[]): Program;
}

/**
 * Gives the programs in `folder` the server at `TEMPORAL_ADDRESS`, or one of their own, and the model that the
 * environment names, or one that plays. They find both where any program of yours would: in their environment.
 * Ends with exit code 1 when `use` throws.
 */
export async function onStage(
  folder: string,
  play: Play,
  use: (stage: Stage) => Promise<void>,
): Promise<void> {
  try {
    await playOn(folder, play, use);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

async function playOn(folder: string, play: Play, use: (stage: Stage) => Promise<void>): Promise<void> {
  const server = await startTestServer({ onProgress: say });
  const model = await startModel(play);
  say(`Temporal server at ${server.address}; model: ${model.what}`);
  const env = { TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: server.namespace, ...model.env };
  const started: Program[] = [];
  const start: Stage['start'] = (file, ...args) => {
    const path = relative(process.cwd(), join(folder, file));
    say(`$ npx tsx ${[path, ...args].map(quoted).join(' ')}`);
    const program = new Program(folder, file, args, env);
    started.push(program);
    return program;
  };
  try {
    await use({
      start,
      run: async (file, ...args) => {
        const failures = started.map((program) => program.failure);
        await Promise.race([start(file, ...args).done, ...failures]);
      },
    });
  } finally {
    for (const program of started.reverse()) await program.stop();
    await model.close();
    await server.stop();
  }
}

function say(line: string): void {
  console.log(line);
}

/** As a POSIX shell reads it. */
function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
