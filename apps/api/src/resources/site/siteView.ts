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
import { loadSiteTree, shownTo, type SiteTree, type Visitor, withoutDeleted } from '@bindery/publishing';
import { roleInContent } from '../../permissions/access.ts';
import type { Platform } from '../../platform.ts';
import type { Links } from '../../presenters/links.ts';
import { presentSpace } from '../../presenters/space.presenter.ts';
import { findPublishedUrls } from './publishedUrls.ts';

/** The reader of a site: a member of its organization, or a visitor. */
export type SiteReader = {
  platform: Pick<Platform, 'config' | 'links'>;
  organization: OrganizationRecord;
  site: SiteRecord;
  member?: MemberRecord | undefined;
  visitor?: Visitor | undefined;
};

/** A site as its reader sees it, for the presenters of its parts. */
export type SiteView = SiteTree & {
  links: Links;
  organization: OrganizationRecord;
  site: SiteRecord;
  /** The secret of a share link, for the URLs of a site that is opened by one. */
  shareKey?: string | undefined;
  /** The presented spaces of the site spaces, by space id. */
  spaces: ReadonlyMap<string, Space>;
};

/**
 * The structure of a site as its reader sees it, without its spaces. Members see everything; visitors see
 * neither deleted items nor items whose condition they do not meet.
 */
export async function loadVisibleTree({
  site,
  visitor,
}: Pick<SiteReader, 'site' | 'visitor'>): Promise<SiteTree> {
  const tree = await loadSiteTree(site._id);
  if (!visitor) return tree;
  const { sections, siteSpaces } = shownTo(visitor.claims, {
    ...tree,
    siteSpaces: await withoutDeleted(tree.siteSpaces),
  });
  return {
    ...tree,
    groups: tree.groups.filter(({ _id }) => sections.some(({ group }) => group === _id)),
    sections,
    siteSpaces,
  };
}

/**
 * Loads and presents the spaces of these site spaces, in two queries and those of findPublishedUrls.
 *
 * A member who may see the site but not one of its spaces sees the title of the space, as visitors do. Fields
 * for members of the space are left out, and its permissions are all false, as this member cannot open the
 * space. A visitor may read it.
 */
export async function loadSpacesOf(
  siteSpaces: readonly SiteSpaceRecord[],
  { platform: { links }, organization, member, visitor }: Omit<SiteReader, 'site'>,
): Promise<Map<string, Space>> {
  const records = await SpaceModel.find({
    _id: { $in: [...new Set(siteSpaces.map(({ space }) => space))] },
  }).lean<SpaceRecord[]>();
  const publishedUrls = await findPublishedUrls(records, { links, organization });
  return new Map(
    records.map((space) => {
      const role = roleIn(space, { member, visitor });
      const publishedUrl = publishedUrls.get(space._id);
      return [
        space._id,
        presentSpace(member && role ? space : withoutInside(space), {
          links,
          role,
          organization,
          publishedUrl,
        }),
      ] as const;
    }),
  );
}

function roleIn(
  { access, isDeleted }: SpaceRecord,
  { member, visitor }: Pick<SiteReader, 'member' | 'visitor'>,
): Role | null {
  if (visitor) return isDeleted ? null : 'read';
  const role = member ? roleInContent({ member, access }) : null;
  // A deleted space exists only for admins, who may restore it.
  return isDeleted && role !== 'admin' ? null : role;
}

/** A space without the fields for its members, for readers who see it only through a site. */
export function withoutInside({ gitSync: _gitSync, ...space }: SpaceRecord): SpaceRecord {
  return { ...space, counts: noCounts };
}

/** Loads the whole site. */
export async function loadSiteView(
  reader: SiteReader,
  { shareKey }: { shareKey?: string | undefined } = {},
): Promise<SiteView> {
  const tree = await loadVisibleTree(reader);
  const { platform, organization, site } = reader;
  return {
    ...tree,
    links: platform.links,
    organization,
    site,
    shareKey,
    spaces: await loadSpacesOf(tree.siteSpaces, reader),
  };
}
