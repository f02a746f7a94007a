import { loadReferenceContext, type RevisionReferences } from '@bindery/content';
import { Space, type RevisionRecord, type SpaceRecord } from '@bindery/models';
import { visibleTo } from '../../permissions/access.ts';
import { loadMainRevisions } from '../../records/mainRevisions.ts';
import type { LinkedContent, LinkViewer } from './link.scope.ts';

/** A space that the caller may see, with its relevant revision. */
export type SeenSpace = { space: SpaceRecord; revision: RevisionRecord; references: RevisionReferences };

/**
 * Loads the viewed space with the viewed revision, and those other spaces that exist and that the caller may
 * see, with their main content.
 */
export async function loadSeenSpaces(
  viewer: LinkViewer,
  { revision }: LinkedContent,
  others: readonly string[],
): Promise<Map<string, SeenSpace>> {
  const { space: own, organization, member } = viewer;
  const seen = new Map([
    [own._id, { space: own, revision, references: await loadReferenceContext(revision) }],
  ]);
  if (others.length === 0) return seen;
  const filter = {
    _id: { $in: others },
    organization: organization._id,
    isDeleted: false,
    ...visibleTo(member),
  };
  const spaces = await Space.find(filter).lean<SpaceRecord[]>();
  const revisions = await loadMainRevisions(spaces);
  for (const space of spaces) {
    const main = revisions.get(space._id);
    if (main && space._id !== own._id)
      seen.set(space._id, { space, revision: main, references: await loadReferenceContext(main) });
  }
  return seen;
}
