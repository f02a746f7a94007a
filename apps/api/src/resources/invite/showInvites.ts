import { notFound, type Invite, type ListedInvite } from '@bindery/contract';
import {
  Invite as InviteModel,
  type InviteRecord,
  type MemberRecord,
  type OrganizationRecord,
} from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import type { Links } from '../../presenters/links.ts';
import { findPage } from '../../records/findPage.ts';
import { findPublishedUrls } from '../site/publishedUrls.ts';
import { presentContentInvite, presentInvite, presentListedInvite } from './invite.presenter.ts';
import { findInviteTarget, findInviteTargets, type InviteTarget } from './inviteTarget.ts';

type Caller = { links: Links; organization: OrganizationRecord; member: MemberRecord };

/** The link invites of an organization, newest first. */
export async function pageOfInvites(caller: Caller, query: PageQuery): Promise<Page<ListedInvite>> {
  const { organization } = caller;
  const { rows, ...page } = await findPage<InviteRecord>(
    InviteModel,
    { organization: organization._id },
    query,
  );
  const targets = await findInviteTargets(organization._id, rows);
  const urls = await publishedUrlsOf([...targets.values()], caller);
  return {
    ...page,
    items: rows.map((invite) => {
      const id = invite.target?.id ?? '';
      return presentListedInvite(invite, targets.get(id), { ...caller, publishedUrl: urls.get(id) });
    }),
  };
}

/** @throws not_found when the space or collection of the link was deleted */
export async function showInvite(invite: InviteRecord, caller: Caller): Promise<Invite> {
  if (!invite.target) return presentInvite(invite, caller);
  const target = await findInviteTarget(invite);
  if (!target) throw notFound('invite', invite._id);
  const urls = await publishedUrlsOf([target], caller);
  return presentContentInvite(invite, target, { ...caller, publishedUrl: urls.get(target.record._id) });
}

async function publishedUrlsOf(
  targets: readonly InviteTarget[],
  { links, organization }: Caller,
): Promise<Map<string, string>> {
  const spaces = targets.flatMap((target) => (target.type === 'space' ? [target.record] : []));
  return findPublishedUrls(spaces, { links, organization });
}
