import { findSpacesWithSpecs, loadRevisionLinks, recordMentions, withoutMentions } from '@bindery/content';
import { Space, type MemberRecord, type OpenAPISpecRecord, type RevisionRecord, type SpaceRecord } from '@bindery/models';
import { roleInContent, visibleTo } from '../../permissions/access.ts';
import { hasRole } from '../../permissions/role.ts';
import { thePlatform } from '../../platform.ts';
import { loadMainRevisions } from '../link/seenSpaces.ts';
import { withinTime } from '../../records/withinTime.ts';

/**
 * The specifications of a member's organization that it may see, as a filter: members see all; guests see public ones, and those that the main content
 * of their spaces shows.
 *
 * Spaces that the guest may edit do not count: naming a specification there would open it.
 */
export async function visibleSpecs(member: MemberRecord): Promise<object> {
  const { organization, role } = member;
  if (role !== null) return { organization };
  const names = await Array.fromAsync(shownSpecs(member));
  return { organization, $or: [{ visibility: 'public' }, { slug: { $in: names } }, { _id: { $in: names } }] };
}

/** The same rule for one. */
export async function isVisibleSpec(
  { _id, slug, visibility }: Pick<OpenAPISpecRecord, '_id' | 'slug' | 'visibility'>,
  member: MemberRecord,
): Promise<boolean> {
  if (member.role !== null || visibility === 'public') return true;
  for await (const name of shownSpecs(member, [_id, slug])) if (name === _id || name === slug) return true;
  return false;
}

/**
 * Slugs and ids of the specifications that a guest's spaces show. Of all spaces only those are read of which an index says that they may show one.
 *
 * @param specs  the ones that are asked for; undefined is any
 */
async function* shownSpecs(member: MemberRecord, specs?: readonly string[]): AsyncIterable<string> {
  const { organization } = member;
  const filter = { organization, isDeleted: false, ...visibleTo(member) };
  const visible = await Space.find(filter, { revision: 1, access: 1 }).lean<Pick<SpaceRecord, '_id' | 'revision' | 'access'>[]>();
  const spaces = visible.filter(({ access }) => !hasRole(roleInContent({ member, access }), 'edit'));
  await withinTime(async (signal) => {
    for (const main of (await loadMainRevisions(await withoutMentions(organization, spaces))).values()) {
      signal.throwIfAborted();
      await recordMentions(main, { signal });
    }
  });
  const showing = new Set(await findSpacesWithSpecs(organization, { specs, among: spaces.map(({ _id }) => _id) }));
  const revisions = await loadMainRevisions(spaces.filter(({ _id }) => showing.has(_id)));
  for (const revision of revisions.values()) yield* await specsNamedIn(revision);
}

/** Slugs and ids of the specifications that pages of a revision show, and reusable contents. */
async function specsNamedIn(revision: RevisionRecord): Promise<ReadonlySet<string>> {
  const { appUrl } = thePlatform().config.api;
  const { sources } = await withinTime(async (signal) => loadRevisionLinks(revision, { appUrl, signal }));
  return new Set(sources.flatMap(({ links }) => links.flatMap(({ target }) => (target.kind === 'openapi' ? [target.id] : []))));
}
