import { HoldpointError } from '../../agent/errors';
import type * as mcp from '../../mcp';

const PACKAGES = ['@modelcontextprotocol/server', '@modelcontextprotocol/client'];

/** `holdpoint/mcp`, whose packages not every installation has. Throws `Holdpoint.Mcp.NotInstalled`. */
export async function loadMcp(): Promise<typeof mcp> {
  try {
    return await import('../../mcp.js');
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new HoldpointError(
      'Holdpoint.Mcp.NotInstalled',
      `The packages for MCP are not installed. Install them: npm install ${PACKAGES.join(' ')}`,
      { packages: PACKAGES },
      { cause: error },
    );
  }
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return (
    String(error.code).endsWith('MODULE_NOT_FOUND') && PACKAGES.some((name) => error.message.includes(name))
  );
}
