/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { spokenMs } from '../../agent/spoken-time';
import { kindWords } from '../../page-parts/kinds';
import type { Span, Timeline as Times } from '../timeline';
import { Text } from '../../page-parts/text';

/** Thinner than this a bar would not be seen. */
const MIN_WIDTH = 3;
const WIDTH = 1000;

const NAMES = { turn: 'Turn', call: 'Call', wait: 'Wait' } as const;

/** Turns, calls and waits on one scale. A table, so that it can be heard and read as well as seen. */
export function Timeline({ timeline: { spans, lengthMs } }: { readonly timeline: Times }) {
  return (
    <div class="scrolls-aside" tabindex={0} role="region" aria-label="Timeline">
      <table class="timeline">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Took</th>
            <th scope="col" class="scale">
              <span>start</span>
              <span>{shortMs(lengthMs)}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {spans.map((span) => (
            <tr>
              <th scope="row">
                <span class={`dot ${span.is}`} aria-hidden="true"></span>
                <span class="visually-hidden">{NAMES[span.is]}: </span>
                <Text text={span.is === 'wait' ? `waited: ${kindWords(span.label)}` : span.label} />
                {span.failed ? <span class="failed"> error</span> : null}
              </th>
              <td>
                {span.to === undefined
                  ? `${shortMs(lengthMs - span.from)}, goes on`
                  : shortMs(span.to - span.from)}
              </td>
              <td>
                <Bar span={span} lengthMs={lengthMs} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Bar({ span, lengthMs }: { readonly span: Span; readonly lengthMs: number }) {
  const to = span.to ?? lengthMs;
  const width = Math.max(MIN_WIDTH, ((to - span.from) / lengthMs) * WIDTH);
  const x = Math.min((span.from / lengthMs) * WIDTH, WIDTH - width);
  return (
    <svg
      class="bar"
      viewBox={`0 0 ${WIDTH} 10`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <rect class="track" x="0" y="4.5" width={WIDTH} height="1" />
      <rect
        class={`span ${span.is}${span.failed ? ' failed' : ''}`}
        x={x.toFixed(2)}
        y="0"
        width={width.toFixed(2)}
        height="10"
      />
    </svg>
  );
}

function shortMs(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : spokenMs(ms);
}
