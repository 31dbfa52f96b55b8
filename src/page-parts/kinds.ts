/** The words for a kind of request; a kind of somebody's own keeps its name. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['tool_call', 'Results wanted'],
  ['approval', 'Approval'],
  ['authorization', 'Sign-in elsewhere'],
  ['question', 'Question'],
  ['input', 'Input'],
  ['reconcile', 'What happened?'],
]);

export function kindWords(kind: string): string {
  return WORDS.get(kind) ?? kind;
}
