import type { TLSConfig } from '@temporalio/common/lib/internal-non-workflow';
import { loadClientConnectConfig, type ClientConnectConfig } from '@temporalio/envconfig';

export const DEFAULT_NAMESPACE = 'default';
/** Task queue of workers and clients that name none. */
export const DEFAULT_TASK_QUEUE = 'holdpoint';
export const DEFAULT_ADDRESS = '127.0.0.1:7233';

/** Where the Temporal server is and how to get in, as worker and client take it. */
export interface ConnectOptions {
  /** `host:port`. Default: `TEMPORAL_ADDRESS`, the profile in Temporal's TOML file, or `127.0.0.1:7233`. */
  readonly address?: string;
  /** Default: `TEMPORAL_NAMESPACE`, the profile's, or `default`. */
  readonly namespace?: string;
  /** `true`, or certificates for mutual TLS. Default: as configured, and on when there is an API key. */
  readonly tls?: TLSConfig | boolean;
  /** Temporal Cloud's API key. Default: `TEMPORAL_API_KEY` or the profile's. */
  readonly apiKey?: string;
}

/** The same with every default filled in. */
export interface ConnectTarget {
  readonly address: string;
  readonly namespace: string;
  readonly tls?: TLSConfig | boolean;
  readonly apiKey?: string;
  /** Headers of every request, as a profile may name them. */
  readonly metadata?: Record<string, string | Buffer>;
}

/**
 * What was given, then what is configured (environment or TOML file), then the defaults. A configured
 * profile holds credentials for its own server: given another address, none of it is used.
 */
export function toConnectTarget(given: ConnectOptions): ConnectTarget {
  const loaded = loadClientConnectConfig();
  const configuredAddress = loaded.connectionOptions.address;
  const isItsServer =
    given.address === undefined || configuredAddress === undefined || configuredAddress === given.address;
  const configured: Partial<ClientConnectConfig['connectionOptions']> = isItsServer
    ? loaded.connectionOptions
    : {};
  const apiKey = given.apiKey ?? configured.apiKey;
  const tls = given.tls ?? configured.tls ?? (apiKey === undefined ? undefined : true);
  return {
    address: given.address ?? configuredAddress ?? DEFAULT_ADDRESS,
    namespace: given.namespace ?? (isItsServer ? loaded.namespace : undefined) ?? DEFAULT_NAMESPACE,
    ...(tls !== undefined && { tls }),
    ...(apiKey !== undefined && { apiKey }),
    ...(configured.metadata && { metadata: configured.metadata }),
  };
}
