import { rangeOf } from '@bindery/dialect/source';
import type { Nodes } from 'mdast';
import type { Range } from './segment.ts';

/** A text that was cut out of a page. `at` converts its positions to those in the page. */
export type PlacedText = { text: string; at: (position: number) => number };

/** Converts a range of the text to the range in the page. */
export function placed({ start, end }: Range, { at }: Pick<PlacedText, 'at'>): Range {
  const from = at(start);
  return { start: from, end: end > start ? at(end - 1) + 1 : from };
}

export function placeOfNode(node: Nodes, text: PlacedText): Range {
  const [start, end] = rangeOf(node) ?? [0, 0];
  return placed({ start, end }, text);
}

export function pieceOf({ text, at }: PlacedText, { start, end }: Range): PlacedText {
  return { text: text.slice(start, end), at: (position) => at(start + position) };
}

/** Removes what begins the lines: indents, and the marks of quotes. */
export function unindented({ text, at }: PlacedText, isQuoted: boolean): PlacedText {
  const prefix = isQuoted ? /^[ \t]*(?:>[ \t]?)*[ \t]*/ : /^[ \t]*/;
  return joined(
    linesOf(text).map(({ start, end }, index) => ({
      start: start + (isQuoted && index === 0 ? 0 : (prefix.exec(text.slice(start, end))?.[0].length ?? 0)),
      end,
    })),
    { text, at },
  );
}

/**
 * Places the value of a Markdown node, whose lines are the ends of the lines of its source. Undefined if they
 * are not, as after tabs.
 */
export function placedValue(value: string, range: Range, page: PlacedText): PlacedText | undefined {
  const source = page.text.slice(range.start, range.end);
  if (source === value) return pieceOf(page, range);
  const sources = linesOf(source);
  const values = linesOf(value);
  const ranges: Range[] = [];
  for (const [index, { start, end }] of values.entries()) {
    const line = sources[index];
    if (!line || !source.slice(line.start, line.end).endsWith(value.slice(start, end))) return undefined;
    ranges.push({ start: line.end - (end - start), end: line.end });
  }
  return joined(ranges, pieceOf(page, range));
}

/** Joins ranges of a text to one text. */
function joined(ranges: readonly Range[], { text, at }: PlacedText): PlacedText {
  const starts: { own: number; source: number }[] = [];
  let own = 0;
  for (const { start, end } of ranges) {
    starts.push({ own, source: start });
    own += end - start;
  }
  return {
    text: ranges.map(({ start, end }) => text.slice(start, end)).join(''),
    at: (position) => {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle]?.own ?? 0) <= position) low = middle;
        else high = middle - 1;
      }
      const found = starts[low];
      return at(found ? found.source + position - found.own : position);
    },
  };
}

/** The lines of a text, each with its line ending. */
function linesOf(text: string): Range[] {
  const lines: Range[] = [];
  let start = 0;
  for (const { index, 0: ending } of text.matchAll(/\r\n?|\n/g)) {
    lines.push({ start, end: index + ending.length });
    start = index + ending.length;
  }
  if (start < text.length) lines.push({ start, end: text.length });
  return lines;
}
