import { alignBlocks, likenessOf, type Alignment } from './alignBlocks.ts';
import type { Side, TextChoice } from './conflict/choices.ts';
import { mergeLines } from './mergeLines.ts';
import type { Block } from './splitBlocks.ts';

/**
 * A block whose same lines both sides changed, with the result of the merge; null where the block is absent.
 */
export type BlockConflict = {
  base: string | null;
  ours: string | null;
  theirs: string | null;
  merged: string | null;
};

/** Returns what was chosen for a conflict, by its number in the text. */
export type ChooseBlock = (conflict: BlockConflict, index: number) => TextChoice | undefined;

/** Records a conflict. @returns the text that is taken; null for none */
type Settle = (conflict: BlockConflict) => string | null;

/** Similarity from which two blocks added in the same position count as versions of one block. */
const alikeEnough = 0.5;

/** A block of the result, with its position in each version. */
type Placed = {
  text: string;
  base?: Block | undefined;
  ours?: Indexed | undefined;
  theirs?: Indexed | undefined;
};
type Indexed = Block & { index: number };

/**
 * Merges the blocks of two versions of a text.
 *
 * Changes, additions and removals of one side are taken, even next to those of the other side. A block that
 * both sides changed is merged line by line; where that is not possible, or one side removed what the other
 * changed, a conflict is reported, and `theirs` is taken unless `choose` returns something else. Additions of
 * both sides in the same position are all kept, ours first, unless one is a version of the other.
 */
export function mergeBlocks(
  { base, ours, theirs }: Record<'base' | 'ours' | 'theirs', readonly Block[]>,
  choose: ChooseBlock,
): { text: string; conflicts: BlockConflict[] } {
  const conflicts: BlockConflict[] = [];
  const feed = feedOf([...ours, ...theirs]);
  const settle: Settle = (conflict) => {
    conflicts.push(conflict);
    const choice = choose(conflict, conflicts.length - 1) ?? 'merged';
    if (typeof choice === 'string') return conflict[choice];
    return 'text' in choice ? ownText(choice, feed) : withLinesOf(choice.linesOf, conflict);
  };
  const merged: Placed[] = [];
  const sides = { ours: align(base, ours), theirs: align(base, theirs) };
  for (let place = 0; place <= base.length; place += 1) {
    merged.push(...mergeAdded(sides.ours.addedAt(place), sides.theirs.addedAt(place), settle));
    const old = base[place];
    if (!old) break;
    const block = mergeBlock(old, { our: sides.ours.at(place), their: sides.theirs.at(place) }, settle);
    if (block) merged.push(block);
  }
  const end = changed(endOf(base), endOf(ours), endOf(theirs));
  return { text: join(merged, end), conflicts };
}

/** Lines that only one side changed from both, and of the others those of this side. */
function withLinesOf(side: Side, { base, ours, theirs, merged }: BlockConflict): string | null {
  if (side === 'theirs') return merged;
  if (ours === null || theirs === null) return ours;
  return mergeLines({ base: base ?? '', ours: theirs, theirs: ours }).text;
}

/**
 * A text of a caller as the file has its texts: a byte for each character, the same line breaks, and no byte
 * order mark, which a block does not begin with.
 */
function ownText({ text }: { text: string }, feed: string): string | null {
  const lines = text
    .replaceAll('\r\n', '\n')
    .replace(/^[\uFEFF\n]+/, '')
    .trimEnd();
  return lines === '' ? null : Buffer.from(lines).toString('latin1').replaceAll('\n', feed);
}

/** The line break of a text. */
function feedOf(blocks: readonly Block[]): '\r\n' | '\n' {
  return blocks.some(({ text, gap }) => `${text}${gap}`.includes('\r\n')) ? '\r\n' : '\n';
}

type Aligned = { at(place: number): Indexed | undefined; addedAt(place: number): Indexed[] };

