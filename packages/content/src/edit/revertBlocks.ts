import { alignBlocks } from '../merge/alignBlocks.ts';
import type { PageSource } from '@bindery/dialect/frontmatter';
import { keyedBlocks, type KeyedBlock } from './keyedBlocks.ts';

/** A page's file with its title. */
export type TitledSource = { source: PageSource; title: string };

export type BlocksToRevert = { before: TitledSource; now: TitledSource; keys: readonly string[] };
export type RevertedBlocks = { source: PageSource } | { problem: string };

/**
 * Reverts some blocks of a page's file: added blocks are removed, removed blocks are restored, changed blocks
 * get their old text. All other bytes, and the frontmatter, stay.
 *
 * @param keys  of blocks, from the document of either version
 */
export function revertBlocks({ before, now, keys }: BlocksToRevert): RevertedBlocks {
  const old = keyedBlocks(before.source, before.title);
  const present = keyedBlocks(now.source, now.title);
  const unknown = keys.find((key) => ![...old, ...present].some((block) => block.keys.has(key)));
  if (unknown !== undefined)
    return {
      problem: `must contain keys of blocks of the page, now or in the revision; ${unknown.slice(0, 60)} is not one.`,
    };
  const isWanted = (block: KeyedBlock | undefined) =>
    block !== undefined && keys.some((key) => block.keys.has(key));
  if ([...old, ...present].some((block) => block.isUnclear && isWanted(block)))
    return { problem: 'must not be given for this page: its Markdown cannot be divided into blocks.' };

  const textsOf = (blocks: readonly KeyedBlock[]) => blocks.map(({ text }) => text);
  const { to, from } = alignBlocks(textsOf(old), textsOf(present));
  const result: Placed[] = [];
  const restored = (behind: number) => {
    for (let place = behind + 1; place < old.length && to[place] === undefined; place += 1)
      if (isWanted(old[place]))
        result.push({ ...(old[place] as KeyedBlock), place: { of: 'old', index: place } });
  };
  restored(-1);
  for (const [index, block] of present.entries()) {
    const place = from.get(index);
    const partner = place === undefined ? undefined : old[place];
    if (partner && (isWanted(partner) || isWanted(block)))
      result.push({ ...block, text: partner.text, place: { of: 'present', index } });
    else if (partner || !isWanted(block)) result.push({ ...block, place: { of: 'present', index } });
    if (place !== undefined) restored(place);
  }
  return {
    source: {
      frontmatter: now.source.frontmatter,
      body: Buffer.from(joined(result, present.at(-1)?.gap), 'latin1'),
    },
  };
}

type Placed = Pick<KeyedBlock, 'text' | 'gap'> & { place: { of: 'old' | 'present'; index: number } };

/** Separates blocks that were not adjacent by a blank line, so that they stay two blocks. */
function joined(blocks: readonly Placed[], end = ''): string {
  const feed = blocks.some(({ gap }) => gap.includes('\r\n')) ? '\r\n' : '\n';
  return blocks
    .map(({ text, gap, place }, index) => {
      const next = blocks[index + 1]?.place;
      if (!next) return text + (end || (text === '' ? '' : feed));
      const follows = next.of === place.of && next.index === place.index + 1;
      return text + (follows || text === '' || gap.split('\n').length > 2 ? gap : feed + feed);
    })
    .join('');
}
