import type { McpPrincipal } from '../../../src/mcp';

/** Knows whose token a header holds. */
export declare function callerOf(authorization: string | null): Promise<McpPrincipal | undefined>;
