/**
 * The sentences that stand in a transcript as results where no tool gave one. Models read them, users
 * match them: they are part of the contract.
 */

/** The prompt of a relay request, and of each call in it (R20). */
export function relayPrompt(name: string): string {
  return `relay tool call ${name} to the caller for execution`;
}

const PLAIN_REASONS = ['', 'declined', 'expired', 'cancelled'];

/** The result of a call whose request was not approved (R25). */
export function declinedText(prompt: string, reason = ''): string {
  const plain = `declined/expired: ${prompt}`;
  return PLAIN_REASONS.includes(reason) ? plain : `${plain}\nreason: ${reason}`;
}

/** A host's final delivery left this call out (R23). */
export function missingResultText(name: string): string {
  return `no result supplied on resume for ${name}`;
}

/** A tool suspended again after its answer (R28). */
export function unresolvedText(firstPrompt: string): string {
  return `unresolved: ${firstPrompt}`;
}

/** Nobody knows whether the call took effect, and nobody is asked (R33). */
export function unknownOutcomeText(name: string, why: string): string {
  return `outcome unknown: ${name} may or may not have run (${why}). Check before you call it again.`;
}

/** The question about such a call (R33). */
export function reconcilePrompt(name: string, why: string): string {
  return `The outcome of ${name} is unknown (${why}). Did it run, and what was its result?`;
}

/** The call was still to run when its run stopped (R34). */
export function notRunText(name: string, why: string): string {
  return `not run: ${name} (${why})`;
}

/** The call had asked for input when its run stopped: what it did before that is done (R34). */
export function notFinishedText(name: string, why: string): string {
  return `not finished: ${name} (${why}), which had begun and asked for input`;
}

/** The run has no room for the call's question: it was not asked, and the call not handed on (R20, R26). */
export function noRoomText(name: string, max: number): string {
  return `not asked: the request of ${name} is too large. A run's open requests have at most ${max} bytes in all. Pass less, or a reference.`;
}

/** Whether a result says that its call did not run: nobody approved it, or its run stopped before. */
export function saysNotRun(output: string): boolean {
  return output.startsWith('declined/expired: ') || output.startsWith('not run: ');
}

/** A tool that goes on asking would keep a person busy for ever. */
export function tooManyRoundsText(name: string, max: number): string {
  return `unresolved: ${name} asked for input more than ${max} times.`;
}

/** An approver changed what ran, and the model is told (R28). */
export function editedText(input: unknown, output: string): string {
  return `The approver changed the arguments to ${JSON.stringify(input)}.\n${output}`;
}
