/** @jsxRuntime automatic @jsxImportSource hono/jsx */

interface InboxWayProps {
  /** The request in the inbox, where that is served. */
  readonly inboxUrl: string | undefined;
  /** What they would do there. */
  readonly what: string;
}

/** The way on for somebody whom a link does not let answer. */
export function InboxWay({ inboxUrl, what }: InboxWayProps) {
  return inboxUrl === undefined ? (
    <p>If you may, ask whoever sent it for a link in your own name.</p>
  ) : (
    <p>
      If you may:{' '}
      <a class="button" href={inboxUrl}>
        Sign in to the inbox to {what}
      </a>
    </p>
  );
}
