import { findSpacesWithSpecs, loadRevisionLinks, recordMentions, withoutMentions } from '@bindery/content';
import {
  Space,
  type MemberRecord,
  type OpenAPISpecRecord,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { withinTime } from '@bindery/publishing';
import { roleInContent, visibleTo } from '../../permissions/access.ts';
import { hasRole } from '../../permissions/role.ts';
import type { Links } from '../../presenters/links.ts';
import { loadMainRevisions } from '../../records/mainRevisions.ts';
import { findSpec } from './findSpec.ts';

export type SpecView = { links: Links; member: MemberRecord };

/**
 * A filter for the specifications that a member may see in its organization. Members see all; guests see
 * public ones, and those shown by the main content of their spaces.
 *
 * Spaces that the guest may edit do not count: otherwise a guest could open a specification by naming it
 * there.
 */
export async function visibleSpecs(view: SpecView): Promise<object> {
  const { member } = view;
  const { organization, role } = member;
  if (role !== null) return { organization };
  const names = await Array.fromAsync(shownSpecs(view));
  return { organization, $or: [{ visibility: 'public' }, { slug: { $in: names } }, { _id: { $in: names } }] };
}

/**
 * Finds a specification that a member may see, by slug or id. For a guest, one that does not exist takes the
 * same queries as one that the guest may not see, so that the time of the answer does not reveal it.
 */
export async function findVisibleSpec(
  slugOrId: string,
  view: SpecView,
): Promise<OpenAPISpecRecord | undefined> {
  const spec = await findSpec(view.member.organization, slugOrId);
  const isVisible = await isVisibleSpec(
    spec ?? { _id: slugOrId, slug: slugOrId, visibility: 'private' },
    view,
  );
  return isVisible ? spec : undefined;
}

/** Applies the rule of visibleSpecs to one specification. */
async function isVisibleSpec(
  { _id, slug, visibility }: Pick<OpenAPISpecRecord, '_id' | 'slug' | 'visibility'>,
  view: SpecView,
): Promise<boolean> {
  const { member } = view;
  if (member.role !== null || visibility === 'public') return true;
  for await (const name of shownSpecs(view, [_id, slug])) if (name === _id || name === slug) return true;
  return false;
}

/**
 * Slugs and ids of the specifications that a guest's spaces show. Reads only spaces that name specifications
 * according to an index.
 *
 * @param specs  limits the result to these; undefined means any
 */
async function* shownSpecs({ links, member }: SpecView, specs?: readonly string[]): AsyncIterable<string> {
  const { organization } = member;
  const filter = { organization, isDeleted: false, ...visibleTo(member) };
  const visible = await Space.find(filter, { revision: 1, access: 1 }).lean<
    Pick<SpaceRecord, '_id' | 'revision' | 'access'>[]
  >();
  const spaces = visible.filter(({ access }) => !hasRole(roleInContent({ member, access }), 'edit'));
  await withinTime(async (signal) => {
    for (const main of (await loadMainRevisions(await withoutMentions(organization, spaces))).values()) {
      signal.throwIfAborted();
      await recordMentions(main, { signal });
    }
  });
  const showing = new Set(
    await findSpacesWithSpecs(organization, { specs, among: spaces.map(({ _id }) => _id) }),
  );
  const revisions = await loadMainRevisions(spaces.filter(({ _id }) => showing.has(_id)));
  for (const revision of revisions.values()) yield* await specsNamedIn(revision, links);
}

/** Slugs and ids of the specifications shown on pages and in reusable contents of a revision. */
async function specsNamedIn(revision: RevisionRecord, { appUrl }: Links): Promise<ReadonlySet<string>> {
  const { sources } = await withinTime(async (signal) => loadRevisionLinks(revision, { appUrl, signal }));
  return new Set(
    sources.flatMap(({ links }) =>
      links.flatMap(({ target }) => (target.kind === 'openapi' ? [target.id] : [])),
    ),
  );
}
