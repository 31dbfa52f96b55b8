/** Marks on a terminal; where there is none, the text alone. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

type Paint = (text: string) => string;

const PLAIN: Paint = (text) => text;

export const PLAIN_STYLE: Style = {
  bold: PLAIN,
  dim: PLAIN,
  red: PLAIN,
  green: PLAIN,
  yellow: PLAIN,
  cyan: PLAIN,
};

const COLOURED: Style = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  cyan: sgr(36, 39),
};

/** Colours on a terminal, unless NO_COLOR or a terminal without them says otherwise. */
export function styleFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Style {
  const coloured = stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return coloured ? COLOURED : PLAIN_STYLE;
}

function sgr(on: number, off: number): Paint {
  return (text) => `\x1b[${on}m${text}\x1b[${off}m`;
}
