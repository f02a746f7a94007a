import type { PageSource } from '@bindery/dialect/frontmatter';
import { blockKeyOf } from './blockKeyOf.ts';
import { mergeBlocks, type BlockConflict } from './mergeBlocks.ts';
import { mergeFrontmatter } from './mergeFrontmatter.ts';
import { splitBlocks } from './splitBlocks.ts';

/**
 * A conflict in a page's file, where both sides changed the same lines: a block of the body, or a key of the
 * frontmatter. `block` is the key of that block in the page's document.
 */
export type SourceConflict = BlockConflict & { part: 'frontmatter' | 'body'; block?: string };

export type SourcesToMerge = { base?: PageSource | undefined; ours: PageSource; theirs: PageSource };
export type MergedSource = { source: PageSource; conflicts: SourceConflict[] };

/** Maximum number of conflicts of a page that state their block, because finding its key parses the block. */
const maxKeys = 200;

/**
 * Merges two versions of a page's file: frontmatter by its keys, the body by its blocks, and blocks that both
 * sides changed by lines. `theirs` wins where both changed the same lines.
 *
 * @param base  absent if both sides made the page
 * @returns the merged file, with every unchanged byte preserved, and the conflicts with their texts
 */
export function mergeSource({ base = nothing, ours, theirs }: SourcesToMerge): MergedSource {
  const frontmatter = mergeFrontmatter(
    textOf(base.frontmatter),
    textOf(ours.frontmatter),
    textOf(theirs.frontmatter),
  );
  const body = mergeBodies(textOf(base.body), textOf(ours.body), textOf(theirs.body));
  return {
    source: { frontmatter: bytesOf(frontmatter.text), body: bytesOf(body.text) },
    conflicts: [
      ...frontmatter.conflicts.map((conflict) => ({
        part: 'frontmatter' as const,
        block: 'frontmatter',
        ...readable(conflict),
      })),
      ...body.conflicts.map((conflict, index) =>
        withKey({ part: 'body' as const, ...readable(conflict) }, index),
      ),
    ],
  };
}

function withKey(conflict: SourceConflict, index: number): SourceConflict {
  const { merged, ours, base } = conflict;
  const block = index < maxKeys ? blockKeyOf(merged ?? ours ?? base ?? '') : undefined;
  return block === undefined ? conflict : { ...conflict, block };
}

const nothing: PageSource = { frontmatter: new Uint8Array(), body: new Uint8Array() };

function mergeBodies(
  base: string,
  ours: string,
  theirs: string,
): { text: string; conflicts: BlockConflict[] } {
  if (ours === theirs || theirs === base) return { text: ours, conflicts: [] };
  if (ours === base) return { text: theirs, conflicts: [] };
  return mergeBlocks(splitBlocks(base), splitBlocks(ours), splitBlocks(theirs));
}

/** Decodes each byte as one character: files need not be UTF-8, and unchanged bytes must be preserved. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

function readable({ base, ours, theirs, merged }: BlockConflict): BlockConflict {
  const decoded = (text: string | null) => (text === null ? null : new TextDecoder().decode(bytesOf(text)));
  return { base: decoded(base), ours: decoded(ours), theirs: decoded(theirs), merged: decoded(merged) };
}
