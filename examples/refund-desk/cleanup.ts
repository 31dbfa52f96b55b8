type Step = () => Promise<void>;

/** What must be undone when the demo ends, newest first, however it ends. */
export class Cleanup {
  #steps: Step[] = [];
  #running: Promise<void> | undefined;

  add(step: Step): void {
    this.#steps.push(step);
  }

  /** Undoes everything, once. A step that fails does not keep the others from running. */
  run(): Promise<void> {
    return (this.#running ??= this.#undo());
  }

  async #undo(): Promise<void> {
    for (const step of this.#steps.reverse()) await step().catch((error: unknown) => console.error(error));
  }
}
