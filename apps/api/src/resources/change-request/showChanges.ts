import { diffContent, findRevision, loadRevision } from '@bindery/content';
import type { ContentDifferences } from '@bindery/contract';
import type { ChangeRequestRecord, RevisionRecord } from '@bindery/models';
import { presentChanges } from './changes.presenter.ts';
import { baseOf } from './combineContent.ts';
import type { Links } from '../../presenters/links.ts';
import type { Viewer } from '../user/showUsers.ts';
import { showMergedFrom } from './showMergedFrom.ts';

/**
 * The changes of a change request: compares its content with the main content that it was created from or
 * last updated with.
 */
export async function changesOfChangeRequest(
  changeRequest: ChangeRequestRecord,
  { links, limit }: { links: Links; limit: number },
): Promise<ContentDifferences> {
  const { space, revision } = changeRequest;
  const [before, after] = await Promise.all([
    findRevision(space, baseOf(changeRequest)),
    loadRevision(space, revision),
  ]);
  return differences([before, after], { links, limit });
}

/**
 * The changes of a revision against its predecessor: of main content for a merge, of the change request for
 * an update. The first revision adds everything.
 */
export async function changesOfRevision(
  revision: RevisionRecord,
  { limit }: { limit: number },
  viewer: Viewer,
): Promise<ContentDifferences> {
  const [parent] = revision.parents;
  const before = parent === undefined ? undefined : await findRevision(revision.space, parent);
  return {
    ...(await showMergedFrom(revision, viewer)),
    ...(await differences([before, revision], { links: viewer.links, limit })),
  };
}

async function differences(
  [before, after]: [RevisionRecord | undefined, RevisionRecord],
  { links, limit }: { links: Links; limit: number },
): Promise<ContentDifferences> {
  const changes = presentChanges(await diffContent(before, after), { links, revision: after });
  return {
    changes: changes.slice(0, limit),
    more: changes.length > limit ? changes.length - limit : undefined,
  };
}
