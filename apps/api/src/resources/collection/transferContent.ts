import { ApiError, notFound } from '@bindery/contract';
import { cancelJobsAbout, hideJobsAbout, transferJobsOf } from '@bindery/jobs';
import {
  changeTree,
  Collection,
  GitCredential,
  GitRepository,
  GitSyncPoint,
  Grant,
  holdTree,
  Invite,
  Member,
  Overtaken,
  positionAtEnd,
  refreshAccess,
  retryOptimistic,
  Revision,
  siblingModels,
  SiteSpace,
  Space,
  spaceRecordsOfOrganization,
  tellVisibility,
  Translation,
  type ClientSession,
  type CollectionRecord,
  type MemberRecord,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { organizationPermissions } from '../../permissions/organization.ts';
import { changeRecord } from '../../records/changeRecord.ts';
import { findMembership } from '../organization/organization.scope.ts';
import { copyRevisions } from './copyRevisions.ts';
import { replaceAncestors } from './descendants.ts';
import { requireAdminBelow } from './requireAdminBelow.ts';

export type Transferred<R> = { record: R; organization: OrganizationRecord; member: MemberRecord };

/**
 * Moves a collection with all that is in it, deleted spaces too, to the root of another organization. What was granted to somebody who is not a member
 * there, or to a team, is dropped, and so are links that invite to it and translations of or to a space of it. Git sync ends: logins and sync points
 * are removed, and jobs that have not ended are cancelled.
 *
 * @param member  the caller in the organization that it leaves
 * @throws conflict in the same organization; not_found when the target is not one in which the caller may create content; forbidden when the caller
 *   is not an admin of everything below; precondition_failed while one of the spaces is on a site
 */
export async function transferCollection(
  { _id, organization: from, access }: CollectionRecord,
  { actor, member, organization: to }: Transfer & { member: MemberRecord },
): Promise<Transferred<CollectionRecord>> {
  const target = await loadTarget(actor, { from, to });
  // Before anything is copied.
  await requireAdminBelow({ _id, access }, member);
  const spacesOf = async (session?: ClientSession) => Space.distinct('_id', { ancestors: _id }).session(session ?? null);
  const record = await transfer({ from, to, spacesOf }, async (spaces, session) => {
    const collection = await Collection.findOne({ _id, organization: from }).session(session).lean<CollectionRecord>();
    if (!collection) throw notFound('collection', _id);
    await requireAdminBelow(collection, member, session);
    const collections = await Collection.distinct('_id', { ancestors: _id }).session(session);
    const changed = await changeRecord(Collection, collection, await placeAtRoot(to, session), { session });
    await replaceAncestors(changed, session);
    await moveGrants([_id, ...collections, ...spaces], { from, to }, session);
    await refreshAccess([_id], session);
    return (await Collection.findById(_id).session(session).lean<CollectionRecord>()) ?? changed;
  });
  return { record, ...target };
}

/** The same for one space. */
export async function transferSpace(
  { _id, organization: from }: SpaceRecord,
  { actor, organization: to }: Transfer,
): Promise<Transferred<SpaceRecord>> {
  const target = await loadTarget(actor, { from, to });
  const record = await transfer({ from, to, spacesOf: async () => [_id] }, async (spaces, session) => {
    const space = await Space.findOne({ _id, organization: from, isDeleted: false }).session(session).lean<SpaceRecord>();
    if (!space) throw notFound('space', _id);
    const changed = await changeRecord(Space, space, await placeAtRoot(to, session), { session });
    await tellVisibility(space, changed, session);
    await moveGrants(spaces, { from, to }, session);
    await refreshAccess([_id], session);
    return (await Space.findById(_id).session(session).lean<SpaceRecord>()) ?? changed;
  });
  return { record, ...target };
}

type Transfer = { actor: Actor; organization: string };

async function loadTarget(actor: Actor, { from, to }: { from: string; to: string }) {
  if (to === from) throw new ApiError('conflict', 'It is already in this organization.');
  const membership = await findMembership(actor, to);
  if (!membership || !organizationPermissions(membership.member).createContent) throw notFound('organization', to);
  return membership;
}

/** Copies the content of the spaces, then moves them. Where somebody wrote into them in between, it starts over and copies the rest. */
async function transfer<R>(
  { from, to, spacesOf }: { from: string; to: string; spacesOf: (session?: ClientSession) => Promise<string[]> },
  move: (spaces: string[], session: ClientSession) => Promise<R>,
): Promise<R> {
  const copied = new Set<string>();
  const { record, translations, followJobs } = await retryOptimistic({
    attempts: 10,
    attempt: async () => {
      const spaces = await spacesOf();
      await refuseAttached(spaces);
      await copyRevisions({ spaces, copied, to });
      return changeTree([from, to], async (session) => {
        await holdTree(spaces, session);
        const now = await spacesOf(session);
        await refuseAttached(now, session);
        const revisions = await Revision.distinct('_id', { space: { $in: now } }).session(session);
        if (!revisions.every((id) => copied.has(id))) throw new Overtaken();
        const follow = await moveRecords(now, to, session);
        return { record: await move(now, session), translations: await endTranslations(now, from, session), followJobs: follow };
      });
    },
    refusal: () => new ApiError('conflict', 'The content keeps changing during the transfer; try again when nobody edits it.'),
  });
  await followJobs();
  await cancelJobsAbout(translations);
  return record;
}

async function refuseAttached(spaces: readonly string[], session: ClientSession | null = null): Promise<void> {
  if (!(await SiteSpace.exists({ space: { $in: spaces } }).session(session))) return;
  throw new ApiError('precondition_failed', 'A space that is on a site stays in its organization.', {
    action: 'Remove it from its sites, then transfer it again.',
  });
}

async function placeAtRoot(organization: string, session: ClientSession) {
  const position = await positionAtEnd(siblingModels, organization, session);
  return { organization, parent: undefined, ancestors: [], siblingsOf: organization, position, updatedAt: new Date() };
}

/**
 * Moves everything that belongs to the spaces and names its organization.
 *
 * @returns what to call when the transaction is committed
 */
async function moveRecords(spaces: readonly string[], organization: string, session: ClientSession): Promise<() => Promise<void>> {
  // First: it notes the organization that jobs come from, also beside what is kept of them.
  const followJobs = await transferJobsOf(spaces, { organization, session });
  for (const model of spaceRecordsOfOrganization)
    await model.updateMany({ space: { $in: spaces } }, { $set: { organization } }, { session });
  await endSync(spaces, session);
  return followJobs;
}

/** The repository and the logins for it are those of the organization that the spaces leave. */
async function endSync(spaces: readonly string[], session: ClientSession): Promise<void> {
  await GitCredential.deleteMany({ space: { $in: spaces } }, { session });
  await GitSyncPoint.deleteMany({ space: { $in: spaces } }, { session });
  await GitRepository.deleteMany({ space: { $in: spaces } }, { session });
  await Space.updateMany({ _id: { $in: spaces } }, { $unset: { gitSync: 1, syncedWith: 1, lastGitTimestamp: 1 } }, { session });
}

/** What members of both organizations were granted stays. */
async function moveGrants(targets: readonly string[], { from, to }: { from: string; to: string }, session: ClientSession): Promise<void> {
  const users = await Grant.distinct('principal', { target: { $in: targets }, principalType: 'user' }).session(session);
  const members = await Member.distinct('user', { organization: to, user: { $in: users } }).session(session);
  await Grant.deleteMany({ target: { $in: targets }, principal: { $nin: members } }, { session });
  await Grant.updateMany({ target: { $in: targets } }, { $set: { organization: to } }, { session });
  await Invite.deleteMany({ organization: from, 'target.id': { $in: targets } }, { session });
}

/** Otherwise one organization would go on reading what another one writes. @returns the ids of those that were removed */
async function endTranslations(spaces: readonly string[], organization: string, session: ClientSession): Promise<string[]> {
  const ended = { organization, $or: [{ 'source.space': { $in: spaces } }, { 'result.space': { $in: spaces } }] };
  const ids = await Translation.distinct('_id', ended).session(session);
  await Translation.deleteMany({ _id: { $in: ids } }, { session });
  for (const id of ids) await hideJobsAbout(id, session);
  return ids;
}
