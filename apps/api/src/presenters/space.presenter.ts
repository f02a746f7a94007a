import type { GitSync, Role, Space } from '@bindery/contract';
import { visibilityOf, type GitSyncRecord, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import { shownLevel } from '../permissions/access.ts';
import { spacePermissions } from '../permissions/space.ts';
import type { Links } from './links.ts';

const defaultEmoji = '1f4d6';

/**
 * @param role          the role of the caller in the space
 * @param publishedUrl  the URL of the space on a published site, see findPublishedUrls
 */
export function presentSpace(
  space: SpaceRecord,
  {
    links,
    role,
    organization,
    publishedUrl,
  }: {
    links: Links;
    role: Role | null;
    organization: Pick<OrganizationRecord, 'defaultRole'>;
    publishedUrl?: string | undefined;
  },
): Space {
  const { _id: id, title, emoji, icon, parent, language, gitSync, deletedAt } = space;
  const visibility = visibilityOf(space);
  return {
    object: 'space',
    id,
    title,
    emoji: emoji ?? defaultEmoji,
    visibility,
    createdAt: space.createdAt.toISOString(),
    updatedAt: space.updatedAt.toISOString(),
    deletedAt: deletedAt?.toISOString(),
    editMode: space.editMode,
    urls: {
      location: links.api(`/spaces/${id}`),
      app: links.app(`/s/${id}`),
      published: publishedUrl,
      public: publishedUrl !== undefined && visibility === 'public' ? publishedUrl : undefined,
      icon,
    },
    organization: space.organization,
    parent,
    language,
    gitSync: gitSync && presentGitSync(id, gitSync),
    gitOnConflict: space.gitOnConflict,
    gitHistory: space.gitHistory,
    visitorAuth: visibility === 'visitor-auth' ? { backend: 'custom' as const } : undefined,
    revision: space.revision,
    defaultLevel: shownLevel(space.access, organization),
    ...space.counts,
    mergeRules: { type: 'inherit' },
    permissions: spacePermissions({ role }),
  };
}

export function presentGitSync(
  spaceId: string,
  { provider, url, repoName, updatedAt }: GitSyncRecord,
): GitSync {
  return {
    installationId: spaceId,
    installationProvider: provider,
    installationStatus: 'active',
    repoName,
    url,
    updatedAt: updatedAt.toISOString(),
  };
}
