import { readCompose, startOrder, type ComposeFile } from '../compose-file';
import type { Variables } from '../interpolate';
import { Container } from './container';
import { toRecipe, type Place } from './recipes';
import { step } from './say';

/** The services of the compose file, run as processes. */
export class Stack {
  private constructor(private readonly containers: ReadonlyMap<string, Container>) {}

  /** Reads the file with these variables; nothing is started yet. */
  static async of(file: string, variables: Variables, place: Place): Promise<Stack> {
    const compose: ComposeFile = readCompose(file, variables);
    const containers = new Map<string, Container>();
    for (const name of startOrder(compose)) {
      const service = compose.services[name];
      if (service) containers.set(name, new Container(name, service, await toRecipe(name, service, place)));
    }
    return new Stack(containers);
  }

  /** Each one once those that it waits for are healthy, or have ended well. */
  async up(): Promise<void> {
    for (const [name, container] of this.containers) await step(`${name} is up`, () => container.start());
  }

  /** Runs the services again that end by themselves, as the next `docker compose up` does. */
  async upAgain(): Promise<void> {
    for (const container of this.containers.values()) if (container.endsByItself) await container.start();
  }

  async restart(...names: readonly string[]): Promise<void> {
    const chosen = [...this.containers.values()].filter(({ name }) => names.includes(name));
    for (const container of [...chosen].reverse()) await container.stop();
    for (const container of chosen) await container.start();
  }

  async exec(service: string, command: string): Promise<string> {
    return this.containers.get(service)?.exec(command) ?? `There is no service ${service}`;
  }

  /** In the opposite order; throws when one did not end well in its time. */
  async down(): Promise<void> {
    for (const [name, container] of [...this.containers].reverse())
      if (!container.endsByItself) await step(`${name} is down`, () => container.stop());
  }
}
