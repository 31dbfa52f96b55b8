/** At most so many characters of a text, with an ellipsis where it was longer. */
export function cutText(text: string, length: number): string {
  // By code points: half a character would not survive UTF-8.
  const points = Array.from(text.slice(0, 2 * length + 1));
  return points.length > length ? `${points.slice(0, length).join('')}…` : text;
}
