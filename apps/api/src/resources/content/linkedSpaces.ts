import { findRevision, openTree, spaceNamedIn, type PageLookup, referencesOf } from '@bindery/content';
import type { DocumentTree } from '@bindery/contract';
import { Space, type SpaceRecord } from '@bindery/models';
import type { Reader } from '../../http/actor.ts';
import { roleInContent } from '../../permissions/access.ts';
import { findOwnMember } from '../member/ownMember.ts';
import { isSpaceShown } from '../site/shownTo.ts';
import { shownTree } from './references.ts';

/** So many other spaces are looked into for one document; links into further ones stay URLs. */
const maxSpaces = 50;

/** The main content of the other spaces that a document links to, as far as its reader may see them. */
export async function loadLinkedSpaces(
  document: DocumentTree,
  { organization, space: own, reader }: { organization: string; space: string; reader: Reader },
): Promise<Map<string, PageLookup>> {
  const named = new Set<string>();
  for (const { target } of referencesOf(document)) {
    const space = target === undefined ? undefined : spaceNamedIn(target);
    if (space !== undefined && space !== own && named.size < maxSpaces) named.add(space);
  }
  const trees = new Map<string, PageLookup>();
  if (named.size === 0) return trees;
  const spaces = await Space.find({ _id: { $in: [...named] }, organization, isDeleted: false }).lean<SpaceRecord[]>();
  const isVisible = await visibility(organization, reader);
  for (const space of spaces) {
    const revision = (await isVisible(space)) ? await findRevision(space._id, space.revision) : undefined;
    if (revision) trees.set(space._id, await shownTree(await openTree(organization, revision.pages), { revision, reader }));
  }
  return trees;
}

async function visibility(organization: string, { actor, visitor }: Reader): Promise<(space: SpaceRecord) => Promise<boolean>> {
  if (visitor) return async ({ _id }) => isSpaceShown(_id, visitor);
  const member = await findOwnMember(actor, organization);
  return async ({ _id: id, access }) => member !== undefined && roleInContent({ member, access, id }) !== null;
}
