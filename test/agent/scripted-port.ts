import { newRun } from '../../src/agent/new-run';
import type { RunEventDraft } from '../../src/agent/event';
import { withCallIds } from '../../src/agent/ids';
import type { AssistantMessage } from '../../src/agent/message';
import { NO_USAGE } from '../../src/agent/model';
import type { Port, ToolExecution, WaitForOutcome } from '../../src/agent/port';
import type { Request } from '../../src/agent/request';
import type { Route } from '../../src/agent/route';
import type { ModelReply, ReceiptRecord, RunState, ToolOutcome, Transcript } from '../../src/agent/run-state';
import { runLoop, type LoopReturn } from '../../src/agent/run-loop';
import { okResult } from '../../src/agent/tool';

/** A turn of the script: what the model says, and where each of its calls goes. */
export interface PortTurn {
  readonly content?: string;
  readonly calls?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly arguments?: string;
    readonly route: Route;
  }[];
  readonly reply?: Partial<ModelReply>;
}

export const RELAY: Route = { to: 'relay' };
export const TOOL: Route = { to: 'tool', timeoutMs: 0 };

/** The loop's port, played from a script: pure, with a clock that stands until it is set. */
export class ScriptedPort implements Port {
  clock = Date.parse('2026-01-01T00:00:00Z');
  readonly executions: ToolExecution[] = [];
  readonly events: RunEventDraft[] = [];
  readonly seen: string[] = [];
  earlier: readonly ReceiptRecord[] = [];
  modelCalls = 0;
  yields = 0;
  private waiters: (() => void)[] = [];

  constructor(
    private readonly turns: readonly PortTurn[],
    private readonly tool: (execution: ToolExecution) => ToolOutcome | Promise<ToolOutcome> = ({ call }) => ({
      is: 'result',
      result: okResult(`${call.name} done`),
    }),
    private readonly host?: (request: Request) => WaitForOutcome | Promise<WaitForOutcome>,
  ) {}

  now(): number {
    return this.clock;
  }

  changed(): Promise<void> {
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  notify(): void {
    for (const waiter of this.waiters.splice(0)) waiter();
  }

  async callModel(run: RunState, transcript: Transcript): Promise<ModelReply> {
    const turn = this.turns[this.modelCalls];
    this.modelCalls += 1;
    this.seen.push(JSON.stringify(transcript.entries.map((entry) => entry.message)));
    if (!turn) throw new Error(`No turn ${this.modelCalls} in the script`);
    const { content = null, calls = [] } = turn;
    const parts = withCallIds(
      calls.map(({ id, name, arguments: text = '{}' }) => ({
        ...(id !== undefined && { id }),
        name,
        arguments: text,
      })),
      run.turn,
    );
    const message: AssistantMessage = {
      role: 'assistant',
      content,
      ...(parts.length > 0 && { tool_calls: parts }),
    };
    return {
      message,
      routes: calls.map((call) => call.route),
      usage: { ...NO_USAGE, totalTokens: 10 },
      model: 'scripted',
      finishReason: parts.length > 0 ? 'tool_calls' : 'stop',
      ...(this.host && { waitFor: { timeoutMs: 1000 } }),
      ...turn.reply,
    };
  }

  async callTool(_run: RunState, _transcript: Transcript, execution: ToolExecution): Promise<ToolOutcome> {
    this.executions.push(execution);
    return this.tool(execution);
  }

  delegate(): string {
    throw new Error('No sub-agent in this script');
  }

  async waitFor(_run: RunState, request: Request): Promise<WaitForOutcome> {
    return this.host?.(request) ?? { is: 'none' };
  }

  dropWaitFor(): void {
    // A scripted host answers at once: there is nothing to drop.
  }

  setActive(): void {
    // The clock stands.
  }

  shouldYield(): boolean {
    this.yields -= 1;
    return this.yields === 0;
  }

  report(_run: RunState, event: RunEventDraft): void {
    this.events.push(event);
  }
}

export interface Scene {
  readonly run: RunState;
  readonly transcript: Transcript;
  readonly port: ScriptedPort;
  /** Drives the loop until it returns; again after an answer. */
  go(): Promise<LoopReturn>;
  /** The transcript's tool results, in order. */
  results(): string[];
}

export function scene(port: ScriptedPort, options: Partial<Parameters<typeof newRun>[0]> = {}): Scene {
  const run = newRun({ runId: 'run-1', agent: 'desk', seed: 'seed', from: 0, now: port.now(), ...options });
  const transcript: Transcript = { entries: [{ message: { role: 'user', content: 'go' } }] };
  return {
    run,
    transcript,
    port,
    go: () => runLoop(run, transcript, port),
    results: () =>
      transcript.entries.flatMap(({ message }) => (message.role === 'tool' ? [message.content] : [])),
  };
}

/** A scene halted on one relay request for these call ids. */
export async function relayScene(...ids: readonly string[]): Promise<Scene & { readonly requestId: string }> {
  const calls = ids.map((id) => ({ id, name: `tool_${id}`, route: RELAY }));
  const halted = scene(new ScriptedPort([{ calls }, { content: 'done' }]));
  await halted.go();
  return { ...halted, requestId: halted.run.requests[0]?.request.id ?? '' };
}
