/** A program that connects to a server that does not start, and prints its own error. */
import { connectMcp } from '../../src/mcp/client/connection';

const script = "console.error('No database here'); process.exit(1)";
connectMcp({
  transport: { type: 'stdio', command: process.execPath, args: ['-e', script], stderr: 'inherit' },
}).catch((error: unknown) => console.log(String(error)));
