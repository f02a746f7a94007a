import { ChangeRequest, Revision } from '@bindery/models';
import { describe, expect } from 'vitest';
import { itEditing as it } from '../../support/content/editing.ts';
import { buildMember, buildOrganization } from '../../support/factories.ts';

const insert = (title: string, more: object = {}) => ({
  operation: 'insert_page' as const,
  title,
  document: {},
  ...more,
});

describe('POST /v1/spaces/{spaceId}/change-requests/{changeRequestId}/content', () => {
  it('applies a batch as one new revision of the change request, and leaves the main content alone', async ({
    api,
    organization,
    admin,
    open,
  }) => {
    const editing = await open({ pages: [{ id: 'home', title: 'Home' }] });
    const before = await editing.record();
    const revisions = await Revision.countDocuments({ space: editing.space._id });
    await editing.edit(insert('One'), insert('Two'), {
      operation: 'update_page',
      page: 'home',
      title: 'House',
    });
    const after = await editing.record();
    expect(await Revision.countDocuments({ space: editing.space._id })).toBe(revisions + 1);
    expect(await editing.revision()).toMatchObject({
      type: 'edits',
      parents: [before.revision],
      createdBy: admin.user._id,
      organization: organization._id,
    });
    expect(after.revisionInitial).toBe(before.revisionInitial);
    expect(await editing.outline()).toBe('House, One, Two');
    const { body } = await api.call('GET', `/v1/spaces/${editing.space._id}/content/pages`, {
      token: admin.token,
    });
    expect(body.pages.map(({ title }: { title: string }) => title)).toEqual(['Home']);
  });

  it('answers with the change request, or also with the pages and files that have changed', async ({
    api,
    admin,
    open,
  }) => {
    const editing = await open({
      pages: [
        { id: 'home', title: 'Home' },
        { id: 'old', title: 'Old', pages: [{ id: 'older', title: 'Older' }] },
      ],
    });
    for (const query of ['', '?compat=true']) {
      const { status, body } = await editing.send([insert('Page')], { query });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        object: 'change-request',
        id: editing.id,
        revision: (await editing.record()).revision,
      });
      expect(body).not.toHaveProperty('changes');
    }
    const { body } = await editing.send([
      { operation: 'update_page', page: 'home', description: 'First' },
      insert('New', { ref: 'new' }),
      insert('Gone again'),
      { operation: 'delete_page', page: 'old' },
      { operation: 'update_page', page: 'home', hidden: true },
      {
        operation: 'insert_files',
        files: [{ name: 'a.txt', base64: 'aGVsbG8=', contentType: 'text/plain' }],
      },
    ]);
    const content = `http://api.test/v1/spaces/${editing.space._id}/change-requests/${editing.id}/content`;
    const created = body.changes[1].page.id;
    expect(body).toEqual({
      changeRequest: expect.objectContaining({ object: 'change-request', id: editing.id }),
      changes: [
        {
          object: 'updated_page',
          page: { object: 'page', id: 'home', urls: { location: `${content}/page/home` } },
        },
        {
          object: 'created_page',
          ref: 'new',
          page: { object: 'page', id: created, urls: { location: `${content}/page/${created}` } },
        },
        { object: 'created_page', page: expect.anything() },
        { object: 'deleted_page', page: 'old' },
        { object: 'deleted_page', page: 'older' },
      ],
      insertedFiles: [
        expect.objectContaining({ object: 'file', name: 'a.txt', contentType: 'text/plain', size: 5 }),
      ],
    });
    const { status, body: page } = await api.call('GET', body.changes[1].page.urls.location, {
      token: admin.token,
    });
    expect([status, page.title]).toEqual([200, 'New']);
    expect((await editing.send([insert('x')], { query: '?compat=maybe' })).status).toBe(400);
  });

  it('rejects the whole batch when one change is not valid, and names that change', async ({ open }) => {
    const editing = await open({ pages: [{ id: 'home', title: 'Home' }] });
    expect(
      await editing.refused(
        insert('One'),
        { operation: 'delete_page', page: 'home' },
        { operation: 'update_page', page: 'home' },
      ),
    ).toBe('body.changes[2].page: must be the id of a page of this content.');
    expect(await editing.refused(insert('One'), insert('Two', { into: 'nothing' }))).toContain(
      'body.changes[1].into: ',
    );
    expect(
      await editing.refused(
        { operation: 'delete_page', page: 'home' },
        { operation: 'rename_page', page: 'home' },
      ),
    ).toContain('body.changes[1].operation: ');
    expect(await editing.outline()).toBe('Home');
  });

  it('takes 1 to 50 changes', async ({ api, admin, open }) => {
    const editing = await open({ pages: [] });
    expect((await editing.send([])).status).toBe(400);
    expect((await editing.send(Array.from({ length: 51 }, () => insert('x')))).status).toBe(400);
    expect((await api.call('POST', editing.path, { token: admin.token })).status).toBe(400);
    expect((await api.call('POST', editing.path, { token: admin.token, json: { changes: {} } })).status).toBe(
      400,
    );
    expect(
      await editing.edit(...Array.from({ length: 50 }, (_, index) => insert(`Page ${index}`))),
    ).toHaveLength(50);
  });

  it('takes bodies of up to 10 MB, and pages of up to 2 MB', async ({ open }) => {
    const editing = await open({ pages: [] });
    const markdown = (bytes: number) => `# Long\n\n${'word '.repeat(bytes / 5)}`;
    expect(
      (
        await editing.send(
          Array.from({ length: 4 }, () =>
            insert('', { title: 'Long', document: { markdown: markdown(1_900_000) } }),
          ),
        )
      ).status,
    ).toBe(200);
    expect(await editing.refused(insert('x', { document: { markdown: markdown(2_100_000) } }))).toContain(
      'body.changes[0].document.markdown: ',
    );
    expect(
      (
        await editing.send(
          Array.from({ length: 6 }, () => insert('x', { document: { markdown: markdown(1_900_000) } })),
        )
      ).status,
    ).toBe(413);
  });

  it('updates updatedAt, the contributors and the version of the change request', async ({
    organization,
    admin,
    open,
  }) => {
    const editing = await open({ pages: [{ id: 'home', title: 'Home' }] });
    const before = await editing.record();
    const editor = await buildMember(organization, 'edit');
    expect((await editing.send([insert('One')], { token: editor.token })).status).toBe(200);
    const { updatedAt, contributors, version } = await editing.record();
    expect(updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
    expect(contributors.map(({ user, actionType, count }) => [user, actionType, count])).toEqual([
      [admin.user._id, 'edit', 1],
      [editor.user._id, 'edit', 1],
    ]);
    expect(version).toBe(before.version + 1);
    await editing.edit(insert('Two'));
    expect((await editing.record()).contributors[0]).toMatchObject({ count: 2 });
  });

  it('edits a draft, open or archived change request, and refuses a merged one with 409', async ({
    open,
  }) => {
    const editing = await open({ pages: [] });
    for (const status of ['draft', 'open', 'archived']) {
      await ChangeRequest.updateOne({ _id: editing.id }, { $set: { status } });
      expect((await editing.send([insert(status)])).status).toBe(200);
    }
    await ChangeRequest.updateOne({ _id: editing.id }, { $set: { status: 'merged' } });
    const { revision } = await editing.record();
    expect((await editing.send([insert('Late')])).status).toBe(409);
    expect((await editing.record()).revision).toBe(revision);
  });

  it('finds the change request by its number, but not under another space or for a stranger', async ({
    api,
    admin,
    open,
  }) => {
    const editing = await open({ pages: [] });
    const send = async (path: string, token: string) =>
      (await api.call('POST', path, { token, json: { changes: [insert('Page')] } })).status;
    const { number } = await editing.record();
    expect(await send(`/v1/spaces/${editing.space._id}/change-requests/${number}/content`, admin.token)).toBe(
      200,
    );
    const other = await open({ pages: [] });
    expect(
      await send(`/v1/spaces/${other.space._id}/change-requests/${editing.id}/content`, admin.token),
    ).toBe(404);
    expect(await send(`/v1/spaces/${editing.space._id}/change-requests/nothing/content`, admin.token)).toBe(
      404,
    );
    const { admin: stranger } = await buildOrganization();
    expect(await send(editing.path, stranger.token)).toBe(404);
  });

  it('needs the permission space.edit, which is checked before the body', async ({ organization, open }) => {
    const editing = await open({ pages: [] });
    const commenter = await buildMember(organization, 'comment');
    expect((await editing.send('nonsense', { token: commenter.token })).status).toBe(403);
    const editor = await buildMember(organization, 'edit');
    expect((await editing.send([insert('Page')], { token: editor.token })).status).toBe(200);
  });

  it('honours If-Match', async ({ api, admin, open }) => {
    const editing = await open({ pages: [] });
    const path = editing.path.replace(/\/content$/, '');
    const tag = (await api.call('GET', path, { token: admin.token })).headers.get('etag') ?? '';
    const first = await editing.send([insert('Mine')], { headers: { 'if-match': tag } });
    expect(first.status).toBe(200);
    // The content is a part of the change request: whoever saw the old one, has not seen this.
    expect((await editing.send([insert('Late')], { headers: { 'if-match': tag } })).status).toBe(412);
    expect(
      (
        await api.call('PATCH', path, {
          token: admin.token,
          json: { subject: 'Late' },
          headers: { 'if-match': tag },
        })
      ).status,
    ).toBe(412);
    expect(
      (await editing.send([insert('Next')], { headers: { 'if-match': first.headers.get('etag') ?? '' } }))
        .status,
    ).toBe(200);
    expect(await editing.outline()).toBe('Mine, Next');
  });
});
