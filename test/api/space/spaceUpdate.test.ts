import { Space } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildGrant,
  buildMember,
  buildOrganization,
  buildSpace,
  changeSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('space', ({ organization }) => buildSpace(organization, { title: 'Before' }))
  .extend('path', ({ space }) => `/v1/spaces/${space._id}`)
  .extend(
    'get',
    ({ api, admin, path }) =>
      async ({ token } = admin) =>
        (await api.call('GET', path, { token })).body,
  )
  .extend(
    'patch',
    ({ api, admin, path }) =>
      (json?: unknown, { token } = admin, headers: Record<string, string> = {}) =>
        api.call('PATCH', path, { token, headers, ...(json !== undefined && { json }) }),
  )
  .extend(
    'remove',
    ({ api, admin, path }) =>
      ({ token } = admin) =>
        api.call('DELETE', `${path}/git/legacy-installation`, { token }),
  );

describe('PATCH /v1/spaces/{spaceId}', () => {
  it('changes the given fields and nothing else', async ({ get, patch }) => {
    const before = await get();
    expect((await patch({})).body).toEqual(before);
    expect((await patch()).body).toEqual(before);
    const { status, body } = await patch({ title: '  After ', language: 'de', editMode: 'locked' });
    expect([status, body]).toEqual([
      200,
      { ...before, title: 'After', language: 'de', editMode: 'locked', updatedAt: expect.any(String) },
    ]);
    expect(body.updatedAt > before.updatedAt).toBe(true);
    expect(await get()).toEqual(body);
    expect((await patch({ editMode: 'live' })).body).toMatchObject({
      title: 'After',
      language: 'de',
      editMode: 'live',
    });
    expect((await patch({ title: ' ' })).body.title).toBe('Untitled');
    expect((await patch({ title: 'x'.repeat(50) })).body.title).toHaveLength(50);
  });

  it('shows the emoji or the icon that was set last, and the standard emoji without either', async ({
    patch,
  }) => {
    const icon = 'https://example.org/icon.png';
    expect((await patch({ emoji: '🍲' })).body.emoji).toBe('🍲');
    const withIcon = (await patch({ icon })).body;
    expect([withIcon.emoji, withIcon.urls.icon]).toEqual(['1f4d6', icon]);
    const withEmoji = (await patch({ emoji: '1f4da' })).body;
    expect([withEmoji.emoji, withEmoji.urls.icon]).toEqual(['1f4da', undefined]);
    expect((await patch({ emoji: null })).body.emoji).toBe('1f4d6');
    expect((await patch({ icon, emoji: null })).body.urls.icon).toBe(icon);
    expect((await patch({ icon: null, emoji: '🍲' })).body).toMatchObject({
      emoji: '🍲',
      urls: { app: expect.any(String) },
    });
    const cleared = (await patch({ icon: null, emoji: null })).body;
    expect([cleared.emoji, 'icon' in cleared.urls]).toEqual(['1f4d6', false]);
  });

  it('sets a level of its own, and inherits again', async ({ api, organization, path, get, patch }) => {
    const reader = await buildMember(organization, 'read');
    expect((await patch({ defaultLevel: 'edit' })).body.defaultLevel).toBe('edit');
    expect((await get(reader)).permissions).toMatchObject({ edit: true, review: false });
    expect((await patch({ defaultLevel: null })).body.defaultLevel).toBeNull();
    expect((await api.call('GET', path, { token: reader.token })).status).toBe(404);
    expect((await patch({ defaultLevel: 'inherit' })).body.defaultLevel).toBe('read');
    expect((await get(reader)).permissions).toMatchObject({ view: true, comment: false });
  });

  it.for<readonly [field: string, value: unknown, more?: object]>([
    ['title', 'x'.repeat(51)],
    ['title', null],
    ['emoji', 'abc'],
    ['emoji', ''],
    ['language', 'zz-zz'],
    ['language', null],
    ['editMode', 'x'],
    ['editMode', null],
    ['defaultLevel', 'owner'],
    ['icon', 'javascript:alert(1)'],
    ['icon', 'https://me:secret@example.org/i.png'],
    ['icon', `https://example.org/${'x'.repeat(2048)}`],
    ['icon', 'https://example.org/i.png', { emoji: '🍲' }],
  ])('refuses %s = %j, and changes nothing', async ([field, value, more = {}], { get, patch }) => {
    const before = await get();
    const { status, body } = await patch({
      ...more,
      [field]: value,
      title: field === 'title' ? value : 'Other',
    });
    expect([status, body.error.details[0].path]).toEqual([400, `body.${field}`]);
    expect(await get()).toEqual(before);
  });

  it('ignores fields that callers may not set', async ({ get, patch }) => {
    const before = await get();
    const { body } = await patch({
      id: 'x',
      organization: 'B',
      parent: 'c',
      revision: 'r',
      deletedAt: '2020-01-01',
      permissions: {},
      visibility: 'public',
    });
    expect(body).toEqual(before);
  });

  it('needs an admin of the space, by role or by grant', async ({ organization, space, patch }) => {
    const guest = await buildMember(organization, null);
    expect((await patch({ title: 'x' }, await buildMember(organization, 'create'))).status).toBe(403);
    expect((await patch({ title: 'x' }, await buildMember(organization, 'read'))).status).toBe(403);
    expect((await patch({ title: 'x' }, guest)).status).toBe(404);
    expect((await patch({ title: 'x' }, (await buildOrganization()).admin)).status).toBe(404);
    await buildGrant({ space }, guest, 'admin');
    expect((await patch({ title: 'By a guest' }, guest)).body.title).toBe('By a guest');
    // Whoever closes it for all others keeps what was granted.
    expect((await patch({ defaultLevel: null }, guest)).body).toMatchObject({
      defaultLevel: null,
      permissions: { admin: true },
    });
  });

  it('honours If-Match', async ({ api, admin, path, get, patch }) => {
    const { headers } = await api.call('GET', path, { token: admin.token });
    const seen = { 'if-match': headers.get('etag') ?? '' };
    expect((await patch({ title: 'First' }, admin, seen)).status).toBe(200);
    for (const body of [{ title: 'Second' }, { defaultLevel: 'edit' }, {}])
      expect((await patch(body, admin, seen)).status).toBe(412);
    expect(await get()).toMatchObject({ title: 'First', defaultLevel: 'read' });
  });

  it('loses no change of several requests at the same time', async ({ get, patch }) => {
    await Promise.all([
      patch({ title: 'A' }),
      patch({ language: 'fr' }),
      patch({ editMode: 'locked' }),
      patch({ emoji: '🍲' }),
      patch({ defaultLevel: 'edit' }),
    ]);
    expect(await get()).toMatchObject({
      title: 'A',
      language: 'fr',
      editMode: 'locked',
      emoji: '🍲',
      defaultLevel: 'edit',
    });
  });
});

