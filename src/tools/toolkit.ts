import { HoldpointError } from '../agent/errors';
import type { Tool } from '../agent/tool';
import { toTool, type CustomTool } from './custom-tool';
import { Definition } from './definition';
import { questionTool } from './question-tool';
import { refuseClashes } from './tool-clashes';

/** Options of {@link createToolkit}. */
export interface ToolkitOptions {
  readonly tools?: readonly (Tool | CustomTool)[];
  /** Adds the built-in tool `question`. The names of the other built-in tools are reserved all the same. Default false. */
  readonly builtins?: boolean;
}

/** A set of tools with distinct names. Iterates in the order they were added. */
export class Toolkit implements Iterable<Tool> {
  #tools: readonly Tool[] = [];
  #closed = false;

  /** Adds all of the tools or, when one clashes, none (R6). */
  add(...tools: readonly (Tool | CustomTool)[]): this {
    if (this.#closed)
      throw new HoldpointError(
        'Holdpoint.Tool.InvalidDefinition',
        'The toolkit is closed. Create another one.',
      );
    const all = [...this.#tools, ...tools.map(toTool)];
    refuseClashes(all, 'the toolkit');
    this.#tools = all;
    return this;
  }

  /** The tool of this name. */
  get(name: string): Tool | undefined {
    return this.#tools.find((tool) => tool.name === name);
  }

  /** All tools, in the order they were added. */
  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** True once `close` was called. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The tools, in the order they were added. */
  [Symbol.iterator](): Iterator<Tool> {
    return this.#tools[Symbol.iterator]();
  }

  /** Releases what the tools hold. A closed toolkit takes no more tools and starts no more runs. */
  async close(): Promise<void> {
    this.#closed = true;
  }
}

/**
 * A toolkit for in-process runs and for sharing tools between agents.
 *
 * ```ts
 * const toolkit = createToolkit({ tools: [lookup, relayTool({ name: 'stock', description: 'Units in stock' })] });
 * const result = await client.run('Is it in stock?', toolkit);
 * ```
 *
 * @throws HoldpointError `Holdpoint.Tool.Clash`, `Holdpoint.Tool.InvalidDefinition`
 */
export function createToolkit(options: ToolkitOptions = {}): Toolkit {
  const definition = new Definition(
    'the toolkit',
    options,
    ['tools', 'builtins'],
    'Holdpoint.Tool.InvalidDefinition',
  );
  definition.expect('tools', 'an array', Array.isArray);
  definition.expect('builtins', 'a boolean', (value) => typeof value === 'boolean');
  return new Toolkit().add(...(options.builtins ? [questionTool()] : []), ...(options.tools ?? []));
}
