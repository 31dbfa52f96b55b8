import { lineFeedsIn } from './line-feeds';

/**
 * The choice that a form has posted. A browser writes each line break of a value anew, and cannot send some characters
 * at all, so that the text alone would be none of the choices. Where two would look alike it stays as it came.
 */
export function postedChoice(choices: unknown, posted: string): string {
  const asPosted = lineFeedsIn(posted);
  if (!Array.isArray(choices) || choices.includes(asPosted)) return asPosted;
  const alike = choices.filter((choice) => typeof choice === 'string' && sent(choice) === asPosted);
  return alike.length === 1 ? String(alike[0]) : asPosted;
}

/** How a browser sends a text that stood in a page's source. */
function sent(text: string): string {
  return lineFeedsIn(text.replace(/[\p{Cs}\0]/gu, '\ufffd')).replaceAll('\r', '\n');
}
