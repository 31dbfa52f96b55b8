import { HoldpointError } from '../agent/errors';

/** The command was not given what it needs; `remedy` says what to give, as a sentence. */
export function usageError(problem: string, remedy = ''): HoldpointError {
  return new HoldpointError('Holdpoint.Command.Usage', `${problem} ${remedy}`.trim());
}

/** A file that should export agents does not; `problem` and `remedy` are sentences. */
export function fileError(file: string, problem: string, cause?: unknown): HoldpointError {
  return new HoldpointError('Holdpoint.Command.InvalidFile', problem, { file }, { cause });
}

/** Ctrl-C ended the waiting; `goesOn` says what goes on without us. */
export function interrupted(goesOn = 'Stopped.'): HoldpointError {
  return new HoldpointError('Holdpoint.Command.Interrupted', goesOn);
}
