import { findRevision, loadDocuments, markdownOf, openTree } from '@bindery/content';
import {
  ChangeRequest,
  IndexTask,
  Revision,
  Space,
  type ChangeRequestRecord,
  type SpaceRecord,
} from '@bindery/models';
import { describe, expect } from 'vitest';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import {
  buildChangeRequest,
  buildComment,
  buildMember,
  buildRevision,
  buildSpace,
  changeSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const text = '# Guide\n\nOne.\n\nTwo.\n';
const pathOf = (of: ChangeRequestRecord) => `/v1/spaces/${of.space}/change-requests/${of._id}`;

const write = async (place: SpaceRecord | ChangeRequestRecord, page: string, source: string) => {
  const document = await storeSource(place.organization, source);
  return editContent(place, (edit) => setFields(edit, page, { document }));
};

const it = base
  .extend('space', async ({ organization }) => {
    const empty = await buildSpace(organization);
    await buildRevision(empty, {
      pages: [
        {
          id: `guide${empty._id}`,
          title: 'Guide',
          source: text,
          pages: [{ id: `below${empty._id}`, title: 'Below', path: 'guide/below' }],
        },
        { id: `other${empty._id}`, title: 'Other', source: '# Other\n' },
      ],
    });
    return (await Space.findById(empty._id).lean<SpaceRecord>()) as SpaceRecord;
  })
  .extend('changeRequest', ({ reviewer, space }) =>
    buildChangeRequest(space, { subject: 'Words', status: 'open', createdBy: reviewer.user._id }),
  )
  .extend('guide', ({ space }) => `guide${space._id}`)
  .extend('other', ({ space }) => `other${space._id}`)
  .extend('below', ({ space }) => `below${space._id}`)
  .extend(
    'merge',
    ({ api, reviewer, changeRequest }) =>
      (of = changeRequest, token = reviewer.token, json?: object) =>
        api.call('POST', `${pathOf(of)}/merge`, { token, ...(json && { json }) }),
  )
  .extend(
    'update',
    ({ api, reviewer, changeRequest }) =>
      (of = changeRequest, token = reviewer.token) =>
        api.call('POST', `${pathOf(of)}/update`, { token }),
  )
  .extend(
    'get',
    ({ api, admin, space }) =>
      async (path: string) =>
        (await api.call('GET', `/v1/spaces/${space._id}${path}`, { token: admin.token })).body,
  )
  .extend('contentNow', ({ organization, space }) => async () => {
    const { revision: id } = (await Space.findById(space._id).lean<SpaceRecord>()) as SpaceRecord;
    const revision = (await findRevision(space._id, id)) ?? expect.fail();
    return { revision, tree: await openTree(organization._id, revision.pages) };
  })
  .extend('textNow', ({ organization, contentNow }) => async (page: string) => {
    const { tree } = await contentNow();
    const item = tree.page(page)?.page;
    if (item?.type !== 'document' || !item.document) return undefined;
    const source = (await loadDocuments(organization._id, [item.document])).get(item.document);
    return source && markdownOf(source);
  });

describe('POST .../change-requests/{changeRequestId}/merge', () => {
  it('makes its content the main content, in a revision that names the change request', async ({
    reviewer,
    space,
    changeRequest,
    guide,
    merge,
    get,
    contentNow,
    textNow,
  }) => {
    const edited = await write(changeRequest, guide, `${text}\nThree.\n`);
    const { status, body } = await merge();
    expect([status, body]).toEqual([200, { revision: expect.any(String), result: 'merge' }]);
    expect(await textNow(guide)).toBe(`${text}\nThree.\n`);
    const { revision } = await contentNow();
    expect(revision).toMatchObject({
      _id: body.revision,
      type: 'merge',
      parents: [space.revision, edited._id],
      pages: edited.pages,
    });
    expect(revision.createdBy).toBe(reviewer.user._id);
    const shown = await get(`/change-requests/${changeRequest._id}`);
    expect(shown).toMatchObject({
      status: 'merged',
      revisionMerged: body.revision,
      revision: edited._id,
      revisionInitial: space.revision,
    });
    expect(Date.parse(shown.updatedAt)).toBeGreaterThan(changeRequest.updatedAt.getTime());
    expect(await get('/content')).toMatchObject({ id: body.revision, type: 'merge', mergedFrom: shown });
    expect((await IndexTask.findById(space._id).lean())?.version).toBeGreaterThan(0);
  });

  it.for(['main', 'changeRequest'] as const)(
    'answers 409 and merges nothing when the given revision of `%s` is no longer current',
    async (moved, { reviewer, space, changeRequest, other, merge, get }) => {
      const listed = async () => (await get(`/change-requests/${changeRequest._id}/conflicts`)).revisions;
      const seen = await listed();
      await write(moved === 'main' ? space : changeRequest, other, '# Other\n\nMeanwhile.\n');
      const before = (await get('/content')).id;
      const refused = await merge(changeRequest, reviewer.token, { revisions: seen });
      expect([refused.status, refused.body.error.message]).toEqual([
        409,
        expect.stringContaining('Nothing was changed.'),
      ]);
      expect((await get('/content')).id).toBe(before);
      const { base: _any, ...revisions } = await listed();
      const incomplete = await merge(changeRequest, reviewer.token, { revisions: { main: revisions.main } });
      expect([incomplete.status, incomplete.body.error.details[0].path]).toEqual([
        400,
        'body.revisions.changeRequest',
      ]);
      expect((await merge(changeRequest, reviewer.token, { revisions })).status).toBe(200);
    },
  );

  it('keeps in the revision the change request as it was at the merge', async ({
    api,
    admin,
    changeRequest,
    merge,
    get,
  }) => {
    await merge();
    const { mergedFrom } = await get('/content');
    await api.call('PATCH', pathOf(changeRequest), { token: admin.token, json: { subject: 'Later' } });
    expect((await get('/content')).mergedFrom).toEqual(mergedFrom);
  });

  it('counts and lists it as merged', async ({ merge, get }) => {
    expect(await get('')).toMatchObject({ changeRequests: 1, changeRequestsOpen: 1, changeRequestsDraft: 0 });
    await merge();
    expect(await get('')).toMatchObject({ changeRequests: 1, changeRequestsOpen: 0, changeRequestsDraft: 0 });
    expect((await get('/change-requests')).items).toEqual([]);
    expect((await get('/change-requests?status=merged')).items).toHaveLength(1);
  });

  it.for(['draft', 'archived'] as const)(
    'merges a change request with the status %s',
    async (status, { space, merge, get }) => {
      const one = await buildChangeRequest(space, { status });
      expect((await merge(one)).status).toBe(200);
      expect(await get('')).toMatchObject({
        changeRequests: 2,
        changeRequestsOpen: 1,
        changeRequestsDraft: 0,
      });
    },
  );

  it('finds a change request by its number, and merges it without changes', async ({
    api,
    reviewer,
    space,
    changeRequest,
    contentNow,
  }) => {
    const path = `/v1/spaces/${space._id}/change-requests/${changeRequest.number}/merge`;
    const { status, body } = await api.call('POST', path, { token: reviewer.token });
    expect([status, body.result]).toEqual([200, 'merge']);
    const { revision } = await contentNow();
    expect([revision._id, revision.type]).toEqual([body.revision, 'merge']);
    expect(revision.contentHash).toBe((await Revision.findById(space.revision).lean())?.contentHash);
  });

  it('answers a second merge and a later update with 409', async ({
    api,
    admin,
    space,
    changeRequest,
    merge,
    update,
    contentNow,
  }) => {
    await merge();
    const { revision } = await contentNow();
    for (const again of [await merge(), await update()])
      expect([again.status, again.body.error.type]).toEqual([409, 'conflict']);
    expect((await contentNow()).revision._id).toBe(revision._id);
    expect(await Revision.countDocuments({ space: space._id, type: 'merge' })).toBe(1);
    expect(
      (await api.call('PATCH', pathOf(changeRequest), { token: admin.token, json: { subject: 'After' } }))
        .status,
    ).toBe(200);
  });

  it('works in a locked space', async ({ space, merge }) => {
    await changeSpace(space, { editMode: 'locked' });
    expect((await merge()).status).toBe(200);
  });

  it('needs the permission space.merge', async ({ organization, changeRequest, merge }) => {
    const editor = await buildMember(organization, 'edit');
    const { status, body } = await merge(changeRequest, editor.token);
    expect([status, body.error.message]).toEqual([403, expect.stringContaining('space.merge')]);
    expect((await ChangeRequest.findById(changeRequest._id).lean())?.status).toBe('open');
  });

  it('answers 404 in a deleted space, and for a change request of another space', async ({
    organization,
    space,
    changeRequest,
    merge,
  }) => {
    const elsewhere = await buildSpace(organization);
    expect((await merge({ ...changeRequest, space: elsewhere._id })).status).toBe(404);
    await changeSpace(space, { deletedAt: new Date() });
    expect((await merge()).status).toBe(404);
  });

  it('keeps later changes of the main content', async ({
    space,
    changeRequest,
    guide,
    other,
    merge,
    contentNow,
    textNow,
  }) => {
    await write(space, guide, '# Guide\n\nOne, better.\n\nTwo.\n');
    await editContent(space, (edit) => edit.move(other, { into: guide }));
    await write(changeRequest, guide, '# Guide\n\nOne.\n\nTwo, better.\n');
    await write(changeRequest, other, '# Other\n\nMore.\n');
    const { body } = await merge();
    expect(body).toEqual({ revision: body.revision, result: 'merge' });
    expect(await textNow(guide)).toBe('# Guide\n\nOne, better.\n\nTwo, better.\n');
    expect(await textNow(other)).toBe('# Other\n\nMore.\n');
    expect((await contentNow()).tree.page(other)?.parent?.id).toBe(guide);
  });

  it('takes its own version where both sides changed the same lines, and reports both versions', async ({
    space,
    changeRequest,
    guide,
    merge,
    textNow,
  }) => {
    await write(space, guide, '# Guide\n\nOne of the space.\n\nTwo.\n');
    await write(changeRequest, guide, '# Guide\n\nOne of the change request.\n\nTwo.\n');
    const { status, body } = await merge();
    expect([status, body.result]).toEqual([200, 'conflicts']);
    const texts = { base: 'One.', ours: 'One of the space.', theirs: 'One of the change request.' };
    expect(body.conflicts).toEqual([{ page: guide, field: 'document', block: expect.any(String), ...texts }]);
    expect(await textNow(guide)).toBe('# Guide\n\nOne of the change request.\n\nTwo.\n');
  });

  it('keeps a page that one side deleted and the other side edited', async ({
    space,
    changeRequest,
    guide,
    below,
    merge,
    contentNow,
    textNow,
  }) => {
    await editContent(space, (edit) => edit.remove(guide));
    await write(changeRequest, guide, `${text}\nThree.\n`);
    const { body } = await merge();
    expect(body.result).toBe('conflicts');
    expect(body.conflicts).toEqual([
      { page: guide, field: 'deleted', base: text, ours: null, theirs: `${text}\nThree.\n` },
    ]);
    expect(await textNow(guide)).toBe(`${text}\nThree.\n`);
    // Nobody did anything to it, so it is gone.
    expect((await contentNow()).tree.page(below)).toBeUndefined();
  });

  it('keeps title, metadata and file of a page consistent when both sides changed it', async ({
    organization,
    space,
    changeRequest,
    guide,
    merge,
    contentNow,
  }) => {
    const ofSpace = await storeSource(organization._id, '---\nicon: book\n---\n\n# Guide\n\nOne.\n\nTwo.\n');
    await editContent(space, (edit) => setFields(edit, guide, { document: ofSpace, icon: 'book' }));
    const ours = await storeSource(
      organization._id,
      '---\ndescription: All of it\n---\n\n# Manual\n\nOne.\n\nTwo.\n',
    );
    await editContent(changeRequest, (edit) =>
      setFields(edit, guide, { document: ours, title: 'Manual', description: 'All of it' }),
    );
    expect((await merge()).body.result).toBe('merge');
    const page = (await contentNow()).tree.page(guide)?.page ?? expect.fail();
    expect(page).toMatchObject({ title: 'Manual', icon: 'book', description: 'All of it' });
    const hash = 'document' in page ? (page.document ?? '') : '';
    const source = (await loadDocuments(organization._id, [hash])).get(hash) ?? expect.fail();
    expect(Buffer.from(source.frontmatter).toString()).toBe('---\nicon: book\ndescription: All of it\n---\n');
    expect(Buffer.from(source.body).toString()).toBe('\n# Manual\n\nOne.\n\nTwo.\n');
  });

  it('merges files and reusable contents by id, variables by name, and keeps redirects', async ({
    organization,
    space,
    changeRequest,
    merge,
    get,
    contentNow,
  }) => {
    const file = (id: string, name: string) => ({
      id,
      name,
      contentType: 'image/png',
      sizeBytes: 1,
      blob: `blob of ${id}`,
    });
    const shared = await storeSource(organization._id, 'Shared.\n');
    const variable = (name: string, value: string) => ({ name, value });
    await editContent(space, () => {}, {
      files: [file('f1', 'a.png')],
      variables: [variable('x', 'space'), variable('y', 'space')],
      redirects: [{ from: 'old', to: 'guide' }],
    });
    await editContent(changeRequest, () => {}, {
      files: [file('f2', 'a.png')],
      reusableContents: [{ id: 'r1', title: 'Shared', document: shared }],
      variables: [variable('x', 'change request')],
    });
    const { body } = await merge();
    expect(body.conflicts).toEqual([
      { variable: 'x', field: 'value', base: null, ours: 'space', theirs: 'change request' },
    ]);
    const content = await get('/content');
    expect(content.files.map(({ id, name }: { id: string; name: string }) => [id, name])).toEqual([
      ['f1', 'a.png'],
      ['f2', 'a (1).png'],
    ]);
    expect(content.reusableContents).toMatchObject([{ id: 'r1', title: 'Shared' }]);
    expect(content.variables).toEqual({ x: 'change request', y: 'space' });
    expect((await contentNow()).revision.redirects).toEqual([{ from: 'old', to: 'guide' }]);
  });
});

describe('POST .../change-requests/{changeRequestId}/update', () => {
  it('merges the main content into the change request, which is then not outdated', async ({
    space,
    changeRequest,
    guide,
    other,
    merge,
    update,
    get,
    contentNow,
    textNow,
  }) => {
    const main = await write(space, other, '# Other\n\nNew.\n');
    const edited = await write(changeRequest, guide, `${text}\nThree.\n`);
    expect(await get(`/change-requests/${changeRequest._id}`)).toMatchObject({ outdated: true });
    const { status, body } = await update();
    expect([status, body]).toEqual([200, { revision: expect.any(String), result: 'update' }]);
    expect(await get(`/change-requests/${changeRequest._id}`)).toMatchObject({
      ...{
        outdated: false,
        status: 'open',
        revision: body.revision,
        revisionInitial: space.revision,
        revisionMergedAncestor: main._id,
      },
    });
    const revision = await findRevision(space._id, body.revision);
    expect(revision).toMatchObject({ type: 'update', parents: [edited._id, main._id] });
    expect((await get(`/revisions/${body.revision}`)).type).toBe('update');
    expect((await contentNow()).revision._id).toBe(main._id);
    expect((await merge()).body).toMatchObject({ result: 'merge' });
    expect(await textNow(guide)).toBe(`${text}\nThree.\n`);
    expect(await textNow(other)).toBe('# Other\n\nNew.\n');
  });

  it('keeps its own version where both changed the same lines, and then merges without a conflict', async ({
    space,
    changeRequest,
    guide,
    merge,
    update,
    textNow,
  }) => {
    await write(space, guide, '# Guide\n\nOne of the space.\n\nTwo.\n');
    await write(changeRequest, guide, '# Guide\n\nOne of the change request.\n\nTwo.\n');
    const { body } = await update();
    expect(body).toMatchObject({
      result: 'conflicts',
      conflicts: [{ ours: 'One of the change request.', theirs: 'One of the space.' }],
    });
    expect((await merge()).body.result).toBe('merge');
    expect(await textNow(guide)).toBe('# Guide\n\nOne of the change request.\n\nTwo.\n');
  });

  it('creates a revision also without new main content, and needs the permission space.edit', async ({
    organization,
    space,
    changeRequest,
    update,
    get,
  }) => {
    const commenter = await buildMember(organization, 'comment');
    const refused = await update(changeRequest, commenter.token);
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      expect.stringContaining('space.edit'),
    ]);
    const { body } = await update();
    expect(body.revision).not.toBe(space.revision);
    expect(await get(`/change-requests/${changeRequest._id}`)).toMatchObject({
      revision: body.revision,
      outdated: false,
    });
  });

  it('does not change comments and contributors', async ({
    admin,
    space,
    changeRequest,
    merge,
    update,
    get,
  }) => {
    await buildComment({ space, changeRequest }, { postedBy: admin.user._id });
    const people = await get(`/change-requests/${changeRequest._id}/contributors`);
    await update();
    await merge();
    expect(await get(`/change-requests/${changeRequest._id}/contributors`)).toEqual(people);
    expect(await get(`/change-requests/${changeRequest._id}`)).toMatchObject({ comments: 1 });
  });
});
