import type { ChangeRequest, ChangeRequestsOfOrganization, ChangeRequestsOfSpace } from '@bindery/contract';
import {
  ChangeRequest as ChangeRequestModel,
  Space,
  type ChangeRequestRecord,
  type MemberRecord,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import { compact } from '@bindery/runtime';
import type { z } from 'zod';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { findPage, type Order } from '../../records/findPage.ts';
import type { Links } from '../../presenters/links.ts';
import { showUsers, type Viewer } from '../user/showUsers.ts';
import { presentChangeRequest } from './changeRequest.presenter.ts';
import { inVisibleSpaces } from './inVisibleSpaces.ts';

type OfSpace = z.output<typeof ChangeRequestsOfSpace>;
type OfOrganization = z.output<typeof ChangeRequestsOfOrganization>;

/** The change requests of a space, by default the open ones, last changed first. */
export async function pageOfSpace(
  space: SpaceRecord,
  { status, ...query }: PageQuery & OfSpace,
  viewer: Viewer,
): Promise<Page<ChangeRequest>> {
  return pageOf({ space: space._id, status, ...ofPeople(query) }, query, viewer);
}

/** The change requests of all spaces of an organization that the member may see. */
export async function pageOfOrganization(
  { links, organization, member }: { links: Links; organization: OrganizationRecord; member: MemberRecord },
  { status, space, ...query }: PageQuery & OfOrganization,
): Promise<Page<ChangeRequest>> {
  const filter = { organization: organization._id, status: { $in: status }, ...ofPeople(query) };
  const visible = await inVisibleSpaces(organization._id, member);
  return pageOf({ ...filter, $and: [visible, ...(space === undefined ? [] : [{ space }])] }, query, {
    ...member,
    links,
  });
}

function ofPeople({
  creator,
  contributor,
  requestedReviewer,
}: Pick<OfSpace, 'creator' | 'contributor' | 'requestedReviewer'>) {
  return compact({
    createdBy: creator,
    'contributors.user': contributor,
    'requestedReviewers.user': requestedReviewer,
  });
}

async function pageOf(
  filter: object,
  { limit, after, orderBy }: PageQuery & { orderBy: 'updatedAt' | 'createdAt' },
  viewer: Viewer,
): Promise<Page<ChangeRequest>> {
  const order: Order = [
    [orderBy, -1],
    ['_id', -1],
  ];
  const { rows, ...page } = await findPage<ChangeRequestRecord>(ChangeRequestModel, filter, {
    limit,
    after,
    order,
  });
  return { ...page, items: await showChangeRequests(rows, viewer) };
}

/** Takes three queries for any number of change requests and spaces. */
async function showChangeRequests(
  records: readonly ChangeRequestRecord[],
  viewer: Viewer,
): Promise<ChangeRequest[]> {
  const [userOf, spaces] = await Promise.all([
    showUsers(
      records.map(({ createdBy }) => createdBy),
      viewer,
    ),
    Space.find({ _id: { $in: [...new Set(records.map(({ space }) => space))] } }, { revision: 1 }).lean<
      Pick<SpaceRecord, '_id' | 'revision'>[]
    >(),
  ]);
  const revisionOf = new Map(spaces.map(({ _id, revision }) => [_id, revision]));
  return records.map((record) =>
    presentChangeRequest(record, {
      links: viewer.links,
      userOf,
      mainRevision: revisionOf.get(record.space) ?? record.revision,
    }),
  );
}