function align(base: readonly Block[], blocks: readonly Block[]): Aligned {
  const texts = (all: readonly Block[]) => all.map(({ text }) => text);
  const { to, from }: Alignment = alignBlocks(texts(base), texts(blocks));
  const added = new Map<number, Indexed[]>();
  let place = 0;
  for (const [index, block] of blocks.entries()) {
    const old = from.get(index);
    if (old !== undefined) place = old + 1;
    else added.set(place, [...(added.get(place) ?? []), { ...block, index }]);
  }
  const at = (old: number) => {
    const index = to[old];
    return index === undefined ? undefined : { ...(blocks[index] as Block), index };
  };
  return { at, addedAt: (where) => added.get(where) ?? [] };
}

function mergeBlock(
  base: Block,
  { our, their }: { our: Indexed | undefined; their: Indexed | undefined },
  settle: Settle,
): Placed | undefined {
  const places = { base, ours: our, theirs: their };
  if (our?.text === their?.text || our?.text === base.text) return their && { text: their.text, ...places };
  if (their?.text === base.text) return our && { text: our.text, ...places };
  const conflict = { base: base.text, ours: our?.text ?? null, theirs: their?.text ?? null };
  const { text, isConflict } =
    our && their
      ? mergeLines({ base: base.text, ours: our.text, theirs: their.text })
      : { text: conflict.theirs, isConflict: true };
  const taken = isConflict ? settle({ ...conflict, merged: text }) : text;
  return taken === null ? undefined : { text: taken, ...places };
}

function mergeAdded(ours: readonly Indexed[], theirs: readonly Indexed[], settle: Settle): Placed[] {
  const our = (block: Indexed): Placed => ({ text: block.text, ours: block });
  const their = (block: Indexed): Placed => ({ text: block.text, theirs: block });
  if (ours.length === 0) return theirs.map(their);
  if (theirs.length === 0) return ours.map(our);
  const { to } = alignBlocks(
    ours.map(({ text }) => text),
    theirs.map(({ text }) => text),
  );
  const merged: Placed[] = [];
  let next = 0;
  for (const [index, block] of ours.entries()) {
    const place = to[index] ?? -1;
    const partner = theirs[place];
    if (!partner || !isSameBlock(block.text, partner.text)) {
      merged.push(our(block));
      continue;
    }
    merged.push(...theirs.slice(next, place).map(their));
    next = place + 1;
    const text =
      block.text === partner.text
        ? partner.text
        : settle({ base: null, ours: block.text, theirs: partner.text, merged: partner.text });
    if (text !== null) merged.push({ text, ours: block, theirs: partner });
  }
  return [...merged, ...theirs.slice(next).map(their)];
}

/** A page has one title, so two level 1 headings are versions of one. */
function isSameBlock(a: string, b: string): boolean {
  const isTitle = (text: string) => /^ {0,3}#(?:[ \t]|$)/.test(text);
  return a === b || (isTitle(a) && isTitle(b)) || likenessOf(a, b) >= alikeEnough;
}

/** Separates blocks that were not adjacent before by a blank line, so that they stay two blocks. */
function join(blocks: readonly Placed[], end: string): string {
  const feed = blocks.some(({ text, ours, theirs }) => `${text}${ours?.gap}${theirs?.gap}`.includes('\r\n'))
    ? '\r\n'
    : '\n';
  return blocks
    .map(
      (block, index) =>
        block.text + (blocks[index + 1] ? between(block, blocks[index + 1] as Placed, feed) : end),
    )
    .join('');
}

function between({ text, base, ours, theirs }: Placed, next: Placed, feed: string): string {
  const inOurs = ours && next.ours?.index === ours.index + 1 ? ours.gap : undefined;
  const inTheirs = theirs && next.theirs?.index === theirs.index + 1 ? theirs.gap : undefined;
  if (inOurs !== undefined && inTheirs !== undefined) return changed(base?.gap, inOurs, inTheirs);
  const isApart = (gap: string | undefined) => text === '' || (gap ?? '').split('\n').length > 2;
  return inOurs ?? inTheirs ?? [ours?.gap, theirs?.gap].find(isApart) ?? feed + feed;
}

/** The end or gap of the side that changed it. */
function changed(base: string | undefined, ours: string, theirs: string): string {
  return theirs === base ? ours : theirs;
}

function endOf(blocks: readonly Block[]): string {
  return blocks.at(-1)?.gap ?? '';
}
