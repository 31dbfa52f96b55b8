import { errorMessage, HoldpointError, type ErrorInfo } from '../agent/errors';
import { inCommandWords, nextStep } from './command-words';
import { exitOfError, type ExitCode } from './exit-codes';
import { styleFor, type Style } from './style';
import { visible, visibleJson } from '../agent/visible-text';

/** What a command writes, for a person or for a program. */
export interface Output {
  readonly json: boolean;
  /** For text on standard output. */
  readonly style: Style;
  /** The command's one result: `value` as JSON, or `text` for a person. */
  result(value: object, text: string | readonly string[]): void;
  /** One entry of a stream: a line of JSON, or text. */
  entry(value: object, text: string): void;
  /** What a person may want to know beside the result. On standard error, and never with --json. */
  note(text: string): void;
  /** What the reader should know now, whoever reads the result. On standard error. */
  warning(text: string): void;
  /** Tells what went wrong, on standard error and with --json on standard output too. Gives the exit code. */
  failure(error: unknown): ExitCode;
}

export interface OutputOptions {
  readonly json?: boolean;
}

export function newOutput({ json = false }: OutputOptions): Output {
  const style = styleFor(process.stdout);
  const onError = styleFor(process.stderr);
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  const printError = (text: string): void => {
    try {
      process.stderr.write(`${text}\n`);
    } catch {
      // A file on a full disk throws. What is under way does not end for want of a remark.
    }
  };
  return {
    json,
    style,
    result(value, text) {
      // A program at the other end reads either; a person who asked for JSON reads this.
      if (json) return print(visibleJson(value, process.stdout.isTTY ? 2 : undefined));
      const lines = typeof text === 'string' ? text : text.join('\n');
      if (lines !== '') print(lines);
    },
    entry(value, text) {
      print(json ? visibleJson(value) : text);
    },
    note(text) {
      if (!json) printError(onError.dim(text));
    },
    warning(text) {
      printError(`${onError.yellow('holdpoint:')} ${visible(text)}`);
    },
    failure(error) {
      const { info, code } = describeFailure(error);
      printError(`${onError.red('holdpoint:')} ${visible(info.message)}`);
      if (process.env['HOLDPOINT_DEBUG'] && error instanceof Error) printError(visible(stackOf(error)));
      if (json) print(visibleJson({ error: info }));
      return code;
    },
  };
}

/** An error as a sentence with a remedy, its type, and the exit code that goes with it. */
export function describeFailure(error: unknown): { readonly info: ErrorInfo; readonly code: ExitCode } {
  if (!(error instanceof HoldpointError)) return unforeseen(error);
  const { type, data } = error;
  const next = nextStep(type);
  const message = inCommandWords(error.message) + (next === undefined ? '' : ` ${next}`);
  return {
    info: { type, message, ...(Object.keys(data).length > 0 && { data }) },
    code: exitOfError(type, data),
  };
}

function unforeseen(error: unknown): { readonly info: ErrorInfo; readonly code: ExitCode } {
  const type = 'Holdpoint.Command.Failed';
  const message = `${errorMessage(error)} (Nobody foresaw this error: HOLDPOINT_DEBUG=1 shows where it comes from.)`;
  return { info: { type, message }, code: exitOfError(type) };
}

function stackOf(error: Error): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error ? `${own}\nCaused by ${stackOf(error.cause)}` : own;
}
