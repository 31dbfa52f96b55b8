import { isIPv6 } from 'node:net';
import type { HoldpointClient } from '../../client';
import type { ConfigSource } from '../../config/config';
import { errorMessage } from '../../agent/errors';
import type { HttpLogger } from '../../http/services';
import type { ClientFor, McpServerOptions, McpServing } from '../../mcp';

/** What the server of the API knows that one for MCP needs. */
export type McpParts = Required<
  Pick<McpServerOptions, 'stateKeys' | 'allowedHosts' | 'allowedOrigins' | 'limits' | 'onError'>
> & { readonly client: ClientFor };

/** Makes the server for MCP out of what the server of the API knows. */
export type MakeMcp = (parts: McpParts) => McpServing;

/** Those of the API are before them, and change with the configuration. */
const NO_LIMITS = { calls: Infinity, callsPerCaller: Infinity, bodyBytes: Infinity };

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/** Callers reach the runs of their tenant, states are signed as links are, and the names are those of this server. */
export function mcpParts(
  client: HoldpointClient,
  config: ConfigSource,
  host: string,
  logger: HttpLogger,
): McpParts {
  const listening = isIPv6(host) ? `[${host}]` : host;
  const names = (): string[] => {
    const { publicUrl } = config.current;
    return [...LOCAL, listening, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])];
  };
  return {
    client: (principal) => client.forTenant(principal?.tenant ?? null),
    stateKeys: () => config.current.signingKeys,
    allowedHosts: names,
    allowedOrigins: names,
    limits: NO_LIMITS,
    onError: (error) => logger.warn({ route: '/mcp' }, errorMessage(error)),
  };
}
