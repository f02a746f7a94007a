import { Collection, Grant, Space } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildCollection,
  buildGrant,
  buildInvite,
  buildMember,
  buildOrganization,
  buildSpace,
  buildTeam,
  changeSpace,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';

const it = base
  .extend(
    'remove',
    ({ api, admin }) =>
      ({ _id }: { _id: string }, { token } = admin) =>
        api.call('DELETE', `/v1/collections/${_id}`, { token }),
  )
  .extend(
    'getSpace',
    ({ api, admin }) =>
      ({ _id }: { _id: string }, { token } = admin) =>
        api.call('GET', `/v1/spaces/${_id}`, { token }),
  )
  .extend(
    'restore',
    ({ api, admin }) =>
      ({ _id }: { _id: string }, { token } = admin) =>
        api.call('POST', `/v1/spaces/${_id}/restore`, { token }),
  );

describe('DELETE /v1/collections/{collectionId}', () => {
  it('removes the collections in it, and deletes the spaces at any depth, which can be restored at the root', async ({
    api,
    organization,
    admin,
    remove,
    getSpace,
    restore,
  }) => {
    const top = await buildCollection(organization);
    const inner = await buildCollection(organization, { parent: top._id });
    const direct = await buildSpace(organization, { parent: top._id });
    const deep = await buildSpace(organization, { parent: inner._id });
    const earlier = new Date(Date.now() - 60_000);
    const gone = await changeSpace(await buildSpace(organization, { parent: inner._id }), {
      deletedAt: earlier,
    });
    const beside = await buildSpace(organization);
    const { status, body } = await remove(top);
    expect([status, body]).toEqual([204, undefined]);
    expect(await Collection.countDocuments({ organization: organization._id })).toBe(0);
    for (const space of [direct, deep]) {
      const shown = (await getSpace(space)).body;
      expect(Date.now() - new Date(shown.deletedAt).getTime()).toBeLessThan(60_000);
    }
    expect((await getSpace(gone)).body.deletedAt).toBe(earlier.toISOString());
    expect((await getSpace(beside)).body).not.toHaveProperty('deletedAt');
    for (const space of [deep, direct]) {
      const restored = await restore(space);
      expect(restored.status).toBe(200);
      expect(restored.body).toMatchObject({ visibility: 'private' });
      expect(restored.body).not.toHaveProperty('parent');
      expect(restored.body).not.toHaveProperty('deletedAt');
    }
    const { body: list } = await api.call('GET', `/v1/orgs/${organization._id}/spaces`, {
      token: admin.token,
    });
    expect(list.count).toBe(3);
    const positions = await Space.distinct('position', { siblingsOf: organization._id });
    expect(positions).toHaveLength(4);
  });

  it('answers 204 for an unknown collection, and for a repeated delete', async ({
    api,
    organization,
    admin,
    remove,
  }) => {
    const collection = await buildCollection(organization);
    expect((await remove({ _id: 'nothing' })).status).toBe(204);
    expect([(await remove(collection)).status, (await remove(collection)).status]).toEqual([204, 204]);
    expect((await api.call('GET', `/v1/collections/${collection._id}`, { token: admin.token })).status).toBe(
      404,
    );
  });

  it('deletes nothing for a caller without the permission', async ({ organization, remove }) => {
    const collection = await buildCollection(organization);
    expect((await remove(collection, await buildMember(organization, 'create'))).status).toBe(403);
    expect((await remove(collection, await buildMember(organization, null))).status).toBe(204);
    expect((await remove(collection, (await buildOrganization()).admin)).status).toBe(204);
    expect(await Collection.exists({ _id: collection._id })).not.toBeNull();
  });

  it('keeps the permissions of a closed space when the space is restored', async ({
    organization,
    remove,
    getSpace,
    restore,
  }) => {
    const closed = await buildCollection(organization, { defaultLevel: null });
    const inner = await buildCollection(organization, { parent: closed._id });
    const [inTeam, guest, reader] = [
      await buildMember(organization, null),
      await buildMember(organization, null),
      await buildMember(organization, 'read'),
    ];
    const team = await buildTeam(organization, { members: [[inTeam, 'member']] });
    await buildGrant({ collection: closed }, guest, 'admin');
    await buildGrant({ collection: inner }, team, 'edit');
    const space = await buildSpace(organization, { parent: inner._id });
    await buildGrant({ space }, guest, 'read');
    const open = await buildSpace(organization, { parent: inner._id, defaultLevel: 'comment' });
    const roles = async () =>
      Promise.all(
        [space, open].flatMap((one) =>
          [guest, inTeam, reader].map(async (user) => {
            const { permissions } = (await getSpace(one, user)).body;
            return (
              permissions && [permissions.view, permissions.comment, permissions.edit, permissions.admin]
            );
          }),
        ),
      );
    const before = await roles();
    expect(before.map((role) => role?.join(' '))).toEqual([
      'true true true true',
      'true true true false',
      undefined,
      'true true true true',
      'true true true false',
      'true true false false',
    ]);
    expect((await remove(closed, guest)).status).toBe(204);
    expect((await restore(space, guest)).body).toMatchObject({
      defaultLevel: null,
      permissions: { admin: true },
    });
    expect((await restore(open, guest)).body).toMatchObject({ defaultLevel: 'comment' });
    expect(await roles()).toEqual(before);
  });

  it('removes the grants in it, and the invite links to it', async ({ api, organization, admin, remove }) => {
    const collection = await buildCollection(organization);
    const inner = await buildCollection(organization, { parent: collection._id });
    const invite = await buildInvite(organization, { target: { type: 'collection', id: inner._id } });
    await buildGrant({ collection: inner }, await buildMember(organization, null), 'read');
    await remove(collection);
    expect(await Grant.countDocuments({ organization: organization._id })).toBe(0);
    expect(
      (
        await api.call('GET', `/v1/orgs/${organization._id}/link-invites/${invite._id}`, {
          token: admin.token,
        })
      ).status,
    ).toBe(404);
  });
});
