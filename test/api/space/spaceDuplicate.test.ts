import { Grant, Revision } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildCollection,
  buildFile,
  buildGrant,
  buildMember,
  buildRevision,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend(
    'duplicate',
    ({ api, creator }) =>
      ({ _id }: { _id: string }, { token } = creator, headers = {}) =>
        api.call('POST', `/v1/spaces/${_id}/duplicate`, { token, headers }),
  )
  .extend(
    'get',
    ({ api, admin }) =>
      async (path: string, { token } = admin) =>
        (await api.call('GET', `/v1${path}`, { token })).body,
  );

describe('POST /v1/spaces/{spaceId}/duplicate', () => {
  it('makes a space beside it with the current content as one revision', async ({
    api,
    organization,
    duplicate,
    get,
  }) => {
    const parent = await buildCollection(organization);
    const gitSync = { provider: 'github' as const, url: 'https://github.com/o/r', updatedAt: new Date() };
    const counts = { comments: 3, changeRequests: 2, changeRequestsOpen: 1, changeRequestsDraft: 1 };
    const original = await buildSpace(organization, {
      title: 'Guide',
      parent: parent._id,
      emoji: '🍲',
      language: 'de',
      editMode: 'locked',
      gitSync,
      counts,
    });
    await buildSpace(organization, { parent: parent._id, title: 'Last' });
    const file = await buildFile(api.blobs, organization._id, { name: 'a.txt', bytes: 'bytes of it' });
    await buildRevision(original, { pages: [{ id: 'old', source: '# Old' }] });
    const git = { oid: 'c'.repeat(40), message: 'm', createdByDocs: false, projectDirectory: '' };
    await buildRevision(original, {
      pages: [
        { id: 'p1', path: 'one', source: '# One', pages: [{ id: 'p2', path: 'one/two', source: '# Two' }] },
      ],
      files: [file],
      variables: [{ name: 'v', value: '1' }],
      git,
    });
    await buildGrant({ space: original }, await buildMember(organization, null), 'edit');

    const { status, body: copy } = await duplicate(original);
    expect(status).toBe(200);
    expect(copy).toMatchObject({
      title: 'Guide (copy)',
      parent: parent._id,
      organization: organization._id,
      emoji: '🍲',
      language: 'de',
      editMode: 'locked',
      comments: 0,
      changeRequests: 0,
      changeRequestsOpen: 0,
      changeRequestsDraft: 0,
      permissions: { view: true, admin: false },
    });
    expect(copy).not.toHaveProperty('gitSync');
    expect(copy.id).not.toBe(original._id);
    const content = await get(`/spaces/${copy.id}/content`);
    const before = await get(`/spaces/${original._id}/content`);
    expect(content).toMatchObject({ id: copy.revision, parents: [], type: 'edits', variables: { v: '1' } });
    expect(content).not.toHaveProperty('git');
    expect(
      content.pages.map(({ id, path, pages }: { id: string; path: string; pages: unknown[] }) => [
        id,
        path,
        pages.length,
      ]),
    ).toEqual([['p1', 'one', 1]]);
    // A URL is that of one space, and ends with it.
    expect(content.files).toEqual([
      { ...before.files[0], downloadURL: expect.stringContaining(`space=${copy.id}&`) },
    ]);
    expect((await get(`/spaces/${copy.id}/content/page/p2`)).markdown).toBe('# Two');
    expect((await api.call('GET', content.files[0].downloadURL)).text).toBe('bytes of it');
    expect(await Revision.countDocuments({ space: copy.id })).toBe(1);
    expect(await Grant.countDocuments({ target: copy.id })).toBe(0);
    const { items } = await get(`/collections/${parent._id}/spaces`);
    expect(items.map(({ title }: { title: string }) => title)).toEqual(['Guide', 'Last', 'Guide (copy)']);
  });

  it.for([
    ['x'.repeat(50), `${'x'.repeat(43)} (copy)`],
    [`${'x'.repeat(42)} yyyyyyy`, `${'x'.repeat(42)} (copy)`],
    ['🍲'.repeat(50), `${'🍲'.repeat(43)} (copy)`],
    ['A (copy)', 'A (copy) (copy)'],
  ] as const)('gives the copy of %s the title %s', async ([title, expected], { organization, duplicate }) => {
    const { body } = await duplicate(await buildSpace(organization, { title }));
    expect(body.title).toBe(expected);
    expect([...body.title].length).toBeLessThanOrEqual(50);
  });

  it('also needs organization.createContent', async ({ organization, duplicate }) => {
    const space = await buildSpace(organization);
    const guest = await buildMember(organization, null);
    expect((await duplicate(space, guest)).status).toBe(404);
    await buildGrant({ space }, guest, 'admin');
    for (const user of [guest, await buildMember(organization, 'review')]) {
      const { status, body } = await duplicate(space, user);
      expect([status, body.error.message]).toEqual([
        403,
        expect.stringContaining('organization.createContent'),
      ]);
    }
  });

  it('is refused in a collection in which the caller may not create', async ({
    organization,
    creator,
    duplicate,
  }) => {
    const parent = await buildCollection(organization, { defaultLevel: 'read' });
    const space = await buildSpace(organization, { parent: parent._id });
    expect((await duplicate(space)).status).toBe(403);
    await buildGrant({ collection: parent }, creator, 'create');
    expect((await duplicate(space)).status).toBe(200);
  });

  it('keeps the copy of a closed space closed, and open to the caller', async ({
    api,
    organization,
    creator,
    duplicate,
    get,
  }) => {
    const space = await buildSpace(organization, { defaultLevel: null });
    expect((await duplicate(space)).status).toBe(404);
    await buildGrant({ space }, creator, 'comment');
    const { body: copy } = await duplicate(space);
    expect(copy).toMatchObject({ defaultLevel: null, permissions: { comment: true, edit: false } });
    expect((await get(`/spaces/${copy.id}`, creator)).id).toBe(copy.id);
    expect(
      (
        await api.call('GET', `/v1/spaces/${copy.id}`, {
          token: (await buildMember(organization, 'create')).token,
        })
      ).status,
    ).toBe(404);
  });
});
