import { createInterface, type Interface } from 'node:readline/promises';
import { interrupted } from './command-error';

/** Asks questions on the terminal. Ctrl-C and Ctrl-D end the asking: nothing is answered then. */
export class TerminalPrompt {
  private readonly lines: Interface;
  private readonly closed = new AbortController();

  constructor() {
    this.lines = createInterface({ input: process.stdin, output: process.stdout });
    this.lines.once('close', () => this.closed.abort());
    this.lines.once('SIGINT', () => this.lines.close());
  }

  /** A line as it was typed. `prefilled` stands there to be edited. */
  async ask(question: string, prefilled = ''): Promise<string> {
    try {
      const reply = this.lines.question(question, { signal: this.closed.signal });
      if (prefilled !== '') this.lines.write(prefilled);
      return await reply;
    } catch {
      throw interrupted('Nothing was answered; the run still waits.');
    }
  }

  /** A line of ours between two questions. */
  say(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  [Symbol.dispose](): void {
    this.lines.close();
  }
}
