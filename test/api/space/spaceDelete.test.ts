import { Space } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildCollection,
  buildGrant,
  buildMember,
  buildOrganization,
  buildSpace,
  changeSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const dayMs = 24 * 60 * 60 * 1000;

const it = base.extend(
  'call',
  ({ api, admin }) =>
    (method: string, { _id }: { _id: string }, path = '', { token } = admin) =>
      api.call(method, `/v1/spaces/${_id}${path}`, { token }),
);

describe('DELETE /v1/spaces/{spaceId}', () => {
  it('hides a space from everyone but its admins; a repeat changes nothing', async ({
    organization,
    call,
  }) => {
    const space = await buildSpace(organization);
    expect((await call('DELETE', space)).status).toBe(204);
    const { body } = await call('GET', space);
    expect(Math.abs(Date.now() - new Date(body.deletedAt).getTime())).toBeLessThan(60_000);
    expect((await call('GET', space, '', await buildMember(organization, 'create'))).status).toBe(404);
    expect((await call('DELETE', space)).status).toBe(204);
    expect((await call('GET', space)).body).toEqual(body);
  });

  it('answers 204 for an unknown or hidden space, and deletes nothing', async ({ organization, call }) => {
    const space = await buildSpace(organization);
    expect((await call('DELETE', { _id: 'nothing' })).status).toBe(204);
    expect((await call('DELETE', space, '', (await buildOrganization()).admin)).status).toBe(204);
    expect((await call('DELETE', space, '', await buildMember(organization, null))).status).toBe(204);
    expect((await call('DELETE', space, '', await buildMember(organization, 'create'))).status).toBe(403);
    expect((await call('GET', space)).body).not.toHaveProperty('deletedAt');
  });
});

describe('a deleted space', () => {
  it.for([
    ['PATCH', ''],
    ['POST', '/duplicate'],
    ['POST', '/move'],
    ['POST', '/transfer'],
    ['GET', '/permissions/users'],
    ['GET', '/permissions/aggregate'],
    ['POST', '/permissions'],
    ['DELETE', '/permissions/users/x'],
    ['DELETE', '/git/legacy-installation'],
    ['GET', '/git/info'],
    ['GET', '/content'],
  ] as const)('answers 404 to %s %s', async ([method, path], { organization, call }) => {
    const space = await changeSpace(await buildSpace(organization), { deletedAt: new Date() });
    expect((await call(method, space, path)).status).toBe(404);
  });
});

describe('POST /v1/spaces/{spaceId}/restore', () => {
  it('restores the space to its place', async ({ api, organization, admin, call }) => {
    const collection = await buildCollection(organization, { defaultLevel: 'edit' });
    const spaces = [];
    for (const title of ['a', 'b', 'c'])
      spaces.push(await buildSpace(organization, { title, parent: collection._id }));
    const [, middle] = spaces;
    if (!middle) throw new Error('There is no space.');
    const before = (await call('GET', middle)).body;
    await call('DELETE', middle);
    const { status, body } = await call('POST', middle, '/restore');
    expect(status).toBe(200);
    expect({ ...body, updatedAt: before.updatedAt }).toEqual(before);
    const { body: list } = await api.call('GET', `/v1/collections/${collection._id}/spaces`, {
      token: admin.token,
    });
    expect(list.items.map(({ title }: { title: string }) => title)).toEqual(['a', 'b', 'c']);
  });

  it('restores the space with the present level of its collection', async ({
    api,
    organization,
    admin,
    call,
  }) => {
    const collection = await buildCollection(organization, { defaultLevel: 'edit' });
    const space = await buildSpace(organization, { parent: collection._id });
    await call('DELETE', space);
    await api.call('PATCH', `/v1/collections/${collection._id}`, {
      token: admin.token,
      json: { defaultLevel: 'comment' },
    });
    expect((await call('POST', space, '/restore')).body).toMatchObject({
      parent: collection._id,
      defaultLevel: 'comment',
    });
  });

  it('answers 409 when it is not deleted', async ({ organization, call }) => {
    const space = await buildSpace(organization);
    expect((await call('POST', space, '/restore')).status).toBe(409);
    await call('DELETE', space);
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', space, '/restore')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  });

  it('answers 404 once the space is due for removal, as other operations do', async ({
    organization,
    call,
  }) => {
    const almost = await changeSpace(await buildSpace(organization), {
      deletedAt: new Date(Date.now() - 7 * dayMs + 60_000),
    });
    const late = await changeSpace(await buildSpace(organization), {
      deletedAt: new Date(Date.now() - 7 * dayMs - 1),
    });
    const begun = await changeSpace(await buildSpace(organization), {
      deletedAt: new Date(),
      purgeStartedAt: new Date(),
    });
    expect((await call('POST', almost, '/restore')).status).toBe(200);
    for (const space of [late, begun]) {
      expect((await call('POST', space, '/restore')).status).toBe(404);
      expect((await call('GET', space)).status).toBe(404);
      expect((await call('DELETE', space)).status).toBe(204);
      expect(await Space.exists({ _id: space._id, isDeleted: true })).not.toBeNull();
    }
  });

  it('needs an admin of the space', async ({ organization, call }) => {
    const space = await changeSpace(await buildSpace(organization), { deletedAt: new Date() });
    const guest = await buildMember(organization, null);
    expect((await call('POST', space, '/restore', guest)).status).toBe(404);
    await buildGrant({ space }, guest, 'create');
    expect((await call('POST', space, '/restore', guest)).status).toBe(404);
    const other = await buildMember(organization, null);
    await buildGrant({ space }, other, 'admin');
    expect((await call('POST', space, '/restore', other)).body.permissions.admin).toBe(true);
  });
});
