import { invalid, type CreateInvite, type UpdateInvite } from '@bindery/contract';
import { Invite, withTransaction, type InviteRecord, type MemberRecord } from '@bindery/models';
import { compact, newId } from '@bindery/runtime';
import { changeRecord } from '../../records/changeRecord.ts';
import { findInviteTarget } from './inviteTarget.ts';

/** Creates a link invite. Its id is the secret: anyone who knows it can use the link. */
export async function createInvite(
  { organization, user }: MemberRecord,
  body: CreateInvite,
): Promise<InviteRecord> {
  const target = targetOf(body);
  const invite: InviteRecord = {
    _id: newId(),
    organization,
    role: body.role === undefined ? (body.level ?? null) : body.role,
    target,
    version: 1,
    createdBy: user,
    createdAt: new Date(),
  };
  await withTransaction(async (session) => {
    if (target && !(await findInviteTarget(invite, session))) {
      throw invalid(`body.${target.type}`, `is not the id of a ${target.type} of this organization.`);
    }
    await Invite.create([invite], { session });
  });
  return invite;
}

function targetOf({ space, collection }: CreateInvite): InviteRecord['target'] {
  if (space !== undefined) return { type: 'space', id: space };
  return collection === undefined ? undefined : { type: 'collection', id: collection };
}

/** Changes the role or level that a link gives. Users who have used it already keep their access. */
export async function updateInvite(
  invite: InviteRecord,
  { role, level }: UpdateInvite,
): Promise<InviteRecord> {
  if (invite.target && role !== undefined)
    throw invalid('body.role', `is for links to an organization; this one leads to a ${invite.target.type}.`);
  if (!invite.target && level !== undefined)
    throw invalid('body.level', 'is for links to a space or a collection.');
  const given = invite.target ? level : role;
  return changeRecord<InviteRecord>(Invite, invite, compact({ role: given }));
}
