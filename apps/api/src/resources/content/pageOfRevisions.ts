import type { RevisionSummary } from '@bindery/contract';
import { Revision, type SpaceRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { presentRevisionSummary, type RevisionInList } from '../../presenters/content.presenter.ts';
import { presentMergedFrom } from '../change-request/showMergedFrom.ts';
import { showUsers, type Viewer } from '../user/showUsers.ts';

/**
 * The revisions that have been the main content of a space, the current one first. Each is the first parent
 * of the one above it, as in `git log --first-parent`; revisions that change requests made are left out.
 */
export async function pageOfRevisions(
  space: Pick<SpaceRecord, '_id' | 'revision'>,
  { limit, after, metadata }: PageQuery & { metadata: boolean },
  viewer: Viewer,
): Promise<Page<RevisionSummary>> {
  if (limit === 0) return { items: [] };
  const first = after ? String(after[0]) : space.revision;
  const found = await findAncestors(space._id, first, limit + 1);
  const shown = found.slice(0, limit);
  // Unlike in other lists, the page token names the item that the next page begins with.
  const next = found[limit];
  const { links } = viewer;
  const userOf = await showUsers(
    shown.flatMap(({ createdBy, mergedFrom }) => [createdBy, ...(mergedFrom ? [mergedFrom.createdBy] : [])]),
    viewer,
  );
  const items = shown.map((revision) =>
    presentRevisionSummary(
      revision,
      { createdBy: userOf(revision.createdBy), ...presentMergedFrom(revision, { links, userOf }) },
      { links, metadata },
    ),
  );
  return { items, next: next && [next._id] };
}

/** A revision and its first parents, the newest first, at most `limit`. */
async function findAncestors(space: string, first: string, limit: number): Promise<RevisionInList[]> {
  const known = new Map<string, RevisionInList>();
  const found: RevisionInList[] = [];
  let id: string | undefined = first;
  while (id !== undefined && found.length < limit) {
    if (!known.has(id)) for (const one of await findNear(space, id)) known.set(one._id, one);
    const revision = known.get(id);
    if (!revision) break;
    found.push(revision);
    [id] = revision.parents;
  }
  return found;
}

/** Most of them are the ancestors that follow: one query for each would take ten times as long. */
const nearby = 100;

/** A revision, and the ones that its space got before it. */
async function findNear(space: string, id: string): Promise<RevisionInList[]> {
  const revision = await Revision.findOne({ _id: id, space }, shownFields).lean<RevisionInList>();
  if (!revision) return [];
  const { createdAt } = revision;
  const earlier = await Revision.find({ space, createdAt: { $lte: createdAt } }, shownFields)
    .sort({ createdAt: -1, _id: -1 })
    .limit(nearby)
    .lean<RevisionInList[]>();
  return [revision, ...earlier];
}

const shownFields = {
  space: 1,
  type: 1,
  parents: 1,
  createdBy: 1,
  createdAt: 1,
  git: 1,
  mergedFrom: 1,
} satisfies Record<Exclude<keyof RevisionInList, '_id'>, 1>;
