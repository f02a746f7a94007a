import { leadsOutside } from '@bindery/contract/linkTarget';
import { plainStyle } from './navigationTargets.ts';
import { hasText } from './summaryLines.ts';
import type { Source } from './summarySource.ts';
import type { TargetStyle } from './summaryText.ts';

/** The style of a file, applied to added lines. */
export type SummaryStyle = TargetStyle & {
  ending: string;
  /** A bullet with the space after it. */
  marker: string;
  /** The additional indentation of an entry below another one. */
  indent: string;
  /** The `#` signs of a group's heading. */
  hashes: string;
  /** The number of blank lines between two blocks, by `pairOf`. */
  blanks: ReadonlyMap<string, number>;
};

/** Bounds the lines added to a hostile file. */
const maxBlanks = 3;

/** GitBook's style. */
export const normalStyle: SummaryStyle = {
  ...plainStyle,
  ending: '\n',
  marker: '* ',
  indent: '  ',
  hashes: '##',
  blanks: new Map(),
};

export function styleOf({ preamble, blocks, epilogue }: Source): SummaryStyle {
  const entries = blocks.filter((block) => block.kind === 'entry');
  const links = entries.flatMap(({ entry, content }) =>
    entry.kind === 'link' ? [{ target: entry.target, content }] : [],
  );
  const gaps = blocks.flatMap((block, index) => {
    const before = blocks[index - 1];
    return before && !hasText(block.lead) ? [{ pair: pairOf(before, block), lead: block.lead }] : [];
  });
  const pairs = new Set(gaps.map(({ pair }) => pair));
  return {
    escapesUnderscores: links.some(
      ({ target, content }) =>
        target.includes('_') && content.includes(target.replaceAll('_', String.raw`\_`)),
    ),
    encodesSpaces: links.some(({ target }) => target.includes('%20') && !leadsOutside(target)),
    ending:
      [...preamble, ...blocks.flatMap(({ lines }) => lines), ...epilogue].find(({ ending }) => ending !== '')
        ?.ending ?? '\n',
    marker:
      mostCommon(entries.flatMap(({ marker }) => (/^[*+-] {1,4}$/.test(marker) ? [marker] : []))) ??
      normalStyle.marker,
    indent:
      mostCommon(
        entries.flatMap(({ prefix, above }) =>
          above && prefix.startsWith(above.prefix) ? [prefix.slice(above.prefix.length)] : [],
        ),
      ) ?? normalStyle.indent,
    hashes:
      mostCommon(
        blocks.flatMap((block) =>
          block.kind === 'group' ? (/^#{2,6}(?= )/.exec(block.lines[0]?.text ?? '') ?? []) : [],
        ),
      ) ?? normalStyle.hashes,
    blanks: new Map(
      [...pairs].map((pair) => [
        pair,
        mostCommon(
          gaps.flatMap((gap) => (gap.pair === pair ? [Math.min(gap.lead.length, maxBlanks)] : [])),
        ) ?? 0,
      ]),
    ),
  };
}

/**
 * Names the relation of two adjacent blocks: for entries, whether the second is below, beside or above the
 * first.
 */
export function pairOf(
  one: { kind: string; depth?: number },
  other: { kind: string; depth?: number },
): string {
  const step = one.depth === undefined || other.depth === undefined ? '' : Math.sign(other.depth - one.depth);
  return `${one.kind} ${other.kind} ${step}`;
}

function mostCommon<Value>(values: readonly Value[]): Value | undefined {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: Value | undefined;
  for (const [value, count] of counts)
    if (best === undefined || count > (counts.get(best) ?? 0)) best = value;
  return best;
}
