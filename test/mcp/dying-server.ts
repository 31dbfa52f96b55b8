/** A program whose one tool says why and ends it in the middle of a call. */
import { z } from 'zod';
import { handle } from '../../src/mcp/bound-tool';
import { define } from '../../src/mcp/definition';
import { createMcpServer } from '../../src/mcp/server/create-mcp-server';

createMcpServer({
  name: 'dying',
  version: '1.0.0',
  tools: [
    handle(define('die', z.object({}), z.string()), () => {
      process.stderr.write('The disk is full\n', () => process.exit(1));
      return new Promise(() => undefined);
    }),
  ],
}).stdio();
