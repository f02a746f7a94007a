import { invalid, notFound, type RequestReviewers } from '@bindery/contract';
import {
  ChangeRequest,
  Member,
  Review,
  type ChangeRequestRecord,
  type MemberRecord,
  type RequestedReviewerRecord,
  type SpaceRecord,
} from '@bindery/models';
import { compact } from '@bindery/runtime';
import { roleInContent } from '../../permissions/access.ts';
import { changeRecord } from '../../records/changeRecord.ts';
import { writeInThread, type Thread } from '../../records/thread.ts';

/**
 * Requests reviews from members. Members who were asked before are asked again, and their earlier reviews
 * become outdated.
 *
 * @returns the requests, in the given order
 * @throws invalid_request for a user who is not a member or cannot see the space
 */
export async function requestReviewers(
  { _id: id }: ChangeRequestRecord,
  { users, subject }: RequestReviewers,
  { thread, requestedBy }: { thread: Thread; requestedBy: string },
): Promise<RequestedReviewerRecord[]> {
  const asked = [...new Set(users)];
  await refuseStrangers(asked, thread.space);
  return writeInThread(thread, async (session) => {
    const current = await ChangeRequest.findById(id).session(session).lean<ChangeRequestRecord>();
    if (!current) throw notFound('change request', id);
    const now = new Date();
    const added = asked.map((user) => ({ user, requestedBy, revision: current.revision, createdAt: now }));
    const requestedReviewers = [
      ...current.requestedReviewers.filter(({ user }) => !asked.includes(user)),
      ...added,
    ];
    const changes = compact({ requestedReviewers, updatedAt: now, subject });
    await changeRecord<ChangeRequestRecord>(ChangeRequest, current, changes, { session });
    await Review.updateMany(
      { changeRequest: id, reviewer: { $in: asked }, isOutdated: false },
      { $set: { isOutdated: true, updatedAt: now } },
      { session },
    );
    return added;
  });
}

async function refuseStrangers(
  users: readonly string[],
  { organization, access }: SpaceRecord,
): Promise<void> {
  const members = await Member.find({ organization, user: { $in: users } }).lean<MemberRecord[]>();
  const seeing = new Set(
    members.filter((member) => roleInContent({ member, access }) !== null).map(({ user }) => user),
  );
  const stranger = users.findIndex((user) => !seeing.has(user));
  if (stranger !== -1)
    throw invalid(`body.users[${stranger}]`, 'is not the id of a member who may see this space.');
}
