import type { Role, User } from '@bindery/contract';
import { Member, type MemberRecord } from '@bindery/models';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import type { Links } from '../../presenters/links.ts';
import { findPage, type Order } from '../../records/findPage.ts';
import { showUsers } from '../user/showUsers.ts';
import type { GrantContext } from './grantScopes.ts';

/** The target of grants as the caller sees it. */
export type GrantsView = GrantContext & { links: Links };

/** The query of a list of permissions: a page, and the role that the list is narrowed to. */
export type PermissionsQuery = PageQuery & { role?: Role | undefined };

/** The order of the members of an organization. */
const newestMembersFirst: Order = [
  ['joinedAt', -1],
  ['_id', -1],
];

/**
 * The members of an organization that match a filter, newest first.
 *
 * @param present  presents a member with its user; returns undefined to omit it
 */
export async function pageOfPermissions<Item>(
  { links, organization, member: viewer }: GrantsView,
  { filter, query }: { filter: object; query: PageQuery },
  present: (member: MemberRecord, user: User) => Item | undefined,
): Promise<Page<Item>> {
  const ofOrganization = { organization: organization._id, ...filter };
  const { rows, ...page } = await findPage<MemberRecord>(Member, ofOrganization, {
    ...query,
    order: newestMembersFirst,
  });
  const userOf = await showUsers(
    rows.map(({ user }) => user),
    { ...viewer, links },
  );
  return {
    ...page,
    items: rows.map((member) => present(member, userOf(member.user))).filter((item) => item !== undefined),
  };
}
