/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { INPUT_KIND } from '../agent/question';
import type { Request } from '../agent/request';
import { Text } from './text';

/** Who asks in the middle of a call. */
export interface Asking {
  readonly tool: string;
  /** The MCP server that has the tool; absent for one of the worker's own. */
  readonly server?: string;
}

/** The tool that asks; undefined where it is the agent, or nobody says. */
export function askerOf({ kind, data }: Request): Asking | undefined {
  const { tool, server } = data ?? {};
  if ((kind !== INPUT_KIND && kind !== 'authorization') || typeof tool !== 'string') return undefined;
  return { tool, ...(typeof server === 'string' && { server }) };
}

/** Stands apart from the question: a server's own words could name somebody else. */
export function Asker({ tool, server }: Asking) {
  return (
    <p class="asker">
      Asked by the tool{' '}
      <b>
        <Text text={tool} />
      </b>
      {server === undefined ? null : (
        <>
          {' '}
          of the MCP server{' '}
          <b>
            <Text text={server} />
          </b>
        </>
      )}
    </p>
  );
}
