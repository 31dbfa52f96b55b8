import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { cutText } from '../../agent/cut-text';
import { errorMessage, HoldpointError } from '../../agent/errors';

/** Characters of what went wrong: the SDK puts the whole body of a response into its error. */
const MAX_MESSAGE = 1_000;

/** What went wrong, in a length that the engine takes. */
export function briefly(error: unknown): string {
  // Ours are short by themselves, and end with what matters.
  if (error instanceof HoldpointError || error instanceof EndedWithOutput) return error.message;
  const code = error instanceof ProtocolError ? ` (${error.code})` : '';
  return `${cutText(errorMessage(error), MAX_MESSAGE)}${code}`;
}

/** The server cannot be used: it is not there, is none, or does not list its tools. */
export function serverUnreachable(
  server: string | undefined,
  what: 'cannot be reached' | 'does not list its tools',
  error: unknown,
  output = '',
): HoldpointError {
  const name = server === undefined ? 'The MCP server' : `The MCP server ${server}`;
  const reason = briefly(error).replace(/\.$/, '');
  return new HoldpointError(
    'Holdpoint.Tool.ServerUnreachable',
    `${name} ${what}: ${reason}. Check \`transport\` and \`credentials\`.${lastWords(output)}`,
    server === undefined ? {} : { server },
    { cause: error },
  );
}

/** The connection closed, and these were the last words of the process behind it. */
export class EndedWithOutput extends SdkError {
  override readonly name = 'EndedWithOutput';
  constructor(cause: SdkError, output: string) {
    super(SdkErrorCode.ConnectionClosed, `${cause.message}.${lastWords(output)}`);
    this.cause = cause;
  }
}

/** The error of a request, with what its process wrote where it ended. */
export async function withOutput(error: unknown, output: () => string): Promise<unknown> {
  if (!(error instanceof SdkError) || error.code !== SdkErrorCode.ConnectionClosed) return error;
  await written();
  return output() === '' ? error : new EndedWithOutput(error, output());
}

/** What has ended before its connection did is read by then. */
export function written(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function lastWords(output: string): string {
  return output === '' ? '' : ` Its standard error ended with:\n${output}`;
}
