import type { FoundTarget } from './foundTarget.ts';
import { inlineTargets } from './inlineTargets.ts';
import { markdownRegions, type Region } from './markdownRegions.ts';
import { tagTargets } from './tagTargets.ts';

/** Finds the targets of a Markdown source, outside of code and math. Linear in its length. */
export function* targetsIn(markdown: string): Iterable<FoundTarget> {
  if (!/\]\(|\]:|[\w"'”“]\s*=|\{%/.test(markdown)) return;
  for (const region of markdownRegions(markdown)) {
    const found = region.kind === 'html' ? tagTargets(region.text) : inlineTargets(region.text);
    for (const target of found) yield moved(target, region.at);
  }
}

/** Converts a target's positions to positions in the whole source. */
function moved({ start, end, shown, ...found }: FoundTarget, at: Region['at']): FoundTarget {
  const place = (range: { start: number; end: number }) => {
    const from = at(range.start);
    return { start: from, end: range.end > range.start ? at(range.end - 1) + 1 : from };
  };
  return {
    ...found,
    ...place({ start, end }),
    shown: shown && (() => shown().map((edit) => ({ text: edit.text, ...place(edit) }))),
  };
}
