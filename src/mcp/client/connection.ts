import { Client, isInitializeRequest, SdkHttpError, type Transport } from '@modelcontextprotocol/client';
import type { Json, JsonObject } from '../../agent/json';
import type { ToolCallResult } from '../bound-tool';
import type { ClientInfo } from '../call';
import type { Declaration } from '../declaration';
import type { InputRequests } from '../input-request';
import { CORRELATION_KEY, IDEMPOTENCY_KEY } from '../meta-keys';
import type { ProgressReport } from '../progress';
import { boundedValidator } from './bounded-validator';
import { newKnownTools } from './known-tools';
import { answerForms, LEGACY_CAPABILITIES, type LegacyElicitation } from './legacy-elicitation';
import { readRemoteResult } from './remote-result';
import { endingWithCalls, sentCall } from './sent-call';
import { NotSent, openTransport, type Credentials, type McpTransport, type OpenTransport } from './transport';
import { serverUnreachable, withOutput, written } from './unreachable';
import { toDeclaration } from './wire-declaration';

/** Options of {@link connectMcp}. */
export interface ConnectOptions {
  /** What you call the server, for errors. Default: errors do not name it. */
  readonly name?: string;
  readonly transport: McpTransport;
  readonly credentials?: Credentials;
  /** What this client calls itself. Default: `holdpoint`. */
  readonly clientInfo?: ClientInfo;
  /** What the server may ask for with a round of a call. Nothing is offered to servers of earlier revisions. Default: nothing. */
  readonly capabilities?: JsonObject;
  /** Answers the forms that a server of an earlier revision shows while a call is open, and declares `elicitation`. Default: none is offered to it. */
  readonly legacyElicitation?: LegacyElicitation;
  /** Milliseconds that `legacyElicitation` has for each. Default 30,000. */
  readonly legacyElicitationMs?: number;
  /** Told why something that `legacyElicitation` gave counted as `cancel`, without its values. Default: nothing is told. */
  readonly onError?: (error: unknown) => void;
}

/** Options of one call. */
export interface RemoteCallOptions {
  /** Cancels the call; the server is told. */
  readonly signal?: AbortSignal;
  /** Told how far the call is. */
  readonly onProgress?: (report: ProgressReport) => void;
  /** Milliseconds without a sign of life from the server. Default 60,000. */
  readonly timeoutMs?: number;
  /** The promise that a call with the same key is the same call. */
  readonly idempotencyKey?: string;
  readonly correlation?: string;
  /** Goes on with a call that asked for input: the responses to its last round, by key. */
  readonly inputResponses?: Readonly<Record<string, Json>>;
  /** As the server gave it with that round, byte for byte. */
  readonly requestState?: string;
}

/** What a server answered to a call. */
export type RemoteOutcome = { readonly kind: 'result'; readonly result: ToolCallResult } | InputRound;

/** The server wants these answered before it goes on. */
export interface InputRound {
  readonly kind: 'input';
  readonly requests: InputRequests;
  readonly requestState: string | undefined;
}

/** A connection to one server. */
export interface McpConnection {
  /** What the server calls itself. */
  readonly server: ClientInfo | undefined;
  /**
   * Calls a tool by its name there, with arguments as they are sent. Rejects with the SDK's errors, with
   * `SessionEnded`, and with `NotSent`.
   */
  request(tool: string, args: JsonObject, options?: RemoteCallOptions): Promise<RemoteOutcome>;
  /** All tools of the server, in its order. */
  list(): Promise<readonly Declaration[]>;
  /** Settles when the connection has ended, by either side. */
  readonly closed: Promise<void>;
  /** Ends it. */
  close(): Promise<void>;
}

/** The server knows the connection's session no more, as after a restart: it has done nothing, and the connection takes no more calls. */
export class SessionEnded extends Error {
  override readonly name = 'SessionEnded';
}

/** Milliseconds without a sign of life from a server. */
export const DEFAULT_TIMEOUT_MS = 60_000;
const NOT_FOUND = 404;

/**
 * Connects to a server of MCP revision 2026-07-28, or an older one.
 *
 * @throws HoldpointError `Holdpoint.Tool.ServerUnreachable` when the server is not there, is none or refuses: the MCP SDK's
 * error is its `cause`, and the end of what a process wrote to standard error is part of the message.
 */
