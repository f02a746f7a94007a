import {
  OutboxEvent,
  publishRevision,
  Space,
  withTransaction,
  type OutboxEventRecord,
  type SpaceRecord,
} from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildCollection,
  buildMembership,
  buildOrganization,
  buildRevision,
  buildSite,
  buildSiteSpace,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const told = async () =>
  (await OutboxEvent.find().sort({ createdAt: 1 }).lean<OutboxEventRecord[]>()).map(({ type, data }) => ({
    type,
    ...data,
  }));
const revisionOf = async ({ _id }: Pick<SpaceRecord, '_id'>) =>
  (await Space.findById(_id).lean<SpaceRecord>())!.revision;
const visibility = (previousVisibility: string, now: string) => ({
  type: 'space_visibility_updated',
  previousVisibility,
  visibility: now,
});

const it = base.extend('post', ({ api, admin }) => async (path: string, json: unknown = {}) => {
  const answer = await api.call('POST', path, { token: admin.token, json });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer;
});

it.beforeEach(async ({ space: _made }) => {
  await OutboxEvent.deleteMany({});
});

describe('space_content_updated', () => {
  it('is emitted for a merge, with the user who merged', async ({ organization, admin, space, post }) => {
    const changeRequest = await buildChangeRequest(space, { status: 'open', createdBy: 'somebody-else' });
    await buildRevision(space, { pages: [{ id: 'meanwhile', title: 'Meanwhile' }] });
    await post(`/v1/spaces/${space._id}/change-requests/${changeRequest._id}/merge`);
    const event = {
      type: 'space_content_updated',
      revisionId: await revisionOf(space),
      updatedBy: admin.user._id,
    };
    expect(await told()).toEqual([event]);
    expect(await OutboxEvent.find().lean()).toMatchObject([
      { organization: organization._id, space: space._id, fannedOutAt: null, createdAt: expect.any(Date) },
    ]);
  });

  it('is emitted for added content, but not for an update of a change request', async ({
    admin,
    space,
    post,
  }) => {
    const changeRequest = await buildChangeRequest(space, { status: 'open' });
    await post(`/v1/spaces/${space._id}/content/template`, { id: 'blank' });
    expect(await told()).toEqual([
      { type: 'space_content_updated', revisionId: await revisionOf(space), updatedBy: admin.user._id },
    ]);
    await post(`/v1/spaces/${space._id}/change-requests/${changeRequest._id}/update`);
    expect(await told()).toHaveLength(1);
  });

  it('is not emitted for a new space, nor for a merge that did not happen', async ({
    organization,
    space,
  }) => {
    await buildSpace(organization);
    const moving = { space, from: 'another-revision', to: 'next', by: 'somebody' };
    expect(await withTransaction((session) => publishRevision(moving, session))).toBe(false);
    const failing = withTransaction(async (session) => {
      expect(await publishRevision({ ...moving, from: space.revision }, session)).toBe(true);
      throw new Error('The transaction fails.');
    });
    await expect(failing).rejects.toThrow('The transaction fails.');
    expect(await revisionOf(space)).toBe(space.revision);
    expect(await told()).toEqual([]);
  });

  it('is emitted once for each of many merges at once', async ({ space, post }) => {
    const changeRequests = [];
    for (let index = 0; index < 6; index += 1)
      changeRequests.push(await buildChangeRequest(space, { status: 'open' }));
    await Promise.all(
      changeRequests.map(({ _id }) => post(`/v1/spaces/${space._id}/change-requests/${_id}/merge`)),
    );
    const revisions = (await told()).map((event) => 'revisionId' in event && event.revisionId);
    expect(new Set(revisions).size).toBe(6);
    // In the order in which they became the content.
    expect(revisions.at(-1)).toBe(await revisionOf(space));
  });
});

describe('space_visibility_updated', () => {
  it('is emitted when the site of a space is published, changes its visibility, and is unpublished', async ({
    api,
    organization,
    admin,
    space,
    post,
  }) => {
    const site = await buildSite(organization, { visibility: 'unlisted', spaces: [space] });
    const path = `/v1/orgs/${organization._id}/sites/${site._id}`;
    expect(await told()).toEqual([]);
    await post(`${path}/publish`);
    await api.call('PATCH', path, { token: admin.token, json: { visibility: 'public' } });
    await api.call('PATCH', path, { token: admin.token, json: { title: 'Another' } });
    await post(`${path}/unpublish`);
    expect(await told()).toEqual([
      visibility('private', 'unlisted'),
      visibility('unlisted', 'public'),
      visibility('public', 'private'),
    ]);
  });

  it('is emitted for the most open site of a space only', async ({ organization, space }) => {
    await buildSite(organization, { visibility: 'public', spaces: [space], isPublished: true });
    await OutboxEvent.deleteMany({});
    const closed = await buildSite(organization, { visibility: 'unlisted', isPublished: true });
    await buildSiteSpace(closed, { space });
    expect(await told()).toEqual([]);
  });

  it('is emitted for a move into a collection and out of it, unless a site decides', async ({
    organization,
    space,
    post,
  }) => {
    const collection = await buildCollection(organization);
    const move = async (of: SpaceRecord, parent: string | null) =>
      post(`/v1/spaces/${of._id}/move`, { parent });
    await move(space, collection._id);
    await move(space, null);
    const published = await buildSpace(organization);
    await buildSite(organization, { visibility: 'public', spaces: [published], isPublished: true });
    await move(published, collection._id);
    expect(await told()).toEqual([
      visibility('private', 'in-collection'),
      visibility('in-collection', 'private'),
      visibility('private', 'public'),
    ]);
  });

  it('is emitted to the new organization when a transferred space leaves a collection', async ({
    organization,
    admin,
    space,
    post,
  }) => {
    const collection = await buildCollection(organization);
    const inside = await buildSpace(organization, { parent: collection._id });
    const { organization: to } = await buildOrganization();
    await buildMembership(to, admin, 'admin');
    await OutboxEvent.deleteMany({});
    await post(`/v1/spaces/${inside._id}/transfer`, { organization: to._id });
    await post(`/v1/spaces/${space._id}/transfer`, { organization: to._id });
    expect(await told()).toEqual([visibility('in-collection', 'private')]);
    expect(await OutboxEvent.find().lean()).toMatchObject([{ organization: to._id, space: inside._id }]);
  });
});
