import { cutText } from '../../agent/cut-text';
import { HoldpointError } from '../../agent/errors';
import type { Json, JsonObject, JsonSchema } from '../../agent/json';
import { Meter } from '../../agent/meter';
import { MAX_LOOKS, schemaFit } from '../../agent/schema-fit';
import {
  DEFAULT_TOOL_TIMEOUT_MS,
  type ApprovalContext,
  type Checked,
  type Tool,
  type ToolContext,
  type UnknownOutcomePolicy,
} from '../../agent/tool';
import type { ApprovalOptions } from '../../tools/approval-policy';
import { buildTool, TOOL_OPTIONS } from '../../tools/build-tool';
import { durationMs, type Duration } from '../../tools/duration';
import { refuseClashes } from '../../tools/tool-clashes';
import { failedCall, notReached } from '../client/call-failure';
import { DEFAULT_TIMEOUT_MS, SessionEnded, type McpConnection } from '../client/connection';
import type { LegacyElicitation } from '../client/legacy-elicitation';
import { connectionPool, type ConnectionPool } from '../client/pool';
import { toAgentResult } from '../client/result-text';
import { safeToolName } from '../client/safe-name';
import type { Credentials, McpTransport } from '../client/transport';
import { serverUnreachable } from '../client/unreachable';
import type { Declaration } from '../declaration';
import { hintsOf } from './agent-tools';
import { capabilitiesOf, type Answerers } from './answerers';
import { refuseBadOptions } from './refuse-options';
import { runInRounds, type Round } from './run-in-rounds';

/** Options of {@link mcpTools}. */
export interface McpToolsOptions extends ApprovalOptions, Answerers {
  /** What you call the server: the beginning of its tools' names, and who asks when a tool asks a person. */
  readonly name: string;
  readonly transport: McpTransport;
  /** Read for each HTTP request where the request is made; never part of a run. */
  readonly credentials?: Credentials;
  /** The server's names of the tools to take (one that it does not list is in `skipped`), or a function that chooses. Default: all. */
  readonly include?: readonly string[] | ((declaration: Declaration) => boolean);
  /** Whether a call needs approval: `true` for all, or asked for each. Default: none does. */
  readonly approve?:
    true | ((tool: string, args: JsonObject, ctx: ApprovalContext) => boolean | Promise<boolean>);
  /** Believes what the server says of its tools: read-only ones are then repeated after a lost call. Default false. */
  readonly trustAnnotations?: boolean;
  /**
   * Milliseconds without a sign of life that one round of a call may take. Default 60,000. In all a round has five
   * minutes, or `timeoutMs` where that is more.
   */
  readonly timeoutMs?: number;
  /**
   * Answers the forms that a server of an earlier revision shows in the middle of a call. Such a server waits, so that
   * no person of a run can be asked; nor does it say for which call it asks. What takes longer than half of
   * `timeoutMs`, throws or does not fit the form is `cancel`, and `onError` is told. Default: no such server is offered it.
   */
  readonly legacyElicitation?: LegacyElicitation;
  /** Told why something that `legacyElicitation` gave counted as `cancel`, without its values. Default: nothing is told. */
  readonly onError?: (error: unknown) => void;
  /** How long an approval or a question of a tool stays open. Default: until answered. */
  readonly expiresIn?: Duration;
  readonly onUnknownOutcome?: UnknownOutcomePolicy;
}

/** A server's tools as an agent's. */
export interface McpToolset {
  readonly tools: readonly Tool[];
  /** Tools that were left out because no call of them could be checked, and names in `include` that the server does not list. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  /** Ends the connection. Runs that call a tool after that connect anew. */
  close(): Promise<void>;
}

/**
 * Makes the tools of an MCP server an agent's tools. The server is asked once for its list; each call is an
 * activity on one shared connection, which is made again when it was lost.
 *
 * ```ts
 * const files = await mcpTools({ name: 'files', transport: { type: 'stdio', command: 'mcp-server-filesystem', args: ['/srv/data'] } });
 * const desk = defineAgent({ name: 'desk', model: 'gpt-5-mini', tools: files.tools });
 * ```
 *
 * @throws HoldpointError `Holdpoint.Tool.InvalidDefinition` for options that nobody reads or that do not fit,
 * `Holdpoint.Tool.Clash` where two tools would have one name, and `Holdpoint.Tool.ServerUnreachable` when the server
 * cannot be reached or lists nothing.
 */
export async function mcpTools(options: McpToolsOptions): Promise<McpToolset> {
  refuseBadOptions(options);
  const { name, transport, credentials, legacyElicitation, onError } = options;
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const pool = connectionPool({
    name,
    transport,
    capabilities: capabilitiesOf(options),
    ...(credentials && { credentials }),
    ...(legacyElicitation && { legacyElicitation, legacyElicitationMs: timeoutMs / 2 }),
    ...(onError && { onError }),
  });
  try {
    return { ...(await toolset(options, pool)), close: () => pool.close() };
  } catch (error) {
    // Nobody else can: a process would run for ever.
    await pool.close();
    throw error;
  }
}

