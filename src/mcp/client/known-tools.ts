import type { Tool } from '@modelcontextprotocol/client';
import type { JsonSchema } from '../../agent/json';
import type { ToolCallResult } from '../bound-tool';
import { boundedProblem } from '../bounded-problem';
import { UnusableResult } from './remote-result';

/** What a server listed, for the calls of its tools. */
export interface KnownTools {
  remember(tools: readonly Tool[]): void;
  /**
   * What the SDK needs of a tool, to mirror arguments in headers: without its output schema, by which the SDK would
   * judge a round that asks for input as a result.
   */
  forCall(name: string): Tool | undefined;
  /** Throws {@link UnusableResult} for a result that its tool's output schema does not allow. */
  check(name: string, result: ToolCallResult): void;
}

export function newKnownTools(): KnownTools {
  const tools = new Map<string, Tool>();
  const schemas = new Map<string, JsonSchema>();
  return {
    remember(listed) {
      tools.clear();
      schemas.clear();
      for (const { outputSchema, ...tool } of listed) {
        tools.set(tool.name, tool);
        if (outputSchema) schemas.set(tool.name, outputSchema as JsonSchema);
      }
    },
    forCall: (name) => tools.get(name),
    check(name, { structuredContent, isError }) {
      const schema = schemas.get(name);
      if (!schema || isError) return;
      if (structuredContent === undefined)
        throw new UnusableResult('It has no structured content, which its output schema wants.');
      const problem = boundedProblem(schema, structuredContent);
      if (problem !== undefined) throw new UnusableResult(`It does not fit its output schema: ${problem}`);
    },
  };
}