describe('DELETE /v1/spaces/{spaceId}/git/legacy-installation', () => {
  const updatedAt = new Date();

  it('removes the git sync of a legacy installation, and no other', async ({
    api,
    admin,
    space,
    path,
    get,
    remove,
  }) => {
    await changeSpace(space, { gitSync: { provider: 'github', updatedAt } });
    expect((await remove()).status).toBe(204);
    expect((await get()).gitSync.installationProvider).toBe('github');
    await changeSpace(space, { gitSync: { provider: 'github-legacy', updatedAt } });
    expect((await remove()).status).toBe(204);
    expect(await get()).not.toHaveProperty('gitSync');
    expect((await api.call('GET', `${path}/git/info`, { token: admin.token })).status).toBe(404);
    expect((await remove()).status).toBe(204);
  });

  it('needs the permission to trigger git sync', async ({ organization, space, remove }) => {
    await changeSpace(space, { gitSync: { provider: 'github-legacy', updatedAt } });
    expect((await remove(await buildMember(organization, 'review'))).status).toBe(403);
    expect((await remove((await buildOrganization()).admin)).status).toBe(404);
    expect((await remove(await buildMember(organization, 'create'))).status).toBe(204);
    expect(await Space.exists({ _id: space._id, gitSync: { $exists: true } })).toBeNull();
  });
});
