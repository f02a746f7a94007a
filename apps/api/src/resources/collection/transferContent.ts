import { removeHistory } from '@bindery/content';
import { ApiError, notFound } from '@bindery/contract';
import { cancelJobsAbout, hideJobsAbout, transferJobsOf } from '@bindery/jobs';
import {
  changeTree,
  Collection,
  GitCredential,
  GitHook,
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
import type { BlobStore } from '@bindery/storage';
import type { Actor } from '../../http/actor.ts';
import { organizationPermissions } from '../../permissions/organization.ts';
import { changeRecord } from '../../records/changeRecord.ts';
import { findMembership } from '../organization/organization.scope.ts';
import { copyRevisions } from './copyRevisions.ts';
import { replaceAncestors } from './descendants.ts';
import { requireAdminBelow } from './requireAdminBelow.ts';

export type Transferred<R> = { record: R; organization: OrganizationRecord; member: MemberRecord };

/**
 * Moves a collection with everything in it, deleted spaces too, to the root of another organization. Removes
 * grants to teams and to users who are not members there, link invites to the collection, and translations
 * from or into its spaces. Git sync ends: logins and sync points are removed, and unfinished jobs are
 * cancelled.
 *
 * @param member  the caller in the organization that the collection leaves
 * @throws conflict for the same organization; not_found when the caller may not create content in the target;
 *   forbidden when the caller is not an admin of everything below; precondition_failed while one of the
 *   spaces is on a site
 */
export async function transferCollection(
  { _id, organization: from, access }: CollectionRecord,
  { blobs, actor, member, organization: to }: Transfer & { member: MemberRecord },
): Promise<Transferred<CollectionRecord>> {
  const target = await loadTarget(actor, { from, to });
  // Checked before the copy, which may take long.
  await requireAdminBelow({ _id, access }, member);
  const spacesOf = async (session?: ClientSession) =>
    Space.distinct('_id', { ancestors: _id }).session(session ?? null);
  const record = await transfer({ blobs, from, to, spacesOf }, async (spaces, session) => {
    const collection = await Collection.findOne({ _id, organization: from })
      .session(session)
      .lean<CollectionRecord>();
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

/** Moves one space in the same way. */
export async function transferSpace(
  { _id, organization: from }: SpaceRecord,
  { blobs, actor, organization: to }: Transfer,
): Promise<Transferred<SpaceRecord>> {
  const target = await loadTarget(actor, { from, to });
  const record = await transfer({ blobs, from, to, spacesOf: async () => [_id] }, async (spaces, session) => {
    const space = await Space.findOne({ _id, organization: from, isDeleted: false })
      .session(session)
      .lean<SpaceRecord>();
    if (!space) throw notFound('space', _id);
    const changed = await changeRecord(Space, space, await placeAtRoot(to, session), { session });
    await tellVisibility(space, changed, session);
    await moveGrants(spaces, { from, to }, session);
    await refreshAccess([_id], session);
    return (await Space.findById(_id).session(session).lean<SpaceRecord>()) ?? changed;
  });
  return { record, ...target };
}

type Transfer = { blobs: BlobStore; actor: Actor; organization: string };

async function loadTarget(actor: Actor, { from, to }: { from: string; to: string }) {
  if (to === from) throw new ApiError('conflict', 'It is already in this organization.');
  const membership = await findMembership(actor, to);
  if (!membership || !organizationPermissions(membership.member).createContent)
    throw notFound('organization', to);
  return membership;
}

type TransferredSpaces = {
  blobs: BlobStore;
  from: string;
  to: string;
  spacesOf: (session?: ClientSession) => Promise<string[]>;
};

/**
 * Copies the content of the spaces, then moves them. If their content changes in between, it starts again and
 * copies the rest.
 */
async function transfer<R>(
  { blobs, from, to, spacesOf }: TransferredSpaces,
  move: (spaces: string[], session: ClientSession) => Promise<R>,
): Promise<R> {
  const copied = new Set<string>();
  const { record, translations, followJobs } = await retryOptimistic({
    attempts: 10,
    attempt: async () => {
      const spaces = await spacesOf();
      await refuseAttached(spaces);
      await copyRevisions({ blobs, spaces, copied, to });
      return changeTree([from, to], async (session) => {
        await holdTree(spaces, session);
        const now = await spacesOf(session);
        await refuseAttached(now, session);
        const revisions = await Revision.distinct('_id', { space: { $in: now } }).session(session);
        if (!revisions.every((id) => copied.has(id))) throw new Overtaken();
        const follow = await moveRecords(now, to, session);
        return {
          record: await move(now, session),
          translations: await endTranslations(now, from, session),
          followJobs: follow,
        };
      });
    },
    refusal: () =>
      new ApiError(
        'conflict',
        'The content keeps changing during the transfer; try again when nobody edits it.',
      ),
  });
  await followJobs();
  await cancelJobsAbout(translations);
  return record;
}

async function refuseAttached(
  spaces: readonly string[],
  session: ClientSession | null = null,
): Promise<void> {
  if (!(await SiteSpace.exists({ space: { $in: spaces } }).session(session))) return;
  throw new ApiError('precondition_failed', 'A space that is on a site stays in its organization.', {
    action: 'Remove it from its sites, then transfer it again.',
  });
}

async function placeAtRoot(organization: string, session: ClientSession) {
  const position = await positionAtEnd(siblingModels, organization, session);
  return {
    organization,
    parent: undefined,
    ancestors: [],
    siblingsOf: organization,
    position,
    updatedAt: new Date(),
  };
}

/**
 * Writes the new organization into all records of the spaces.
 *
 * @returns a function to call after the commit
 */
async function moveRecords(
  spaces: readonly string[],
  organization: string,
  session: ClientSession,
): Promise<() => Promise<void>> {
  // This comes first: it stores the organization that the jobs come from.
  const followJobs = await transferJobsOf(spaces, { organization, session });
  for (const model of spaceRecordsOfOrganization)
    await model.updateMany({ space: { $in: spaces } }, { $set: { organization } }, { session });
  await endSync(spaces, session);
  return followJobs;
}

/** The repository and its logins belong to the organization that the spaces leave. */
async function endSync(spaces: readonly string[], session: ClientSession): Promise<void> {
  await GitCredential.deleteMany({ space: { $in: spaces } }, { session });
  await GitHook.deleteMany({ space: { $in: spaces } }, { session });
  await GitSyncPoint.deleteMany({ space: { $in: spaces } }, { session });
  await GitRepository.deleteMany({ space: { $in: spaces } }, { session });
  await removeHistory(spaces, session);
  await Space.updateMany(
    { _id: { $in: spaces } },
    { $unset: { gitSync: 1, syncedWith: 1, historyVersion: 1, lastGitTimestamp: 1 } },
    { session },
  );
}

/** Keeps grants to users who are members of both organizations. */
async function moveGrants(
  targets: readonly string[],
  { from, to }: { from: string; to: string },
  session: ClientSession,
): Promise<void> {
  const users = await Grant.distinct('principal', {
    target: { $in: targets },
    principalType: 'user',
  }).session(session);
  const members = await Member.distinct('user', { organization: to, user: { $in: users } }).session(session);
  await Grant.deleteMany({ target: { $in: targets }, principal: { $nin: members } }, { session });
  await Grant.updateMany({ target: { $in: targets } }, { $set: { organization: to } }, { session });
  await Invite.deleteMany({ organization: from, 'target.id': { $in: targets } }, { session });
}

/**
 * Removes translations, through which one organization would read the content of the other. @returns their
 * ids
 */
async function endTranslations(
  spaces: readonly string[],
  organization: string,
  session: ClientSession,
): Promise<string[]> {
  const ended = {
    organization,
    $or: [{ 'source.space': { $in: spaces } }, { 'result.space': { $in: spaces } }],
  };
  const ids = await Translation.distinct('_id', ended).session(session);
  await Translation.deleteMany({ _id: { $in: ids } }, { session });
  for (const id of ids) await hideJobsAbout(id, session);
  return ids;
}
