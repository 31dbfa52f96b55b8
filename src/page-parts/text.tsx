/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { visibleParts } from '../agent/visible-text';

/**
 * A text that somebody else wrote. What would be hidden stands there as a marked escape, and the text has a direction
 * of its own, so that it can reorder nothing around it.
 */
export function Text({ text }: { readonly text: string }) {
  return (
    <bdi>
      {visibleParts(text).map((part) =>
        part.hidden ? (
          <span class="escape" title="Characters that would not be seen">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}

/** The same on its own lines, whole; a very long one scrolls. */
export function LongText({ text, label }: { readonly text: string; readonly label: string }) {
  const long = text.length > LONG || text.split('\n').length > MANY_LINES;
  return long ? (
    <div
      class="long-text scrolls"
      dir="auto"
      tabindex={0}
      role="region"
      aria-label={`${label}, ${text.length} characters`}
    >
      <Text text={text} />
    </div>
  ) : (
    <div class="long-text" dir="auto">
      <Text text={text} />
    </div>
  );
}

const LONG = 4_000;
const MANY_LINES = 40;
