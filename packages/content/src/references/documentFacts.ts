import type { DocumentTree } from '@bindery/contract';
import { isSafeTarget } from '@bindery/contract/linkTarget';
import type { DocumentLinkRecord } from '@bindery/models';
import { numberChains, headingsOf, referencesOf, type FoundReference } from '@bindery/dialect';
import { partsOfBlock } from '@bindery/dialect/openapi';
import { spaceNamedIn } from './spaceUrl.ts';
import { writeStableTarget } from '@bindery/dialect/links';

/** Must be raised when the facts of an unchanged document change: then all facts are computed again. */
export const factsFormat = 5;

/** Limit for the facts of a page, because MongoDB limits a record to 16 MB. */
const maxCharacters = 2_000_000;
const maxTargetLength = 4096;

/**
 * The references of a document, by target and use in the order of their first occurrence; and its anchors.
 */
export type DocumentFacts = {
  links: readonly DocumentLinkRecord[];
  anchors: readonly string[];
  spaces: readonly string[];
  chains: readonly (readonly string[])[];
};

/** The facts of a document without content, or of one that nobody can read. */
export const noFacts: DocumentFacts = { links: [], anchors: [], spaces: [], chains: [] };

/**
 * @param document     the parsed document, with targets as written
 *
 * @param forVisitors  the document as visitors may receive it: `parseForVisitors`
 */
export function factsOf(document: DocumentTree, forVisitors: DocumentTree = document): DocumentFacts {
  const { chains, shownOn } = chainsOfTargets(forVisitors);
  const links = new Map<string, DocumentLinkRecord>();
  const spaces = new Set<string>();
  let characters = 0;
  for (const reference of referencesOf(document)) {
    const { use, blockKey, openapi } = reference;
    const target = targetIn(reference);
    if (
      target === undefined ||
      target.length > maxTargetLength ||
      !isSafeTarget(target, use === 'image' ? 'picture' : 'link')
    )
      continue;
    if (characters > maxCharacters) break;
    const space = spaceNamedIn(target);
    if (space !== undefined) spaces.add(space);
    const on = shownOn.get(`${use} ${target}`) ?? [];
    // A block may show many schemas of a specification.
    const parts = openapi ? partsOfBlock(openapi) : [undefined];
    for (const part of parts) {
      characters += target.length + blockKey.length + (part?.join(' ').length ?? 0);
      if (characters > maxCharacters) break;
      const key = `${use} ${target} ${part?.join(' ') ?? ''}`;
      const known = links.get(key);
      if (!known)
        links.set(key, {
          target,
          use,
          part,
          blocks: [blockKey],
          shownOn: on === 'always' ? undefined : [...on],
        });
      else if (!known.blocks.includes(blockKey)) known.blocks.push(blockKey);
    }
  }
  const anchors = new Set<string>();
  for (const { id } of headingsOf(document)) {
    if ((characters += id.length) > maxCharacters) break;
    if (id !== '') anchors.add(id);
  }
  return { links: [...links.values()], anchors: [...anchors], spaces: [...spaces], chains };
}

/** The conditions on which visitors read targets, by use and target. */
function chainsOfTargets(document: DocumentTree): {
  chains: string[][];
  shownOn: Map<string, 'always' | Set<number>>;
} {
  const { chains, numberOf } = numberChains();
  const shownOn = new Map<string, 'always' | Set<number>>();
  for (const reference of referencesOf(document)) {
    const key = `${reference.use} ${targetIn(reference) ?? ''}`;
    const known = shownOn.get(key);
    if (known === 'always') continue;
    if (reference.conditions.length === 0) {
      shownOn.set(key, 'always');
      continue;
    }
    const chain = numberOf(reference.conditions);
    shownOn.set(key, new Set([...(known ?? []), ...(chain === undefined ? [] : [chain])]));
  }
  return { chains, shownOn };
}

function targetIn({ target, ref }: FoundReference): string | undefined {
  return target ?? (ref && writeStableTarget(ref));
}
