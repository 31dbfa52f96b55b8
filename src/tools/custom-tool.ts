import { isRecord, type JsonObject } from '../agent/json';
import type { Tool, ToolContext, ToolResult } from '../agent/tool';
import { buildTool, notATool, TOOL_OPTIONS, type ToolParts } from './build-tool';
import type { ToolOptions } from './define-tool';
import type { SchemaInput } from './schema';

/** A tool written as a literal: its `execute` takes the checked arguments and returns the whole result. */
export interface CustomTool extends Omit<ToolOptions<SchemaInput>, 'execute' | 'needsApproval'> {
  readonly source?: 'custom';
  /** Gives the whole result; what it throws becomes an error result. */
  readonly execute: (args: JsonObject, ctx: ToolContext) => ToolResult | Promise<ToolResult>;
}

/**
 * A tool as it is, or a literal made one. The same checks as `defineTool`.
 *
 * @throws HoldpointError `Holdpoint.Tool.InvalidDefinition`
 */
export function toTool(given: Tool | CustomTool): Tool {
  if (!isRecord(given)) throw notATool('a tool');
  if (isTool(given)) return given;
  const { source, ...parts }: CustomTool = given;
  if (source !== undefined && source !== 'custom')
    throw notATool(`tool ${given.name} of source ${String(source)}`);
  return buildTool(parts satisfies ToolParts, 'custom', TOOL_OPTIONS);
}

function isTool(given: Tool | CustomTool): given is Tool {
  return 'checkInput' in given;
}
