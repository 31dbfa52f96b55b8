import { existsSync, statSync, watch, type FSWatcher } from 'node:fs';
import { dirname, join } from 'node:path';

/** Editors write a file in several steps, and a checkout many files at once. */
const QUIET_MS = 100;
/** Where nothing tells of changes. */
const LOOK_EVERY_MS = 1_000;
const IS_CODE = /\.([cm]?[jt]sx?|json)$/;

/**
 * Watches files and says when one of them has changed. It watches their folders: editors put a new file in the
 * old one's place, which ends a watch of the file itself.
 */
export class FileWatch {
  private readonly folders = new Map<string, FSWatcher>();
  private known = new Map<string, string>();
  /** What must come into being before a folder that is wanted can. */
  private awaited = new Set<string>();
  private anyCode = false;
  private timer: NodeJS.Timeout | undefined;
  private looking: NodeJS.Timeout | undefined;

  constructor(private readonly onChange: () => void) {}

  /**
   * Watches these files from now on, as they are now. With `anyCode`, any file of code in their folders counts:
   * one that could not be loaded may want a file that is not there yet.
   */
  watch(paths: readonly string[], { anyCode }: { readonly anyCode: boolean }): void {
    this.known = new Map(paths.map((path) => [path, stampOf(path)]));
    this.anyCode = anyCode;
    const places = paths.map((path) => nearestFolder(path));
    this.awaited = new Set(places.flatMap(({ awaited }) => awaited ?? []));
    const wanted = new Set(places.map(({ folder }) => folder));
    for (const [folder, watcher] of this.folders) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.folders.delete(folder);
    }
    for (const folder of wanted) if (!this.folders.has(folder)) this.open(folder);
  }

  close(): void {
    clearTimeout(this.timer);
    clearInterval(this.looking);
    for (const watcher of this.folders.values()) watcher.close();
    this.folders.clear();
  }

  private open(folder: string): void {
    let watcher: FSWatcher;
    try {
      watcher = watch(folder, (_, name) => this.see(name === null ? undefined : join(folder, name)));
    } catch {
      // It went a moment ago, or the system has no watch to spare: what is loaded goes on, and is looked at instead.
      this.looking ??= setInterval(() => this.settle(false), LOOK_EVERY_MS).unref();
      return;
    }
    // The folder itself may go; what is loaded goes on.
    watcher.on('error', () => this.folders.delete(folder));
    this.folders.set(folder, watcher);
  }

  private see(path: string | undefined): void {
    if (path !== undefined && !this.concerns(path)) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), QUIET_MS);
  }

  private concerns(path: string): boolean {
    return this.known.has(path) || this.awaited.has(path) || (this.anyCode && IS_CODE.test(path));
  }

  /** A look at a file is an event too: only another time or size is a change. */
  private settle(any = this.anyCode): void {
    const now = new Map([...this.known.keys()].map((path) => [path, stampOf(path)]));
    const changed = [...now].some(([path, stamp]) => this.known.get(path) !== stamp);
    // Told once, however long whoever is told takes to watch anew.
    this.known = now;
    if (changed || any) this.onChange();
  }
}

/** The folder of a file or, where that is not there, the one to wait in, and for what. */
function nearestFolder(path: string): { readonly folder: string; readonly awaited?: string } {
  let awaited = path;
  while (!existsSync(dirname(awaited))) awaited = dirname(awaited);
  return { folder: dirname(awaited), ...(awaited !== path && { awaited }) };
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs} ${stat.size}` : 'gone';
}
