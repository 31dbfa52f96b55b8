/** A program that serves one tool over its standard input and output. */
import { z } from 'zod';
import { handle } from '../../src/mcp/bound-tool';
import { define } from '../../src/mcp/definition';
import { ok } from '../../src/mcp/result';
import { createMcpServer } from '../../src/mcp/server/create-mcp-server';
import { withDescription, withReadOnlyHint } from '../../src/mcp/setters';

const greet = withReadOnlyHint(
  withDescription(define('greet', z.object({ name: z.string() }), z.string()), 'Greets the user by name'),
  true,
);

createMcpServer({
  name: 'greetings',
  version: '1.0.0',
  tools: [handle(greet, ({ name }) => ok(`Hello, ${name}!`))],
}).stdio();
