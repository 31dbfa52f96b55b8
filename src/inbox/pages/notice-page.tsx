/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Frame } from '../frame';
import { Page } from './page';

export interface NoticeProps {
  readonly frame: Frame;
  readonly title: string;
  readonly children?: Child;
  readonly tone?: 'bad' | 'plain';
}

/** A page that says one thing and leads back to the list. */
export function NoticePage({ frame, title, children, tone = 'plain' }: NoticeProps) {
  return (
    <Page frame={frame} title={title}>
      <section class={`notice ${tone}`} role="status">
        <h1>{title}</h1>
        {children}
      </section>
      <p>
        <a href={frame.paths.home}>What is waiting</a>
      </p>
    </Page>
  );
}
