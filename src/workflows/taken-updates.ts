import { currentUpdateInfo } from '@temporalio/workflow';
import type { CarriedConversation } from '../agent/wire';

const MAX_TAKEN = 100;

/**
 * Carries each update out once. A sender that lost the reply sends it again under the same id, which the
 * server recognises only until the workflow continues as new.
 */
export class TakenUpdates {
  constructor(private readonly kept: CarriedConversation) {}

  /** For validators: what was carried out already is not judged again. */
  unlessTaken(judge: () => void): void {
    if (!this.find()) judge();
  }

  /** Does the work of the update at hand, or gives what the first one of its id got. */
  once<T>(work: () => T): T {
    const known = this.find();
    if (known) return known.outcome as T;
    const outcome = work();
    const id = currentUpdateInfo()?.id;
    if (id !== undefined) this.kept.taken = [...this.kept.taken, { id, outcome }].slice(-MAX_TAKEN);
    return outcome;
  }

  private find() {
    const id = currentUpdateInfo()?.id;
    return this.kept.taken.find((update) => update.id === id);
  }
}
