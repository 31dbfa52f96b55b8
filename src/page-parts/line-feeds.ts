/** The text as it was typed: a browser ends the lines of what a form sends with CRLF. */
export function lineFeedsIn(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
