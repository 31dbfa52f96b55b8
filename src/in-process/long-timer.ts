/** A timer set for longer than this fires at once. */
const LONGEST_MS = 2_147_483_647;

/** A timer that can be set again, for any instant. */
export class LongTimer {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly onTime: () => void) {}

  /** Fires once, at this instant in milliseconds since the epoch; `undefined` stops it. */
  set(at: number | undefined): void {
    clearTimeout(this.timer);
    if (at === undefined) return;
    const left = Math.max(0, at - Date.now());
    const onTime = () => (left > LONGEST_MS ? this.set(at) : this.onTime());
    this.timer = setTimeout(onTime, Math.min(left, LONGEST_MS));
  }
}
