import { findRevision, openTree, spaceNamedIn, type PageLookup } from '@bindery/content';
import { referencesOf } from '@bindery/dialect';
import type { DocumentTree } from '@bindery/contract';
import { Space, type SpaceRecord } from '@bindery/models';
import { isSpaceShown } from '../site/shownTo.ts';
import { shownTree } from './references.ts';
import type { ContentReader } from '../visitor/visitor.ts';

/** Maximum number of other spaces loaded for one document; links into further spaces stay URLs. */
const maxSpaces = 50;

type Linking = { organization: string; space: string; reader: ContentReader };

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
  const { visitor } = reader;
  const isVisible = visitor
    ? async ({ _id }: SpaceRecord) => isSpaceShown(_id, visitor)
    : await reader.seesIn(organization);
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
