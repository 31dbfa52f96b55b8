/** What a closed pipe and a closed terminal answer. */
const GONE: readonly unknown[] = ['EPIPE', 'EIO'];

/**
 * Has the process go on, or end in its own way, when nobody takes its output any more: Node would end it with a stack,
 * and with it whatever is under way. A reader that has enough, such as `head`, is no error of ours: without it a command
 * ends, and one with something to end first, which listens for a hang-up, is told of one.
 */
export function endWithReader(): void {
  let told = false;
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!GONE.includes(error.code)) throw error;
    if (process.listenerCount('SIGHUP') === 0) process.exit();
    if (!told) process.emit('SIGHUP');
    told = true;
  });
}

/** The same for a process whose output is somebody else's: it ends when that one does. */
export function ignoreLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
