/**
 * One look at a run for all who ask at the same moment. While the run is at work the server keeps a single query
 * waiting and refuses the others, which then come back a second later at the earliest.
 */
export class SharedLooks<T> {
  private readonly looks = new Map<string, { readonly now: Promise<T>; next?: Promise<T> }>();

  /** A look that begins after this call: never one that is under way, which may have missed what came since. */
  look(workflowId: string, take: () => Promise<T>): Promise<T> {
    const known = this.looks.get(workflowId);
    if (!known) return this.begin(workflowId, take);
    known.next ??= this.after(known.now, workflowId, take);
    return known.next;
  }

  private after(now: Promise<T>, workflowId: string, take: () => Promise<T>): Promise<T> {
    const begin = (): Promise<T> => this.begin(workflowId, take);
    const next = now.then(begin, begin);
    // Whoever stood in line may have gone: nobody need be there to see it fail.
    next.catch(() => undefined);
    return next;
  }

  private begin(workflowId: string, take: () => Promise<T>): Promise<T> {
    const look: { readonly now: Promise<T>; next?: Promise<T> } = { now: take() };
    this.looks.set(workflowId, look);
    const end = (): void => {
      // With others in line, the next look has taken this one's place, or is about to.
      if (this.looks.get(workflowId) === look && !look.next) this.looks.delete(workflowId);
    };
    look.now.then(end, end);
    return look.now;
  }
}
