import type { ToolContext } from '../../../src';
import type { BoundTool } from '../../../src/mcp';

export declare const tools: readonly BoundTool[];
export declare const refundTool: BoundTool<ToolContext>;
