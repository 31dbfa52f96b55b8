import { HoldpointError } from '../../src/agent/errors';

/** The HoldpointError that `work` rejects with; fails the test for anything else. */
export async function caught(work: Promise<unknown>): Promise<HoldpointError> {
  const outcome = await work.then(
    () => 'it resolved',
    (error: unknown) => error,
  );
  if (outcome instanceof HoldpointError) return outcome;
  throw new Error('Expected a HoldpointError', { cause: outcome });
}
