import type { ReactNode } from 'react';
import { visibleParts } from '../../agent/visible-text';

/** A text that somebody else wrote, as the pages show it: what would be hidden is a marked escape. */
export function VisibleText({ text }: { readonly text: string }): ReactNode {
  return (
    <bdi>
      {visibleParts(text).map((part, at) =>
        part.hidden ? (
          <span className="escape" key={at}>
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}
