import type { PageSource } from '@bindery/dialect/frontmatter';
import { blockKeyOf } from './blockKeyOf.ts';
import { sideOf, textChoiceOf, type PartChoices, type Side } from './conflict/choices.ts';
import { mergeBlocks, type BlockConflict, type ChooseBlock } from './mergeBlocks.ts';
import { mergeFrontmatter } from './mergeFrontmatter.ts';
import { splitBlocks } from './splitBlocks.ts';

/**
 * A conflict in a page's file, where both sides changed the same lines: a block of the body, or a key of the
 * frontmatter. `block` is the key of that block in the page's document.
 */
export type SourceConflict = BlockConflict & {
  /** `body.0`, `frontmatter.1`: its number among the conflicts there. */
  part: `${'frontmatter' | 'body'}.${number}`;
  block?: string;
};

export type SourcesToMerge = {
  base?: PageSource | undefined;
  ours: PageSource;
  theirs: PageSource;
  choices?: SourceChoices | undefined;
};
/** `title`: the side from which the title's line comes as well; absent if the title is no conflict. */
export type SourceChoices = PartChoices & { title?: Side | undefined };
export type MergedSource = { source: PageSource; conflicts: SourceConflict[] };

/** Maximum number of conflicts of a page that state their block, because finding its key parses the block. */
const maxKeys = 200;

/**
 * Merges two versions of a page's file: frontmatter by its keys, the body by its blocks, and blocks that both
 * sides changed by lines. `theirs` wins where both changed the same lines, unless `choices` say otherwise.
 *
 * @param base  absent if both sides made the page
 * @returns the merged file, with every unchanged byte preserved, and the conflicts with their texts
 */
export function mergeSource({
  base = nothing,
  ours,
  theirs,
  choices = noChoices,
}: SourcesToMerge): MergedSource {
  const textsOf = (part: keyof PageSource) => ({
    base: textOf(base[part]),
    ours: textOf(ours[part]),
    theirs: textOf(theirs[part]),
  });
  const titleOf = (isTitle: boolean) => (isTitle ? choices.title : undefined);
  const frontmatter = mergeFrontmatter(textsOf('frontmatter'), (conflict, index) => {
    const part = `frontmatter.${index}` as const;
    return titleOf(isTitle({ part, ...conflict })) ?? sideOf(choices, part);
  });
  const body = mergeBodies(textsOf('body'), (conflict, index) => {
    const part = `body.${index}` as const;
    return titleOf(isTitle({ part, ...conflict })) ?? textChoiceOf(choices, part);
  });
  // A text of a caller may begin like frontmatter: an empty line before it prevents that.
  const isFence =
    frontmatter.text === '' &&
    body.text.startsWith('---') &&
    [ours, theirs].every((side) => !textOf(side.body).startsWith('---'));
  return {
    source: { frontmatter: bytesOf(frontmatter.text), body: bytesOf(isFence ? `\n${body.text}` : body.text) },
    conflicts: [
      ...frontmatter.conflicts.map((conflict, index): SourceConflict => ({
        part: `frontmatter.${index}`,
        block: 'frontmatter',
        ...readable(conflict),
      })),
      ...body.conflicts.map((conflict, index) =>
        withKey({ part: `body.${index}`, ...readable(conflict) }, index),
      ),
    ],
  };
}

/** Tells whether a part is one of the body. */
export function isInBody(part: SourceConflict['part']): boolean {
  return part.startsWith('body.');
}

const noChoices: SourceChoices = { parts: new Map() };

type Texts = Record<'base' | 'ours' | 'theirs', string | null>;

/** Tells whether a conflict is about the title: its key, or the line of it that begins the body. */
export function isTitle({ part, ...texts }: Texts & Pick<SourceConflict, 'part'>): boolean {
  if (!isInBody(part)) return tellsKey(texts, 'title');
  const { base, ours, theirs } = texts;
  return (
    part === 'body.0' &&
    [base, ours, theirs].every((text) => text === null || /^ {0,3}#(?:[ \t][^\n]*)?$/.test(text))
  );
}

/** Tells whether a conflict of the frontmatter covers this key. */
export function tellsKey({ ours, theirs }: Texts, key: string): boolean {
  return [ours, theirs].some((text) => text?.split('\n').some((line) => line.startsWith(`${key}:`)));
}

function withKey(conflict: SourceConflict, index: number): SourceConflict {
  const { merged, ours, base } = conflict;
  const block = index < maxKeys ? blockKeyOf(merged ?? ours ?? base ?? '') : undefined;
  return block === undefined ? conflict : { ...conflict, block };
}

const nothing: PageSource = { frontmatter: new Uint8Array(), body: new Uint8Array() };

function mergeBodies(
  { base, ours, theirs }: Record<'base' | 'ours' | 'theirs', string>,
  choose: ChooseBlock,
): { text: string; conflicts: BlockConflict[] } {
  if (ours === theirs || theirs === base) return { text: ours, conflicts: [] };
  if (ours === base) return { text: theirs, conflicts: [] };
  return mergeBlocks(
    { base: splitBlocks(base), ours: splitBlocks(ours), theirs: splitBlocks(theirs) },
    choose,
  );
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
