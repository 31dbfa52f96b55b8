import type { McpServer } from '@modelcontextprotocol/server';
import type { SigningKey } from '../../config/config';
import type { BoundTool } from '../bound-tool';
import type { HoldpointClient } from '../../client/holdpoint-client';
import type { InvocationLimits } from '../invoke';
import type { McpLimits } from './call-limits';
import type { OutcomeStore } from './outcome-store';
import type { ClientFor, ServedAgent } from './serve-agent';

/** Who calls. Two callers of one id and tenant are one: they may go on with each other's calls. */
export interface McpPrincipal {
  /** Such as the name of a key or the subject of a token: the `by` of what they answer. Never shown to clients. */
  readonly id: string;
  /** Whose runs they reach, for your `client` function and to tell apart who has the same id elsewhere. */
  readonly tenant?: string;
  /**
   * Whether they may answer what their runs wait on: otherwise nothing is asked at their client, and somebody else
   * answers. Default true.
   */
  readonly mayAnswer?: boolean;
}

/** What the context of a call is made from. */
export interface McpRequest {
  /** Undefined where nobody is told apart, as over stdio. */
  readonly principal: McpPrincipal | undefined;
  /** Undefined over stdio. */
  readonly headers: Headers | undefined;
}

/** Options of `createMcpServer`. */
export interface McpServerOptions<Context = undefined> extends InvocationLimits {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  /** Told to clients: what the server is for. */
  readonly instructions?: string;
  /** In the order in which they are listed. Their names differ. */
  readonly tools?: readonly BoundTool<Context>[];
  /** Agents that are served as tools, listed after the tools: a call is a run. They need `client`. */
  readonly agents?: readonly ServedAgent[];
  /** Starts and answers the runs of agents; a function gives the client of a caller's tenant. */
  readonly client?: HoldpointClient | ClientFor;
  /**
   * Milliseconds that a call of an agent waits for its run. Then a caller with an idempotency key calls again, and one
   * without gets a state that goes on with the run and asks nothing. Default 600,000.
   */
  readonly runWaitMs?: number;
  /** Makes what handlers read as `call.context`. Default: undefined. */
  readonly context?: (request: McpRequest) => Context | Promise<Context>;
  /**
   * Tells over HTTP who calls, from the request's headers; undefined: nobody, and the call is refused with
   * 401. Default: everybody may call, as the same principal.
   */
  readonly auth?: (headers: Headers) => Promise<McpPrincipal | undefined>;
  /**
   * Milliseconds between two times that `auth` is asked about a client that listens for changes; its stream ends when
   * it is somebody else or nobody. Default 15,000.
   */
  readonly recheckMs?: number;
  /**
   * Hostnames, without ports, that HTTP requests may be sent to; a function is asked at each. Default: those of this
   * machine.
   */
  readonly allowedHosts?: readonly string[] | (() => readonly string[]);
  /**
   * Hostnames of pages that may call; a function is asked at each request. A request without `Origin` comes from no
   * page. Default: those of this machine.
   */
  readonly allowedOrigins?: readonly string[] | (() => readonly string[]);
  /**
   * Keys for the states of calls that wait for input. With the same keys any process goes on with a call.
   * Default, and while none of them signs: a key of this process.
   */
  readonly stateKeys?: () => readonly SigningKey[];
  /** How long a client may take to answer a round. Default 3,600. */
  readonly stateTtlSeconds?: number;
  /**
   * Where outcomes of typed tools are kept for calls that come again with their idempotency key. In a store that
   * several processes share each finds what the others finished; a call under way is joined in its own process only.
   * Default: `memoryOutcomes()`.
   */
  readonly outcomes?: OutcomeStore;
  /** How long they are kept. Default 86,400: a day. */
  readonly outcomeTtlSeconds?: number;
  /**
   * How much is served at once. A call beyond it is refused with the code 429, and `data.retryAfterSeconds` says when to
   * call again; a body beyond it with the HTTP status 413.
   */
  readonly limits?: McpLimits;
  /** Adds prompts, resources and completions, on the server of the MCP SDK that each connection gets. */
  readonly setUp?: (server: McpServer) => void;
  /** Told what went wrong: inside a handler, or with a request. Default: nothing is told. */
  readonly onError?: (error: unknown) => void;
}