export async function connectMcp(options: ConnectOptions): Promise<McpConnection> {
  const { clientInfo = { name: 'holdpoint', version: '1' }, capabilities = {}, legacyElicitation } = options;
  const { legacyElicitationMs = DEFAULT_TIMEOUT_MS / 2 } = options;
  const offered = legacyElicitation ? LEGACY_CAPABILITIES : {};
  const client = new Client(
    { ...clientInfo },
    {
      capabilities: { ...offered, ...capabilities },
      versionNegotiation: { mode: 'auto' },
      // A person answers, perhaps tomorrow: the rounds are not for the SDK to go through.
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: boundedValidator,
    },
  );
  if (legacyElicitation)
    answerForms(client, legacyElicitation, {
      timeoutMs: legacyElicitationMs,
      report: (problem) => options.onError?.(problem),
    });
  let end = (): void => undefined;
  const closed = new Promise<void>((resolve) => (end = resolve));
  client.onclose = end;
  let underWay = 0;
  let hasEnded = false;
  const { transport, output } = await opened(client, offered, options);
  const server = client.getServerVersion();
  const known = newKnownTools();
  return {
    server: server && { name: server.name, version: server.version },
    closed,
    async request(tool, args, call = {}) {
      const { inputResponses, requestState, onProgress, signal, timeoutMs = DEFAULT_TIMEOUT_MS } = call;
      if (hasEnded || !client.transport) throw new NotSent('The connection has ended.');
      const toolDefinition = known.forCall(tool);
      const calling = (): Promise<unknown> =>
        client.callTool(
          {
            name: tool,
            arguments: args,
            _meta: metaOf(call),
            ...(inputResponses && { inputResponses }),
            ...(requestState !== undefined && { requestState }),
          },
          {
            allowInputRequired: true,
            timeout: timeoutMs,
            resetTimeoutOnProgress: true,
            onprogress: ({ progress, total, message }) =>
              onProgress?.({
                progress,
                ...(total !== undefined && { total }),
                ...(message !== undefined && { message }),
              }),
            ...(signal && { signal }),
            ...(toolDefinition && { toolDefinition }),
          },
        );
      underWay += 1;
      try {
        const outcome = readRemoteResult(await sentCall(calling));
        if (outcome.kind === 'result') known.check(tool, outcome.result);
        return outcome;
      } catch (error) {
        if (!isSessionEnd(error, transport)) throw await withOutput(error, output);
        hasEnded = true;
        end();
        throw new SessionEnded('The server has ended the session.', { cause: error });
      } finally {
        underWay -= 1;
        // Another call of the session may still get its own answer.
        if (hasEnded && underWay === 0) await client.close();
      }
    },
    async list() {
      const { tools } = await client.listTools().catch(async (error: unknown) => {
        throw await withOutput(error, output);
      });
      known.remember(tools);
      return tools.map(toDeclaration);
    },
    close: () => client.close(),
  };
}

async function opened(
  client: Client,
  offered: JsonObject,
  { name, transport: given, credentials }: ConnectOptions,
): Promise<OpenTransport> {
  let output = (): string => '';
  try {
    const open = openTransport(given, credentials);
    output = open.output;
    const transport = offeringToEarlier(offered, endingWithCalls(open.transport));
    await client.connect(transport);
    return { transport, output };
  } catch (error) {
    await written();
    throw serverUnreachable(name, 'cannot be reached', error, output());
  }
}

/**
 * Servers of earlier revisions are told of the capabilities that something answers in the middle of a call, which no
 * person could be waited for. Later ones read them with each request.
 */
function offeringToEarlier(capabilities: JsonObject, transport: Transport): Transport {
  const send = transport.send.bind(transport);
  transport.send = (message, options) =>
    send(
      isInitializeRequest(message) ? { ...message, params: { ...message.params, capabilities } } : message,
      options,
    );
  return transport;
}

/** Without a session it is the address that is not there. */
function isSessionEnd(error: unknown, { sessionId }: Transport): boolean {
  return error instanceof SdkHttpError && error.status === NOT_FOUND && sessionId !== undefined;
}

function metaOf({ idempotencyKey, correlation }: RemoteCallOptions): Record<string, string> {
  return {
    ...(idempotencyKey !== undefined && { [IDEMPOTENCY_KEY]: idempotencyKey }),
    ...(correlation !== undefined && { [CORRELATION_KEY]: correlation }),
  };
}