async function toolset(options: McpToolsOptions, pool: ConnectionPool): Promise<Omit<McpToolset, 'close'>> {
  const { name } = options;
  const listed = await declarationsOf(pool, name);
  const skipped = notListed(options, listed);
  const tools: Tool[] = [];
  for (const declaration of listed.filter(included(options))) {
    try {
      tools.push(toTool(declaration, options, pool));
    } catch (error) {
      if (!isOfSchema(error)) throw error;
      // It may quote the server at any length.
      skipped.push({ name: declaration.name, reason: cutText(error.message, MAX_REASON) });
    }
  }
  refuseClashes(tools, `the MCP server ${name}`);
  return { tools, skipped };
}

/** Characters of why a tool was left out. */
const MAX_REASON = 1_000;

/** The server's fault, which leaves its other tools as they are. */
function isOfSchema(error: unknown): error is HoldpointError {
  return error instanceof HoldpointError && error.data['option'] === 'inputSchema';
}

async function declarationsOf(pool: ConnectionPool, server: string): Promise<readonly Declaration[]> {
  try {
    return await (await pool.use()).list();
  } catch (error) {
    if (error instanceof HoldpointError) throw error;
    throw serverUnreachable(server, 'does not list its tools', error);
  }
}

function included({ include }: McpToolsOptions): (declaration: Declaration) => boolean {
  if (include === undefined) return () => true;
  return typeof include === 'function' ? include : ({ name }) => include.includes(name);
}

/** A name that was mistyped, or that the server has no more. */
function notListed(
  { include }: McpToolsOptions,
  listed: readonly Declaration[],
): { name: string; reason: string }[] {
  const wanted = typeof include === 'object' ? include : [];
  return wanted
    .filter((name) => listed.every((declaration) => declaration.name !== name))
    .map((name) => ({ name, reason: 'The server lists no tool of this name.' }));
}

function toTool(declared: Declaration, options: McpToolsOptions, pool: ConnectionPool): Tool {
  const { name: server, approve, trustAnnotations, timeoutMs, expiresIn, sampling, roots } = options;
  const { name: remote, description = '', inputSchema, annotations } = declared;
  const rules = {
    asker: { tool: remote, server },
    ...(sampling && { sampling }),
    ...(roots && { roots }),
    ...(expiresIn !== undefined && { expiresInMs: durationMs('expiresIn', expiresIn) }),
  };
  const execute = (args: JsonObject, ctx: ToolContext) =>
    runInRounds(ctx, rules, (responses, requestState) =>
      callRound(pool, server, remote, args, { ctx, responses, requestState, timeoutMs }),
    );
  const { approvers, quorum, remindAfter, escalateAfter, escalateTo, onUnknownOutcome } = options;
  const tool = buildTool(
    {
      name: safeToolName(server, remote),
      description,
      inputSchema,
      hints: trustAnnotations ? hintsOf(annotations) : {},
      ...(timeoutMs !== undefined && timeoutMs > DEFAULT_TOOL_TIMEOUT_MS && { timeoutMs }),
      ...(approve !== undefined && {
        needsApproval:
          approve === true ? true : (args: JsonObject, ctx: ApprovalContext) => approve(remote, args, ctx),
      }),
      ...(approve !== undefined && expiresIn !== undefined && { expiresIn }),
      ...(approvers && { approvers }),
      ...(quorum !== undefined && { quorum }),
      ...(remindAfter !== undefined && { remindAfter }),
      ...(escalateAfter !== undefined && { escalateAfter }),
      ...(escalateTo && { escalateTo }),
      ...(onUnknownOutcome && { onUnknownOutcome }),
      execute: execute,
    },
    'mcp',
    TOOL_OPTIONS,
  );
  return { ...tool, checkInput: (args) => checkedBounded(inputSchema, args) };
}

/** The schema is somebody else's, and must not keep the worker busy for ever. The server checks all of it. */
function checkedBounded(schema: JsonSchema, args: Json): Checked<Json> {
  const fit = schemaFit(schema, args, new Meter(MAX_LOOKS));
  return fit.is === 'violates' ? { ok: false, problem: fit.problem } : { ok: true, value: args };
}

interface RoundCall {
  readonly ctx: ToolContext;
  readonly responses: Readonly<Record<string, Json>>;
  readonly requestState: string | undefined;
  readonly timeoutMs: number | undefined;
}

async function callRound(
  pool: ConnectionPool,
  server: string,
  tool: string,
  args: JsonObject,
  { ctx, responses, requestState, timeoutMs }: RoundCall,
): Promise<Round> {
  const connection = await reached(pool, server, tool);
  try {
    const outcome = await connection.request(tool, args, {
      signal: ctx.signal,
      onProgress: ({ progress, total, message }) => ctx.reportProgress(progress, total, message),
      ...(Object.keys(responses).length > 0 && { inputResponses: responses }),
      ...(requestState !== undefined && { requestState }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(ctx.idempotencyKey !== undefined && { idempotencyKey: ctx.idempotencyKey }),
      ...(ctx.runId !== undefined && { correlation: ctx.runId }),
    });
    if (outcome.kind === 'result') return { kind: 'result', result: toAgentResult(outcome.result) };
    const { requests, requestState: state } = outcome;
    return { kind: 'input', requests, ...(state !== undefined && { requestState: state }) };
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (error instanceof SessionEnded) throw notReached(server, tool, error);
    return { kind: 'result', result: failedCall(server, tool, error) };
  }
}

async function reached(pool: ConnectionPool, server: string, tool: string): Promise<McpConnection> {
  try {
    return await pool.use();
  } catch (error) {
    throw notReached(server, tool, error);
  }
}
