/** A program whose one tool asks for a seat. */
import { createMcpServer } from '../../src/mcp/server/create-mcp-server';
import { askingTool, form } from './asking-tool';

const { tool } = askingTool([{ seat: form }]);
createMcpServer<never>({ name: 'seats', version: '1.0.0', tools: [tool] }).stdio();
