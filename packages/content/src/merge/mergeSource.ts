import type { PageSource } from '../store/documents.ts';
import { mergeBlocks, type BlockConflict } from './mergeBlocks.ts';
import { mergeFrontmatter } from './mergeFrontmatter.ts';
import { splitBlocks } from './splitBlocks.ts';

/** A place in a page's file where both sides changed the same lines: a block of the body, or a key of the frontmatter. */
export type SourceConflict = BlockConflict & { part: 'frontmatter' | 'body' };

/**
 * Merges two versions of a page's file that were made from one: frontmatter by its keys, the body by its blocks, and inside of what both changed
 * by lines. `theirs` is taken where both changed the same lines.
 *
 * @param base  absent where both sides made the page
 * @returns the merged file, in which nothing that no side touched changed a byte, and the conflicts with their texts
 */
export function mergeSource({ base = nothing, ours, theirs }: { base?: PageSource | undefined; ours: PageSource; theirs: PageSource }): {
  source: PageSource;
  conflicts: SourceConflict[];
} {
  const frontmatter = mergeFrontmatter(textOf(base.frontmatter), textOf(ours.frontmatter), textOf(theirs.frontmatter));
  const body = mergeBodies(textOf(base.body), textOf(ours.body), textOf(theirs.body));
  return {
    source: { frontmatter: bytesOf(frontmatter.text), body: bytesOf(body.text) },
    conflicts: [
      ...frontmatter.conflicts.map((conflict) => ({ part: 'frontmatter' as const, ...readable(conflict) })),
      ...body.conflicts.map((conflict) => ({ part: 'body' as const, ...readable(conflict) })),
    ],
  };
}

const nothing: PageSource = { frontmatter: new Uint8Array(), body: new Uint8Array() };

function mergeBodies(base: string, ours: string, theirs: string): { text: string; conflicts: BlockConflict[] } {
  if (ours === theirs || theirs === base) return { text: ours, conflicts: [] };
  if (ours === base) return { text: theirs, conflicts: [] };
  return mergeBlocks(splitBlocks(base), splitBlocks(ours), splitBlocks(theirs));
}

/** Every byte as one character: files need not be UTF-8, and what is not touched must not change. */
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
