/** The tools on standard input and output, for clients that start their servers themselves. */
import { createMcpServer } from 'holdpoint/mcp';
import { tools } from './tools';

createMcpServer({ name: 'greetings', version: '1.0.0', tools }).stdio();
