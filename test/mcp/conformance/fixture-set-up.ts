import { inputRequired, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PNG } from './fixture-tools';

/** What the referee reads beside tools: prompts, resources and completions, on the server of the SDK. */
export function setUpFixture(mcp: McpServer): void {
  setUpResources(mcp);
  setUpPrompts(mcp);
  mcp.server.registerCapabilities({ completions: {} });
  mcp.server.setRequestHandler('completion/complete', async () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}

function setUpResources(mcp: McpServer): void {
  mcp.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, async ({ href }) => ({
    contents: [
      { uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }));
  mcp.registerResource(
    'static-binary',
    'test://static-binary',
    { mimeType: 'image/png' },
    async ({ href }) => ({
      contents: [{ uri: href, mimeType: 'image/png', blob: PNG }],
    }),
  );
  mcp.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    async ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
}

function setUpPrompts(mcp: McpServer): void {
  const says = (text: string): { role: 'user'; content: { type: 'text'; text: string } } => ({
    role: 'user',
    content: { type: 'text', text },
  });
  mcp.registerPrompt('test_simple_prompt', { description: 'A simple prompt' }, async () => ({
    messages: [says('This is a simple prompt for testing.')],
  }));
  mcp.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Two arguments', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    async ({ arg1, arg2 }) => ({
      messages: [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  );
  mcp.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A resource', argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: {
              uri: resourceUri,
              mimeType: 'text/plain',
              text: 'Embedded resource content for testing.',
            },
          },
        },
        says('Please process the embedded resource above.'),
      ],
    }),
  );
  mcp.registerPrompt('test_prompt_with_image', { description: 'An image' }, async () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      says('Please analyze the image above.'),
    ],
  }));
  mcp.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks first' },
    async ({ mcpReq }) => {
      if (mcpReq.inputResponses?.['user_context'] !== undefined) return { messages: [says('done')] };
      return inputRequired({
        inputRequests: {
          user_context: inputRequired.elicit({
            message: 'What context should the prompt use?',
            requestedSchema: {
              type: 'object',
              properties: { context: { type: 'string' } },
              required: ['context'],
            },
          }),
        },
      });
    },
  );
}
