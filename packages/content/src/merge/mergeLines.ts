import { diff3MergeRegions } from 'node-diff3';
import { isCheapToCompare } from './diffSequences.ts';

/**
 * Merges a block that both sides changed, line by line. Where both changed the same lines, `theirs` wins.
 *
 * @returns the lines, and whether both changed the same lines; a block that would take too long to compare
 *   counts as such
 */
export function mergeLines({ base, ours, theirs }: { base: string; ours: string; theirs: string }): {
  text: string;
  isConflict: boolean;
} {
  const [o, a, b] = [base.split('\n'), ours.split('\n'), theirs.split('\n')];
  if (base === '' || !isCheapToCompare(o, a) || !isCheapToCompare(o, b))
    return { text: theirs, isConflict: true };
  const merged: string[] = [];
  let isConflict = false;
  for (const region of diff3MergeRegions(a, o, b)) {
    if (region.stable) {
      merged.push(...region.bufferContent);
      continue;
    }
    const found = mergeRegion(region.oContent, region.aContent, region.bContent);
    isConflict ||= found.isConflict;
    merged.push(...found.lines);
  }
  return { text: merged.join('\n'), isConflict };
}

/** If no line was added or removed, adjacent lines are separate changes. Else all are those of `theirs`. */
function mergeRegion(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): { lines: readonly string[]; isConflict: boolean } {
  if (ours.join('\n') === theirs.join('\n') && ours.length === theirs.length)
    return { lines: ours, isConflict: false };
  if (base.length !== ours.length || base.length !== theirs.length)
    return { lines: theirs, isConflict: true };
  const lines: string[] = [];
  let isConflict = false;
  for (const [index, line] of base.entries()) {
    const [our, their] = [ours[index] as string, theirs[index] as string];
    lines.push(their === line ? our : their);
    isConflict ||= our !== line && their !== line && our !== their;
  }
  return { lines, isConflict };
}
