import { findRevision, openTree, spaceNamedIn, type PageLookup } from '@bindery/content';
import { referencesOf } from '@bindery/dialect';
import type { DocumentTree } from '@bindery/contract';
import { Space, type SpaceRecord } from '@bindery/models';
import { isSpaceShown, shownTree } from '@bindery/publishing';
import type { Reader } from '../../../http/actor.ts';
import { roleInContent } from '../../../permissions/access.ts';
import { findOwnMember } from '../../../records/ownMember.ts';

/** Maximum number of other spaces loaded for one document; links into further spaces stay URLs. */
const maxSpaces = 50;

type Linking = { organization: string; space: string; reader: Reader };

/** Loads the main content of the other spaces that a document links to and its reader may see. */
export async function loadLinkedSpaces(
  document: DocumentTree,
  linking: Linking,
): Promise<Map<string, PageLookup>> {
  const { organization, reader } = linking;
  const trees = new Map<string, PageLookup>();
  for (const space of await findLinkedSpaces(document, linking)) {
    const revision = await findRevision(space._id, space.revision);
    if (revision)
      trees.set(
        space._id,
        await shownTree(await openTree(organization, revision.pages), { revision, reader }),
      );
  }
  return trees;
}

/** The other spaces that a document links to and its reader may see. */
export async function findLinkedSpaces(
  document: DocumentTree,
  { organization, space: own, reader }: Linking,
): Promise<SpaceRecord[]> {
  const named = [...namedSpaces(document)].filter((space) => space !== own).slice(0, maxSpaces);
  if (named.length === 0) return [];
  const spaces = await Space.find({ _id: { $in: named }, organization, isDeleted: false }).lean<
    SpaceRecord[]
  >();
  const isVisible = await visibility(organization, reader);
  const visible: SpaceRecord[] = [];
  for (const space of spaces) if (await isVisible(space)) visible.push(space);
  return visible;
}

/** The spaces named in cached documents. */
const known = new WeakMap<DocumentTree, ReadonlySet<string>>();

function namedSpaces(document: DocumentTree): ReadonlySet<string> {
  const spaces =
    known.get(document) ?? new Set(targetsOf(document).flatMap((target) => spaceNamedIn(target) ?? []));
  known.set(document, spaces);
  return spaces;
}

function targetsOf(document: DocumentTree): string[] {
  return [...referencesOf(document)].flatMap(({ target }) => target ?? []);
}

async function visibility(
  organization: string,
  { actor, visitor }: Reader,
): Promise<(space: SpaceRecord) => Promise<boolean>> {
  if (visitor) return async ({ _id }) => isSpaceShown(_id, visitor);
  const member = await findOwnMember(actor, organization);
  return async ({ _id: id, access }) =>
    member !== undefined && roleInContent({ member, access, id }) !== null;
}
