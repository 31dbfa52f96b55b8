import { createMcpServer, type McpServing } from '../../../src/mcp/server/create-mcp-server';
import { setUpFixture } from './fixture-set-up';
import { fixtureTools } from './fixture-tools';

/** The server that the referee calls, built with our own tools. */
export function conformanceFixture(onError?: (error: unknown) => void): McpServing {
  const serving: McpServing = createMcpServer({
    name: 'holdpoint-conformance',
    version: '1.0.0',
    tools: fixtureTools({
      tools: () => serving.notify.toolsChanged(),
      prompts: () => serving.notify.promptsChanged(),
    }),
    setUp: setUpFixture,
    ...(onError && { onError }),
  });
  return serving;
}
