import type { Role, Space } from '@bindery/contract';
import {
  noCounts,
  Space as SpaceModel,
  type MemberRecord,
  type OrganizationRecord,
  type SiteRecord,
  type SiteSpaceRecord,
  type SpaceRecord,
} from '@bindery/models';
import type { Visitor } from '../../http/actor.ts';
import { roleInContent } from '../../permissions/access.ts';
import { presentSpace } from '../../presenters/space.presenter.ts';
import { findPublishedUrls } from './publishedUrls.ts';
import { shownTo, withoutDeleted } from './shownTo.ts';
import { loadSiteTree, type SiteTree } from './siteTree.ts';

/** Who looks at a site: a member of its organization, or one of its visitors. */
export type SiteReader = {
  organization: OrganizationRecord;
  site: SiteRecord;
  member?: MemberRecord | undefined;
  visitor?: Visitor | undefined;
};

/** A site as somebody sees it: what its presenters need. */
export type SiteView = SiteTree & {
  organization: OrganizationRecord;
  site: SiteRecord;
  /** The secret of a share link, for the URLs of a site that is opened by one. */
  shareKey?: string | undefined;
  /** The spaces of the site spaces that are shown, by their ids. */
  spaces: ReadonlyMap<string, Space>;
};

/**
 * What of the structure of a site somebody sees, without its spaces. Members see everything; a visitor nothing that was deleted, and no item whose
 * condition they do not meet.
 */
export async function loadVisibleTree({ site, visitor }: Pick<SiteReader, 'site' | 'visitor'>): Promise<SiteTree> {
  const tree = await loadSiteTree(site._id);
  if (!visitor) return tree;
  const { sections, siteSpaces } = shownTo(visitor.claims, { ...tree, siteSpaces: await withoutDeleted(tree.siteSpaces) });
  return { ...tree, groups: tree.groups.filter(({ _id }) => sections.some(({ group }) => group === _id)), sections, siteSpaces };
}

/**
 * Loads the spaces of these site spaces, in two queries and those of their URLs.
 *
 * A member that may see the site but not a space of it sees that the space is there, under its title, as visitors do; what of the space is for its
 * own members only is left out, and its permissions are all false, because asking for the space itself finds none. A visitor may read it.
 */
export async function loadSpacesOf(
  siteSpaces: readonly SiteSpaceRecord[],
  { organization, member, visitor }: Omit<SiteReader, 'site'>,
): Promise<Map<string, Space>> {
  const records = await SpaceModel.find({ _id: { $in: [...new Set(siteSpaces.map(({ space }) => space))] } }).lean<SpaceRecord[]>();
  const publishedUrls = await findPublishedUrls(records, organization);
  return new Map(
    records.map((space) => {
      const role = roleIn(space, { member, visitor });
      const publishedUrl = publishedUrls.get(space._id);
      return [space._id, presentSpace(member && role ? space : withoutInside(space), { role, organization, publishedUrl })] as const;
    }),
  );
}

function roleIn({ access, isDeleted }: SpaceRecord, { member, visitor }: Pick<SiteReader, 'member' | 'visitor'>): Role | null {
  if (visitor) return isDeleted ? null : 'read';
  const role = member ? roleInContent({ member, access }) : null;
  // A deleted space is there only for those who may restore it.
  return isDeleted && role !== 'admin' ? null : role;
}

/** What a space is to those who see it only through a site. */
export function withoutInside({ gitSync: _gitSync, ...space }: SpaceRecord): SpaceRecord {
  return { ...space, counts: noCounts };
}

/** The whole site, for the answers that show all of it. */
export async function loadSiteView(reader: SiteReader, { shareKey }: { shareKey?: string | undefined } = {}): Promise<SiteView> {
  const tree = await loadVisibleTree(reader);
  const { organization, site } = reader;
  return { ...tree, organization, site, shareKey, spaces: await loadSpacesOf(tree.siteSpaces, reader) };
}
