import { findRevision, loadRevisionLinks } from '@bindery/content';
import { OpenAPISpec, Space, type MemberRecord, type OpenAPISpecRecord, type RevisionRecord, type SpaceRecord } from '@bindery/models';
import { roleInContent, visibleTo } from '../../permissions/access.ts';
import { hasRole } from '../../permissions/role.ts';
import { thePlatform } from '../../platform.ts';
import { withinTime } from '../link/withinTime.ts';

/** A guest has few spaces; of more, those that were made last count. */
const maxSpaces = 100;

/**
 * The specifications of a member's organization that it may see, as a filter: members see all; guests see public ones, and those that the main content
 * of their spaces shows.
 *
 * Spaces that the guest may edit do not count: naming a specification there would open it.
 */
export async function visibleSpecs(member: MemberRecord): Promise<object> {
  const { organization, role } = member;
  if (role !== null) return { organization };
  const spaces = await Space.find({ organization, isDeleted: false, ...visibleTo(member) })
    .sort({ createdAt: -1, _id: -1 })
    .limit(maxSpaces)
    .lean<SpaceRecord[]>();
  const names = new Set<string>();
  for (const { _id, revision: id, access } of spaces) {
    if (hasRole(roleInContent({ member, access }), 'edit')) continue;
    const revision = await findRevision(_id, id);
    for (const name of revision ? await specsNamedIn(revision) : []) names.add(name);
  }
  return { organization, $or: [{ visibility: 'public' }, { slug: { $in: [...names] } }, { _id: { $in: [...names] } }] };
}

/** The same rule for one. */
export async function isVisibleSpec({ _id }: Pick<OpenAPISpecRecord, '_id'>, member: MemberRecord): Promise<boolean> {
  return member.role !== null || (await OpenAPISpec.exists({ $and: [{ _id }, await visibleSpecs(member)] })) !== null;
}

/** Slugs and ids of the specifications that pages of a revision show, and reusable contents. */
async function specsNamedIn(revision: RevisionRecord): Promise<ReadonlySet<string>> {
  const { appUrl } = thePlatform().config.api;
  const { sources } = await withinTime(async (signal) => loadRevisionLinks(revision, { appUrl, signal }));
  return new Set(sources.flatMap(({ links }) => links.flatMap(({ target }) => (target.kind === 'openapi' ? [target.id] : []))));
}
