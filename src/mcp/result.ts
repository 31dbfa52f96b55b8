/** What a handler made of a call: its output, or its own error. */
export type Result<Output, Failure> = Ok<Output> | Failed<Failure>;

/** A handler's success. */
export interface Ok<Output> {
  readonly ok: true;
  readonly output: Output;
}

/** A handler's failure. */
export interface Failed<Failure> {
  readonly ok: false;
  readonly error: Failure;
}

/** A success with `output`. */
export function ok<Output>(output: Output): Ok<Output> {
  return { ok: true, output };
}

/** A failure with `error`. What of it a client gets to see depends on how the handler is bound. */
export function failed<Failure>(error: Failure): Failed<Failure> {
  return { ok: false, error };
}
