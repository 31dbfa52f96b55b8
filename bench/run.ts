/**
 * Measures what a run costs: history bytes, events and milliseconds a turn, ours beside a bare workflow.
 *
 *     npm run bench
 *     npm run bench -- --calls 10,100,300 --kb 5 --engine ours --repeat 3
 *
 * Where `TEMPORAL_ADDRESS` is set that server is measured, otherwise a development server of its own.
 */
import { parseArgs } from 'node:util';
import { startTestServer } from '../src/testing/temporal-server';
import { measureBare } from './bare';
import type { Measurement } from './history';
import { measureOurs, type Server } from './ours';
import type { Workload } from './workload';

type Engine = (server: Server, workload: Workload) => Promise<Measurement>;

/** Ours first: the first worker installs the process's logger, and the bare one is to be as quiet. */
const ENGINES: Readonly<Record<string, Engine>> = { ours: measureOurs, bare: measureBare };

/** Runs the workloads and prints a line for each as soon as it is measured. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '10,50,100' },
      kb: { type: 'string', default: '5' },
      engine: { type: 'string', default: Object.keys(ENGINES).join(',') },
      repeat: { type: 'string', default: '3' },
    },
  });
  const workloads = numbers('calls', values.calls).flatMap((calls) =>
    numbers('kb', values.kb).map((resultKb): Workload => ({ calls, resultKb })),
  );
  const engines = values.engine.split(',').map((name) => [name, engineOf(name)] as const);
  const [repeat = 1] = numbers('repeat', values.repeat);

  await using server = await startTestServer({ onProgress: (line) => console.error(line) });
  // The first run of a process pays for bundling, connecting and compiling.
  for (const [, engine] of engines) await engine(server, { calls: 3, resultKb: 1 });
  console.log(row(['engine', 'model calls', 'result', 'history', 'events', 'ms a turn', 'outcome']));
  for (const workload of workloads)
    for (const [name, engine] of engines) {
      const runs: Measurement[] = [];
      for (let n = 0; n < repeat; n += 1) runs.push(await engine(server, workload));
      console.log(row(cells(name, workload, runs)));
    }
}

/** Sizes of the largest run, time of the median one. */
function cells(name: string, { calls, resultKb }: Workload, runs: readonly Measurement[]): string[] {
  const bytes = Math.max(...runs.map((run) => run.bytes));
  const events = Math.max(...runs.map((run) => run.events));
  const times = runs.map((run) => run.msPerTurn).sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  const outcomes = [...new Set(runs.map((run) => run.status))].join(', ');
  return [
    name,
    String(calls),
    `${resultKb} kB`,
    `${(bytes / 1024 ** 2).toFixed(2)} MiB`,
    String(events),
    median.toFixed(0),
    outcomes,
  ];
}

function row(columns: readonly string[]): string {
  return columns.map((column) => column.padStart(12)).join('');
}

function numbers(name: string, list: string): number[] {
  return list.split(',').map((text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1)
      throw new Error(`Expected --${name} to be whole numbers above 0, got ${text}`);
    return value;
  });
}

function engineOf(name: string): Engine {
  const engine = ENGINES[name];
  if (!engine) throw new Error(`Expected --engine to be of ${Object.keys(ENGINES).join(', ')}, got ${name}`);
  return engine;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
