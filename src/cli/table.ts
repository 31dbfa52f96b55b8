import { cutLine } from '../agent/visible-text';

const GAP = '  ';
const NARROWEST = 16;

/**
 * Rows of cells in columns as wide as their widest cell; nothing follows the last cell of a line. With a
 * `width`, the last column is cut so that a line fits.
 */
export function tableLines(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  width?: number,
): string[] {
  const all = [heads, ...rows];
  const widths = heads.slice(0, -1).map((_, at) => Math.max(...all.map((row) => widthOf(row[at] ?? ''))));
  const used = widths.reduce((sum, column) => sum + column + GAP.length, 0);
  const left = width === undefined ? undefined : Math.max(NARROWEST, width - used);
  return all.map((row) => {
    const cells = widths.map((column, at) => pad(row[at] ?? '', column));
    const last = row[heads.length - 1] ?? '';
    return [...cells, left === undefined ? last : cutLine(last, left)].join(GAP).trimEnd();
  });
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - widthOf(cell)));
}

function widthOf(cell: string): number {
  return [...cell].length;
}
