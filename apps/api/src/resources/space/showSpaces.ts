import type { Role, Space } from '@bindery/contract';
import type { MemberRecord, OrganizationRecord, SpaceRecord } from '@bindery/models';
import { roleInContent } from '../../permissions/access.ts';
import { findPublishedUrls } from '../site/publishedUrls.ts';
import type { Links } from '../../presenters/links.ts';
import { presentSpace } from '../../presenters/space.presenter.ts';

/** Presents spaces of one organization as a member sees them, in the given order. */
export async function showSpaces(
  spaces: readonly SpaceRecord[],
  { links, organization, member }: { links: Links; organization: OrganizationRecord; member: MemberRecord },
): Promise<Space[]> {
  const urls = await findPublishedUrls(spaces, { links, organization });
  return spaces.map((space) => {
    const role = roleInContent({ member, access: space.access });
    return presentSpace(space, { links, role, organization, publishedUrl: urls.get(space._id) });
  });
}

/** Presents one space for a caller whose role is known. */
export async function showSpace(
  space: SpaceRecord,
  { links, organization, role }: { links: Links; organization: OrganizationRecord; role: Role | null },
): Promise<Space> {
  const urls = await findPublishedUrls([space], { links, organization });
  return presentSpace(space, { links, role, organization, publishedUrl: urls.get(space._id) });
}
