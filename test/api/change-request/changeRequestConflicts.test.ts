import { findRevision, loadDocuments, markdownOf, openTree } from '@bindery/content';
import {
  ChangeRequest,
  Space,
  type ChangeRequestRecord,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { describe, expect } from 'vitest';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import { buildChangeRequest, buildRevision, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const keysOf = (icon: string, description: string) =>
  `---\nicon: ${icon}\ndescription: ${description}\n---\n`;
const pageText = (title: string, ...blocks: string[]) => `\n# ${title}\n\n${blocks.join('\n\n')}\n`;

const write = async (place: SpaceRecord | ChangeRequestRecord, source: string, fields: object = {}) => {
  const document = await storeSource(place.organization, source);
  return editContent(place, (edit) => setFields(edit, 'page', { document, ...fields }));
};

const it = base
  .extend('space', async ({ organization }) => {
    const empty = await buildSpace(organization);
    const source = keysOf('book', 'Old') + pageText('Page', 'One.', 'Two.');
    const target = { kind: 'url' as const, url: 'https://example.org/old' };
    const shared = await storeSource(organization._id, 'One.\n\nTwo.\n');
    await buildRevision(empty, {
      pages: [
        { id: 'page', title: 'Page', icon: 'book', description: 'Old', linkTitle: 'P', source },
        { id: 'link', title: 'Link', type: 'link', target },
      ],
      reusableContents: [{ id: 'r', title: 'Shared', document: shared }],
    });
    return (await Space.findById(empty._id).lean<SpaceRecord>()) as SpaceRecord;
  })
  .extend('changeRequest', ({ space }) => buildChangeRequest(space, { status: 'open' }))
  .extend('merge', ({ api, admin, space, changeRequest }) => async () => {
    const path = `/v1/spaces/${space._id}/change-requests/${changeRequest._id}/merge`;
    const { status, body } = await api.call('POST', path, { token: admin.token });
    expect(status).toBe(200);
    return body;
  })
  .extend(
    'mergedRevision',
    ({ space }) =>
      async (id: string) =>
        (await findRevision(space._id, id)) as RevisionRecord,
  )
  .extend('sourceOf', ({ organization }) => async (hash: string | undefined) => {
    const source = (await loadDocuments(organization._id, [hash ?? ''])).get(hash ?? '') ?? expect.fail();
    return Buffer.from(source.frontmatter).toString() + markdownOf(source);
  })
  .extend('pageOf', ({ organization, mergedRevision }) => async (revision: string, id = 'page') => {
    const { pages } = await mergedRevision(revision);
    return (await openTree(organization._id, pages)).page(id)?.page as { document?: string } & Record<
      string,
      unknown
    >;
  });

describe('conflicts of a merge', () => {
  it('identify the block by its key in the document', async ({ api, admin, space, changeRequest, merge }) => {
    await write(space, keysOf('book', 'Old') + pageText('Page', 'One.', 'Two of the space.'));
    await write(
      changeRequest,
      keysOf('book', 'Old') + pageText('Page', 'One.', 'Two of the change request.'),
    );
    const { conflicts } = await merge();
    expect(conflicts).toHaveLength(1);
    const path = `/v1/spaces/${space._id}/content/page/page?format=document`;
    const { body } = await api.call('GET', path, { token: admin.token });
    expect(body.document.nodes.map(({ key }: { key: string }) => key)).toContain(conflicts[0].block);
  });

  it('are reported once for a title, and page and file get the title of the change request', async ({
    space,
    changeRequest,
    merge,
    sourceOf,
    pageOf,
  }) => {
    await write(space, keysOf('book', 'Old') + pageText('Of the space', 'One.', 'Two.'), {
      title: 'Of the space',
    });
    await write(changeRequest, keysOf('book', 'Old') + pageText('Of the change request', 'One.', 'Two.'), {
      title: 'Of the change request',
    });
    const { conflicts, revision } = await merge();
    expect(conflicts).toEqual([
      { page: 'page', field: 'title', base: 'Page', ours: 'Of the space', theirs: 'Of the change request' },
    ]);
    const page = await pageOf(revision);
    expect(page).toMatchObject({ title: 'Of the change request' });
    expect(await sourceOf(page.document)).toContain('# Of the change request\n');
  });

  it('are reported once for metadata, and fields that only one side changed are merged', async ({
    space,
    changeRequest,
    merge,
    sourceOf,
    pageOf,
  }) => {
    await write(space, keysOf('star', 'Of the space') + pageText('Page', 'One.', 'Two.'), {
      icon: 'star',
      description: 'Of the space',
    });
    const theirs = { description: 'Of the change request', linkTitle: 'Q' };
    await write(changeRequest, keysOf('book', theirs.description) + pageText('Page', 'One.', 'Two.'), theirs);
    const { conflicts, revision } = await merge();
    const line = (text: string) => `description: ${text}\n`;
    expect(conflicts).toEqual([
      {
        page: 'page',
        field: 'document',
        block: 'frontmatter',
        base: line('Old'),
        ours: line('Of the space'),
        theirs: line('Of the change request'),
      },
    ]);
    const page = await pageOf(revision);
    expect(page).toMatchObject({ icon: 'star', description: 'Of the change request', linkTitle: 'Q' });
    expect(await sourceOf(page.document)).toBe(
      keysOf('star', 'Of the change request') + pageText('Page', 'One.', 'Two.'),
    );
  });

  it('are reported for a link title and a link target, which are in no file', async ({
    space,
    changeRequest,
    merge,
    pageOf,
  }) => {
    await editContent(space, (edit) => {
      setFields(edit, 'page', { linkTitle: 'A' });
      setFields(edit, 'link', { target: { kind: 'page', page: 'page' } });
    });
    await editContent(changeRequest, (edit) => {
      setFields(edit, 'page', { linkTitle: 'B' });
      setFields(edit, 'link', { target: { kind: 'url', url: 'https://example.org/new' } });
    });
    const { conflicts, revision } = await merge();
    expect(conflicts).toEqual([
      {
        page: 'page',
        field: 'document',
        block: 'frontmatter',
        base: 'linkTitle: P',
        ours: 'linkTitle: A',
        theirs: 'linkTitle: B',
      },
      {
        page: 'link',
        field: 'document',
        block: 'target',
        base: 'https://example.org/old',
        ours: '/pages/page',
        theirs: 'https://example.org/new',
      },
    ]);
    expect(await pageOf(revision, 'link')).toMatchObject({
      target: { kind: 'url', url: 'https://example.org/new' },
    });
  });

  it('are reported for a link that one side deleted', async ({ space, changeRequest, merge, pageOf }) => {
    await editContent(changeRequest, (edit) => edit.remove('link'));
    await editContent(space, (edit) => setFields(edit, 'link', { title: 'New' }));
    const { conflicts, revision } = await merge();
    expect(conflicts).toEqual([
      {
        page: 'link',
        field: 'deleted',
        base: '[Link](https://example.org/old)',
        ours: '[New](https://example.org/old)',
        theirs: null,
      },
    ]);
    expect(await pageOf(revision, 'link')).toMatchObject({ title: 'New' });
  });

  it('are reported for the text of reusable contents', async ({
    api,
    organization,
    admin,
    space,
    changeRequest,
    merge,
    sourceOf,
  }) => {
    const shared = async (text: string, title = 'Shared') => [
      { id: 'r', title, document: await storeSource(organization._id, text) },
    ];
    await editContent(space, () => {}, {
      reusableContents: await shared('One of the space.\n\nTwo.\n', 'Common'),
    });
    await editContent(changeRequest, () => {}, {
      reusableContents: await shared('One of the change request.\n\nTwo!\n'),
    });
    const { conflicts, revision } = await merge();
    const texts = { base: 'One.', ours: 'One of the space.', theirs: 'One of the change request.' };
    expect(conflicts).toEqual([
      { reusableContent: 'r', field: 'document', block: expect.any(String), ...texts },
    ]);
    const { body } = await api.call('GET', `/v1/spaces/${space._id}/content`, { token: admin.token });
    expect(body).toMatchObject({ id: revision, reusableContents: [{ id: 'r', title: 'Common' }] });
    expect(await sourceOf(body.reusableContents[0].document)).toBe('One of the change request.\n\nTwo!\n');
  });

  it('keep the edited version of a reusable content that the other side deleted', async ({
    organization,
    space,
    changeRequest,
    merge,
  }) => {
    const changed = await storeSource(organization._id, 'Changed.\n');
    await editContent(space, () => {}, { reusableContents: [] });
    await editContent(changeRequest, () => {}, {
      reusableContents: [{ id: 'r', title: 'Shared', document: changed }],
    });
    const { conflicts } = await merge();
    expect(conflicts).toEqual([
      { reusableContent: 'r', field: 'deleted', base: 'One.\n\nTwo.\n', ours: null, theirs: 'Changed.\n' },
    ]);
  });
});

it('a visitor of a site cannot reach unpublished revisions or change requests from published content', async ({
  api,
  organization,
  admin,
  space,
  changeRequest,
  merge,
}) => {
  const { revision: before } = (await Space.findById(space._id).lean<SpaceRecord>())!;
  await merge();
  const send = async (path: string, json: object) =>
    (await api.call('POST', `/v1${path}`, { token: admin.token, json })).body;
  const site = `/orgs/${organization._id}/sites/${(await send(`/orgs/${organization._id}/sites`, { title: 'Site', spaces: [space._id] })).id}`;
  const { urls } = await send(`${site}/publish`, {});
  const { apiToken: token } = await send('/urls/published', { url: urls.published });
  const read = (path: string, as = token) => api.call('GET', `/v1/spaces/${space._id}${path}`, { token: as });
  const { body } = await read('/content');
  expect(body).toMatchObject({ type: 'merge', parents: [] });
  expect(body).not.toHaveProperty('mergedFrom');
  expect((await read('/content', admin.token)).body.mergedFrom.subject).toBe('Change');
  expect((await read(`/revisions/${body.id}`)).body).toMatchObject({ id: body.id, parents: [] });
  const { revision, revisionInitial, number, _id } = (await ChangeRequest.findById(
    changeRequest._id,
  ).lean<ChangeRequestRecord>())!;
  const places = [before, revision, revisionInitial].map((id) => `/revisions/${id}`);
  for (const name of [_id, number]) places.push(`/change-requests/${name}/content`);
  for (const place of places) {
    for (const below of ['', '/pages', '/files', '/page/page', '/path/page']) {
      const path = `${place}${below}`;
      expect([path, (await read(path)).status]).toEqual([path, 404]);
    }
    expect([place, (await read(place, admin.token)).status]).toEqual([place, 200]);
  }
  expect((await read(`/change-requests/${_id}`)).status).toBe(404);
});
