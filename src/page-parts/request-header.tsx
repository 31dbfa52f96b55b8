/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Request } from '../agent/request';
import { kindWords } from './kinds';
import { Text } from './text';

interface RequestHeaderProps {
  readonly request: Request;
  readonly title: string;
  readonly agent: string | undefined;
  /** Facts that stand after the agent. */
  readonly children?: Child;
}

/** What is asked, in short, and by which agent. */
export function RequestHeader({ request, title, agent, children }: RequestHeaderProps) {
  return (
    <header>
      <p class="kind" data-kind={request.kind}>
        <Text text={kindWords(request.kind)} />
      </p>
      <h1>
        <Text text={title} />
      </h1>
      <p class="facts">
        {agent === undefined ? null : (
          <span>
            Agent <Text text={agent} />
          </span>
        )}
        {children}
      </p>
    </header>
  );
}
