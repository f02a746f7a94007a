import type { Role, Space } from '@bindery/contract';
import type { MemberRecord, OrganizationRecord, SpaceRecord } from '@bindery/models';
import { roleInContent } from '../../permissions/access.ts';
import { findPublishedUrls } from '../site/publishedUrls.ts';
import { presentSpace } from '../../presenters/space.presenter.ts';

/** Spaces of one organization as a member of it sees them, in the order given. */
export async function showSpaces(
  spaces: readonly SpaceRecord[],
  { organization, member }: { organization: OrganizationRecord; member: MemberRecord },
): Promise<Space[]> {
  const urls = await findPublishedUrls(spaces, organization);
  return spaces.map((space) => {
    const role = roleInContent({ member, access: space.access });
    return presentSpace(space, { role, organization, publishedUrl: urls.get(space._id) });
  });
}

/** The same for one, with a role that is known. */
export async function showSpace(
  space: SpaceRecord,
  { organization, role }: { organization: OrganizationRecord; role: Role | null },
): Promise<Space> {
  const urls = await findPublishedUrls([space], organization);
  return presentSpace(space, { role, organization, publishedUrl: urls.get(space._id) });
}
