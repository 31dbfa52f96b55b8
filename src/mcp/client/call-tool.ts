import { HoldpointError } from '../../agent/errors';
import { isRecord } from '../../agent/json';
import type { ContentBlock } from '../content';
import type { Declaration } from '../declaration';
import type { Definition } from '../definition';
import type { ToolError } from '../tool-error';
import type { InputRound, McpConnection, RemoteCallOptions } from './connection';

/** What became of a typed call. */
export type CallOutcome<Output> =
  | { readonly kind: 'complete'; readonly output: Output; readonly content: readonly ContentBlock[] }
  | { readonly kind: 'error'; readonly error: ToolError }
  | InputRound;

/**
 * Calls a tool by the definition that its server was made with: the codecs write the arguments and read the
 * output.
 *
 * ```ts
 * const outcome = await callTool(connection, greet, { name: 'Ada' });
 * if (outcome.kind === 'complete') console.log(outcome.output);
 * ```
 *
 * @throws HoldpointError `Holdpoint.Tool.Mismatch` when the input does not fit the definition, or the result does
 * not: the server was made with another one. Other failures are the MCP SDK's.
 */
export async function callTool<Input, Output>(
  connection: McpConnection,
  definition: Definition<Input, Output>,
  input: Input,
  options: RemoteCallOptions = {},
): Promise<CallOutcome<Output>> {
  const { name, inputCodec, outputCodec } = definition;
  const encoded = await inputCodec.encode(input);
  if (!encoded.ok) throw mismatch(name, 'input', encoded.problem);
  if (!isRecord(encoded.value)) throw mismatch(name, 'input', 'expected an object');
  const outcome = await connection.request(name, encoded.value, options);
  if (outcome.kind === 'input') return outcome;
  const { content, structuredContent, isError } = outcome.result;
  if (isError)
    return {
      kind: 'error',
      error: { content, ...(structuredContent !== undefined && { structuredContent }) },
    };
  if (!outputCodec) return { kind: 'complete', output: content as Output, content };
  const decoded = await outputCodec.decode(structuredContent);
  if (!decoded.ok) throw mismatch(name, 'output', decoded.problem);
  return { kind: 'complete', output: decoded.value, content };
}

/** The declarations of a server's tools, in its order. */
export function listTools(connection: McpConnection): Promise<readonly Declaration[]> {
  return connection.list();
}

function mismatch(name: string, what: 'input' | 'output', problem: string): HoldpointError {
  return new HoldpointError(
    'Holdpoint.Tool.Mismatch',
    `The ${what} of tool ${name} does not fit its definition: ${problem}`,
    { name, what },
  );
}
