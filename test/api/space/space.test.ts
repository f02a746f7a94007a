import { Member, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildMember,
  buildOrganization,
  buildRevision,
  buildSpace,
  changeSpace,
  type TestUser,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base.extend(
  'get',
  ({ api, reader }) =>
    (space: Pick<SpaceRecord, '_id'>, { token } = reader, query = '') =>
      api.call('GET', `/v1/spaces/${space._id}${query}`, { token }),
);

describe('GET /v1/spaces/{spaceId}', () => {
  it('shows a space to members who can view it, and hides it from others', async ({
    api,
    organization,
    reader,
    get,
  }) => {
    const space = await buildSpace(organization, { title: 'Shown' });
    const { status, body, headers } = await get(space);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: space._id,
      title: 'Shown',
      revision: space.revision,
      urls: { location: `http://api.test/v1/spaces/${space._id}`, app: `http://api.test/s/${space._id}` },
    });
    expect(headers.get('cache-control')).toBe('private, no-cache');
    const known = await api.call('GET', `/v1/spaces/${space._id}`, {
      token: reader.token,
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(known.status).toBe(304);
    expect((await get(space, await buildMember(organization, null))).status).toBe(404);
    expect((await get(space, (await buildOrganization()).admin)).status).toBe(404);
    expect((await get({ _id: 'nothing' })).status).toBe(404);
  });

  it('ignores a share key', async ({ organization, reader, get }) => {
    const space = await buildSpace(organization);
    expect((await get(space, reader, '?shareKey=abc')).status).toBe(200);
    expect((await get(space, reader, '?shareKey=')).status).toBe(200);
    expect((await get(space, reader, `?shareKey=${'x'.repeat(300)}`)).status).toBe(200);
  });

  it('reports the permissions that the level of the space gives each member', async ({
    organization,
    admin,
    creator,
    reader,
    get,
  }) => {
    const space = await buildSpace(organization, { defaultLevel: 'edit' });
    expect((await get(space, reader)).body).toMatchObject({
      defaultLevel: 'edit',
      permissions: { edit: true, review: false, triggerGitSync: false, admin: false },
    });
    expect((await get(space, creator)).body).toMatchObject({
      permissions: { edit: true, review: false, triggerGitSync: false },
    });
    expect((await get(space, admin)).body).toMatchObject({
      permissions: { edit: true, merge: true, triggerGitSync: true, admin: true, installIntegration: false },
    });
  });

  it('returns the level that it inherits from the organization', async ({ get }) => {
    const other = await buildOrganization({ defaultRole: null });
    const space = await buildSpace(other.organization);
    expect((await get(space, other.admin)).body.defaultLevel).toBeNull();
  });

  it('hides a closed space from everyone but admins', async ({
    organization,
    admin,
    creator,
    reader,
    get,
  }) => {
    const space = await buildSpace(organization, { defaultLevel: null });
    expect((await get(space, reader)).status).toBe(404);
    expect((await get(space, creator)).status).toBe(404);
    expect((await get(space, admin)).body).toMatchObject({ defaultLevel: null });
  });

  it('shows git sync, language and parent when a space has them', async ({ organization, get }) => {
    const updatedAt = new Date('2026-01-02T03:04:05.678Z');
    const space = await changeSpace(await buildSpace(organization), {
      language: 'fr',
      parent: 'collection1',
      gitSync: { provider: 'gitlab', url: 'https://gitlab.com/o/r', repoName: 'r', updatedAt },
    });
    expect((await get(space)).body).toMatchObject({
      language: 'fr',
      parent: 'collection1',
      visibility: 'in-collection',
      gitSync: {
        installationProvider: 'gitlab',
        installationStatus: 'active',
        installationId: space._id,
        url: 'https://gitlab.com/o/r',
        repoName: 'r',
        updatedAt: updatedAt.toISOString(),
      },
    });
  });

  it('follows the role of a member at once', async ({ organization, get }) => {
    const space = await buildSpace(organization);
    const member = await buildMember(organization, 'edit');
    expect((await get(space, member)).body.permissions).toMatchObject({ edit: true });
    await Member.updateOne(
      { user: member.user._id, organization: organization._id },
      { $set: { role: 'read' } },
    );
    expect((await get(space, member)).body.permissions).toMatchObject({ view: true, edit: false });
    await Member.deleteOne({ user: member.user._id, organization: organization._id });
    expect((await get(space, member)).status).toBe(404);
  });
});

describe('a deleted space', () => {
  it('is visible to admins only, appears in no list, and refuses every operation', async ({
    api,
    organization,
    admin,
    reader,
    get,
  }) => {
    const space = await buildSpace(organization);
    const deletedAt = new Date(Date.now() - 60_000);
    const revision = await buildRevision(space, { pages: [{ id: 'p1' }] });
    await changeSpace(space, { deletedAt });
    expect((await get(space, admin)).body).toMatchObject({
      id: space._id,
      deletedAt: deletedAt.toISOString(),
    });
    expect((await get(space, reader)).status).toBe(404);
    const { body } = await api.call('GET', `/v1/orgs/${organization._id}/spaces?limit=1000`, {
      token: admin.token,
    });
    expect(body.items.map(({ id }: { id: string }) => id)).not.toContain(space._id);
    for (const path of [
      '/content',
      '/content/pages',
      '/content/files',
      '/content/page/p1',
      '/content/path/page',
      `/revisions/${revision._id}`,
      '/git/info',
    ]) {
      expect(
        (await api.call('GET', `/v1/spaces/${space._id}${path}`, { token: admin.token })).status,
        path,
      ).toBe(404);
    }
    const answer = await api.call('POST', `/v1/spaces/${space._id}/git/import`, {
      token: admin.token,
      json: { url: 'https://git.example.org/r.git', ref: 'refs/heads/main' },
    });
    expect(answer.status).toBe(404);
  });
});

describe('GET /v1/orgs/{organizationId}/spaces', () => {
  it('lists newest first in pages, each space once, and counts all', async ({ api }) => {
    const { organization: own, admin: owner } = await buildOrganization();
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
    const spaces = [];
    // Two of the same moment: the id decides.
    for (const minute of [1, 2, 2, 3, 4]) spaces.push(await buildSpace(own, { createdAt: at(minute) }));
    const expected = spaces
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a._id < b._id ? 1 : -1))
      .map(({ _id }) => _id);
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const { body } = await api.call(
        'GET',
        `/v1/orgs/${own._id}/spaces?limit=2${page ? `&page=${page}` : ''}`,
        { token: owner.token },
      );
      expect(body.count).toBe(5);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      page = body.next?.page;
    } while (page);
    expect(seen).toEqual(expected);
  });

  it('lists and counts only the spaces that the caller can view', async ({ api }) => {
    const { organization: own, admin: owner } = await buildOrganization();
    const open = await buildSpace(own, { title: 'open' });
    await buildSpace(own, { title: 'closed', defaultLevel: null });
    const list = async ({ token }: TestUser) =>
      (await api.call('GET', `/v1/orgs/${own._id}/spaces`, { token })).body;
    expect(await list(owner)).toMatchObject({ count: 2, items: [{ title: 'closed' }, { title: 'open' }] });
    expect(await list(await buildMember(own, 'create'))).toMatchObject({
      count: 1,
      items: [{ id: open._id }],
    });
    expect(await list(await buildMember(own, null))).toEqual({ count: 0, items: [] });
  });

  it('gives only the count with limit=0', async ({ api, organization, admin }) => {
    const { body } = await api.call('GET', `/v1/orgs/${organization._id}/spaces?limit=0`, {
      token: admin.token,
    });
    expect(body).toEqual({ items: [], count: expect.any(Number) });
    expect(body.count).toBeGreaterThan(0);
  });

  it.for(['1001', '-1', 'abc', '1.5', '', '1e2', '0x10', '%201', '1&limit=2'])(
    'refuses limit=%s',
    async (limit, { api, organization, admin }) => {
      expect(
        (await api.call('GET', `/v1/orgs/${organization._id}/spaces?limit=${limit}`, { token: admin.token }))
          .status,
      ).toBe(400);
    },
  );

  it('refuses page tokens that are damaged, of another user, organization or list', async ({
    api,
    organization,
    admin,
    reader,
  }) => {
    const path = `/v1/orgs/${organization._id}/spaces`;
    await buildSpace(organization);
    await buildSpace(organization);
    const { body } = await api.call('GET', `${path}?limit=1`, { token: admin.token });
    const token: string = body.next.page;
    const other = await buildOrganization();
    const flipped = (token.startsWith('A') ? 'B' : 'A') + token.slice(1);
    expect((await api.call('GET', `${path}?limit=1&page=${token}`, { token: admin.token })).status).toBe(200);
    for (const [name, url, user] of [
      ['garbage', `${path}?page=garbage`, admin],
      ['empty', `${path}?page=`, admin],
      ['one bit', `${path}?page=${flipped}`, admin],
      ['another user', `${path}?page=${token}`, reader],
      ['another organization', `/v1/orgs/${other.organization._id}/spaces?page=${token}`, other.admin],
      ['another list', `/v1/orgs/${organization._id}/jobs?page=${token}`, admin],
    ] as const) {
      const answer = await api.call('GET', url, { token: user.token });
      expect(answer.status, name).toBe(400);
      expect(answer.body.error.details, name).toMatchObject([{ path: 'query.page' }]);
    }
  });
});
