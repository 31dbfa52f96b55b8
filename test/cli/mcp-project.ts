import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { newProject, type Project } from './project';

const TOOLS = `
import { complete, define, handle, handleCall, ok, requestInput, withReadOnlyHint } from 'holdpoint/mcp';
import { defineAgent, defineTool } from 'holdpoint';
import { z } from 'zod';

const greet = withReadOnlyHint(define('greet', z.object({ name: z.string() }), z.string()), true);
const book = define('book', z.object({}), z.string());
const seat = { type: 'object', properties: { seat: { type: 'string' } }, required: ['seat'] };

export const tools = [
  handle(greet, ({ name }) => {
    console.log('greets', name);
    return ok('Hello, ' + name + '!');
  }),
  handleCall(book, ({ inputResponses: { seat: answer } }) =>
    ok(
      answer
        ? complete('Booked ' + answer.content.seat)
        : requestInput({ seat: { method: 'elicitation', params: { message: 'Which seat?', requestedSchema: seat } } }),
    ),
  ),
];
const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order',
  inputSchema: z.object({ order: z.number() }),
  needsApproval: true,
  execute: ({ order }) => 'refunded ' + order,
});
export const desk = defineAgent({ name: 'desk', model: 'scripted', tools: [refund] });
`;

/** A project with typed tools alone, and one file more with an agent beside them. */
export function newMcpProject(): Project {
  const project = newProject('module', {
    'desk.ts': TOOLS,
    'tools.ts': "export { tools } from './desk.ts';\n",
    'agents.ts':
      "import { desk } from './desk.ts';\nexport { tools } from './desk.ts';\nexport const agents = [desk];\n",
    'served.ts':
      "export { tools } from './desk.ts';\nexport const mcpAgents = [{ agent: 'desk', description: 'Helps with orders' }];\n",
  });
  symlinkSync(join(__dirname, '../../node_modules/zod'), join(project.folder, 'node_modules/zod'));
  return project;
}
