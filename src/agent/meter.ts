/**
 * How much a check may look at, in all. Time cannot be measured in a workflow, whose decisions must come out the
 * same each time that its history is replayed; looks can be counted.
 */
export class Meter {
  constructor(private left: number) {}

  /** Throws once more was spent than there was; what the check would have found is then not known. */
  spend(looks: number): void {
    this.left -= looks;
    if (this.left < 0) throw new Error('The check takes too long.');
  }
}

/**
 * A view of a JSON value that counts each look at one of its parts. It can be handed to code that knows nothing
 * of meters, such as a schema validator, which then ends when the meter does.
 *
 * @param weight what a look costs that found something; default 1. More, where each finding causes more work.
 */
export function metered<T extends object>(value: T, meter: Meter, weight = 1): T {
  const views = new WeakMap<object, object>();
  const viewOf = (part: object): object => {
    const known = views.get(part);
    if (known) return known;
    const view = new Proxy(part, {
      get(target, key): unknown {
        const found: unknown = Reflect.get(target, key);
        meter.spend(found === undefined ? 1 : weight);
        return typeof found === 'object' && found !== null ? viewOf(found) : found;
      },
      ownKeys(target) {
        const keys = Reflect.ownKeys(target);
        meter.spend(keys.reduce((looks, key) => looks + 1 + String(key).length / 64, 0));
        return keys;
      },
    });
    views.set(part, view);
    return view;
  };
  return viewOf(value) as T;
}
