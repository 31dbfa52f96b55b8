import type { Tool } from '@modelcontextprotocol/client';
import { errorMessage } from '../../agent/errors';
import type { JsonSchema } from '../../agent/json';
import { jsonSchemaCheck } from '../../tools/json-schema';
import type { ToolCallResult } from '../bound-tool';
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

type Check = ReturnType<typeof jsonSchemaCheck>;

export function newKnownTools(): KnownTools {
  const tools = new Map<string, Tool>();
  const checks = new Map<string, Check>();
  return {
    remember(listed) {
      tools.clear();
      checks.clear();
      for (const { outputSchema, ...tool } of listed) {
        tools.set(tool.name, tool);
        if (outputSchema) checks.set(tool.name, checkOf(outputSchema as JsonSchema));
      }
    },
    forCall: (name) => tools.get(name),
    check(name, { structuredContent, isError }) {
      const check = checks.get(name);
      if (!check || isError) return;
      if (structuredContent === undefined)
        throw new UnusableResult('It has no structured content, which its output schema wants.');
      const checked = check(structuredContent);
      if (!checked.ok) throw new UnusableResult(`It does not fit its output schema: ${checked.problem}`);
    },
  };
}

/** A schema that cannot be used allows no result, as the tool says nothing that could be relied on. */
function checkOf(schema: JsonSchema): Check {
  try {
    return jsonSchemaCheck(schema);
  } catch (error) {
    const problem = `the schema cannot be used: ${errorMessage(error)}`;
    return () => ({ ok: false, problem });
  }
}
