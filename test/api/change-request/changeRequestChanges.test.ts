import { Space, type ChangeRequestRecord, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import { buildChangeRequest, buildRevision, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const file = { id: 'f1', name: 'a.png', contentType: 'image/png', sizeBytes: 1, blob: 'blob1' };
const page = (id: string, title: string, path: string) => ({ id, type: 'document', title, path });

const it = base
  .extend('space', async ({ organization }) => {
    const empty = await buildSpace(organization);
    await buildRevision(empty, {
      pages: [
        { id: 'a', title: 'A', source: '# A\n', pages: [{ id: 'b', title: 'B', path: 'a/b' }] },
        { id: 'c', title: 'C' },
      ],
      files: [file],
      variables: [{ name: 'x', value: 1 }],
    });
    return (await Space.findById(empty._id).lean<SpaceRecord>()) as SpaceRecord;
  })
  .extend('changeRequest', ({ space }) => buildChangeRequest(space, { status: 'open' }))
  .extend(
    'get',
    ({ api, reader, space }) =>
      async (path: string, token: string | null = reader.token) =>
        api.call('GET', `/v1/spaces/${space._id}${path}`, { token }),
  )
  .extend(
    'changesOf',
    ({ get }) =>
      async (of: ChangeRequestRecord, query = '') =>
        (await get(`/change-requests/${of._id}/changes${query}`)).body,
  );

describe('GET .../change-requests/{changeRequestId}/changes', () => {
  it('lists nothing when nothing was changed', async ({ space, changeRequest, changesOf }) => {
    expect(await changesOf(changeRequest)).toEqual({ changes: [] });
    // An edit of the main content is no change of the change request.
    await editContent(space, (edit) => setFields(edit, 'a', { title: 'Else' }));
    expect(await changesOf(changeRequest)).toEqual({ changes: [] });
  });

  it('lists created, edited, moved and deleted pages, files, variables and reusable contents', async ({
    organization,
    changeRequest,
    get,
    changesOf,
  }) => {
    const document = await storeSource(organization._id, '# First\n');
    const shared = await storeSource(organization._id, 'Shared.\n');
    const before = await get('/content');
    await editContent(
      changeRequest,
      (edit) => {
        setFields(edit, 'a', { title: 'First', hidden: true, document });
        edit.move('b', { into: null, at: 1 });
        setFields(edit, 'b', { path: 'b' });
        edit.remove('c');
        const time = '2026-01-01T00:00:00.000Z';
        edit.insert(
          {
            type: 'group',
            id: 'g',
            title: 'G',
            slug: 'g',
            path: 'g',
            createdAt: time,
            updatedAt: time,
            pages: [],
          },
          { into: null },
        );
      },
      {
        files: [
          { ...file, name: 'b.png' },
          { ...file, id: 'f2' },
        ],
        variables: [{ name: 'y', value: true }],
        reusableContents: [{ id: 'r', title: 'Shared', document: shared }],
      },
    );
    const { changes } = await changesOf(changeRequest, '?limit=100');
    expect(changes).toEqual([
      {
        type: 'page_edited',
        page: page('a', 'First', 'a'),
        attributes: {
          title: { before: 'A', after: 'First' },
          hidden: { before: false, after: true },
          document: { before: before.body.pages[0].documentId, after: document },
        },
      },
      { type: 'page_moved', page: page('b', 'B', 'b'), parent: { before: page('a', 'A', 'a') } },
      { type: 'page_created', page: { id: 'g', type: 'group', title: 'G', path: 'g' } },
      { type: 'page_deleted', page: page('c', 'C', 'c') },
      {
        type: 'file_edited',
        file: {
          id: 'f1',
          name: 'b.png',
          contentType: 'image/png',
          downloadURL: expect.stringContaining('b.png'),
        },
        attributes: {
          name: { before: 'a.png', after: 'b.png' },
          downloadURL: { before: expect.stringContaining('a.png'), after: expect.stringContaining('b.png') },
        },
      },
      {
        type: 'file_created',
        file: { id: 'f2', name: 'a.png', contentType: 'image/png', downloadURL: expect.any(String) },
      },
      { type: 'variables_edited', variables: { x: { before: 1 }, y: { after: true } } },
      { type: 'reusable_content_created', reusableContent: { id: 'r', title: 'Shared', document: shared } },
    ]);
  });

  it('lists ten changes and counts the rest, unless a limit is given', async ({
    changeRequest,
    get,
    changesOf,
  }) => {
    const time = '2026-01-01T00:00:00.000Z';
    await editContent(changeRequest, (edit) => {
      for (let index = 0; index < 12; index += 1) {
        const fields = {
          title: 'New',
          slug: `n${index}`,
          path: `n${index}`,
          createdAt: time,
          updatedAt: time,
        };
        edit.insert({ type: 'document', id: `n${index}`, ...fields, pages: [] }, { into: null });
      }
    });
    const first = await changesOf(changeRequest);
    expect([first.changes.length, first.more]).toEqual([10, 2]);
    const all = await changesOf(changeRequest, '?limit=12');
    expect([all.changes.length, 'more' in all]).toEqual([12, false]);
    expect(all.changes.slice(0, 10)).toEqual(first.changes);
    for (const limit of ['0', '-1', '1001', 'x', '1.5'])
      expect((await get(`/change-requests/${changeRequest._id}/changes?limit=${limit}`)).status).toBe(400);
  });

  it('lists only its own changes also after an update from the main content, and after its merge', async ({
    api,
    admin,
    space,
    changeRequest,
    changesOf,
  }) => {
    await editContent(space, (edit) => setFields(edit, 'c', { title: 'Main' }));
    await editContent(changeRequest, (edit) => setFields(edit, 'a', { title: 'Mine' }));
    const own = [
      {
        type: 'page_edited',
        page: page('a', 'Mine', 'a'),
        attributes: { title: { before: 'A', after: 'Mine' } },
      },
    ];
    const path = `/v1/spaces/${space._id}/change-requests/${changeRequest._id}`;
    await api.call('POST', `${path}/update`, { token: admin.token });
    expect((await changesOf(changeRequest)).changes).toEqual(own);
    await api.call('POST', `${path}/merge`, { token: admin.token });
    expect((await changesOf(changeRequest)).changes).toEqual(own);
  });

  it('answers 401 without a token, and 404 for an unknown change request', async ({ changeRequest, get }) => {
    expect((await get(`/change-requests/${changeRequest._id}/changes`, null)).status).toBe(401);
    expect((await get('/change-requests/none/changes')).status).toBe(404);
    expect((await get(`/change-requests/${changeRequest.number}/changes`)).status).toBe(200);
  });
});

describe('GET .../revisions/{revisionId}/changes', () => {
  it('lists the changes of a revision against its parent, and names the change request of a merge', async ({
    api,
    admin,
    space,
    changeRequest,
    get,
  }) => {
    await editContent(space, (edit) => setFields(edit, 'c', { title: 'Main' }));
    await editContent(changeRequest, (edit) => setFields(edit, 'a', { title: 'Mine' }));
    const path = `/v1/spaces/${space._id}/change-requests/${changeRequest._id}`;
    const { body: updated } = await api.call('POST', `${path}/update`, { token: admin.token });
    const changed = (id: string, before: string, after: string, name: string) => [
      { type: 'page_edited', page: page(id, after, name), attributes: { title: { before, after } } },
    ];
    // Against what the change request was.
    expect((await get(`/revisions/${updated.revision}/changes`)).body).toEqual({
      changes: changed('c', 'C', 'Main', 'c'),
    });
    const { body: merged } = await api.call('POST', `${path}/merge`, { token: admin.token });
    const { body } = await get(`/revisions/${merged.revision}/changes?metadata=false&computed=false`);
    expect(body.changes).toEqual(changed('a', 'A', 'Mine', 'a'));
    expect(body.mergedFrom).toMatchObject({
      object: 'change-request',
      id: changeRequest._id,
      number: changeRequest.number,
      status: 'merged',
    });
  });

  it('lists all content of a first revision as created, and answers 404 for a revision of another space', async ({
    api,
    organization,
    reader,
    get,
  }) => {
    const first = await buildSpace(organization, { title: 'First' });
    const { body } = await api.call('GET', `/v1/spaces/${first._id}/revisions/${first.revision}/changes`, {
      token: reader.token,
    });
    expect(body.changes).toMatchObject([
      { type: 'page_created', page: { type: 'document', title: 'First' } },
    ]);
    expect((await get(`/revisions/${first.revision}/changes`)).status).toBe(404);
  });
});
