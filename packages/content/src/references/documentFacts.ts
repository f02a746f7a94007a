import type { DocumentTree } from '@bindery/contract';
import type { DocumentLinkRecord } from '@bindery/models';
import { headingsOf } from '../document/headingsOf.ts';
import { referencesOf } from '../document/referencesOf.ts';
import { spaceNamedIn } from './spaceUrl.ts';
import { writeStableTarget } from './stableTarget.ts';

/** Raised when the same document gives other facts: then all are made anew. */
export const factsFormat = 1;

/** A record of MongoDB holds 16 MB: what a page has beyond this is not looked at. */
const maxCharacters = 2_000_000;
const maxTargetLength = 4096;

/** What a document refers to, by target and use in the order of their first appearance; and where it can be referred to. */
export type DocumentFacts = { links: readonly DocumentLinkRecord[]; anchors: readonly string[]; spaces: readonly string[] };

/** @param document  as it was parsed: its references are targets as they are written */
export function factsOf(document: DocumentTree): DocumentFacts {
  const links = new Map<string, DocumentLinkRecord>();
  const spaces = new Set<string>();
  let characters = 0;
  for (const { target: written, ref, use, blockKey } of referencesOf(document)) {
    const target = written ?? (ref && writeStableTarget(ref));
    if (target === undefined || target.length > maxTargetLength) continue;
    characters += target.length + blockKey.length;
    if (characters > maxCharacters) break;
    const space = spaceNamedIn(target);
    if (space !== undefined) spaces.add(space);
    const key = `${use} ${target}`;
    const known = links.get(key);
    if (!known) links.set(key, { target, use, blocks: [blockKey] });
    else if (!known.blocks.includes(blockKey)) known.blocks.push(blockKey);
  }
  const anchors = new Set<string>();
  for (const { id } of headingsOf(document)) {
    if ((characters += id.length) > maxCharacters) break;
    if (id !== '') anchors.add(id);
  }
  return { links: [...links.values()], anchors: [...anchors], spaces: [...spaces] };
}
