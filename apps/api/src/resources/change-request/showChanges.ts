import { diffContent, findRevision, loadRevision } from '@bindery/content';
import type { ContentDifferences } from '@bindery/contract';
import type { ChangeRequestRecord, RevisionRecord } from '@bindery/models';
import { presentChanges } from './changes.presenter.ts';
import { baseOf } from './combineContent.ts';
import type { Viewer } from '../user/showUsers.ts';
import { showMergedFrom } from './showMergedFrom.ts';

/** What a change request changes: its content against the main content that it was made from, or last brought up to date with. */
export async function changesOfChangeRequest(
  changeRequest: ChangeRequestRecord,
  { limit }: { limit: number },
): Promise<ContentDifferences> {
  const { space, revision } = changeRequest;
  const [before, after] = await Promise.all([findRevision(space, baseOf(changeRequest)), loadRevision(space, revision)]);
  return differences([before, after], limit);
}

/** What a revision changed against the one before it: for a merge the main content, for an update the change request. The first one brought everything. */
export async function changesOfRevision(
  revision: RevisionRecord,
  { limit }: { limit: number },
  viewer: Viewer,
): Promise<ContentDifferences> {
  const [parent] = revision.parents;
  const before = parent === undefined ? undefined : await findRevision(revision.space, parent);
  return { ...(await showMergedFrom(revision, viewer)), ...(await differences([before, revision], limit)) };
}

async function differences([before, after]: [RevisionRecord | undefined, RevisionRecord], limit: number): Promise<ContentDifferences> {
  const changes = presentChanges(await diffContent(before, after), after);
  return { changes: changes.slice(0, limit), ...(changes.length > limit && { more: changes.length - limit }) };
}
