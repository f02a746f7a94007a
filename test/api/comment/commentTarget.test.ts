import { ChangeRequest } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildMember,
  buildOrganization,
  buildRevision,
  buildSpace,
  type TestPage,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

// The target of a comment, and its content as a document tree.

const pages: TestPage[] = [
  { id: 'page1', title: 'One', path: 'one' },
  { id: 'page2', title: 'Two', path: 'two' },
];
const renamed: TestPage[] = [{ id: 'page1', title: 'One, renamed', path: 'uno', emoji: '1f600' }];

const it = base
  .extend('ann', { scope: 'file' }, ({ organization }) => buildMember(organization, 'comment'))
  .extend('space', async ({ organization }) => {
    const space = await buildSpace(organization);

    return { ...space, revision: (await buildRevision(space, { pages }))._id };
  })
  .extend('post', ({ api, ann }) => async (root: string, json: unknown, status = 200) => {
    const answer = await api.call('POST', `${root}/comments`, { token: ann.token, json });
    expect(answer.status).toBe(status);
    return answer.body;
  })
  .extend(
    'get',
    ({ api, ann }) =>
      async (root: string, id: string, query = '') =>
        (await api.call('GET', `${root}/comments/${id}${query}`, { token: ann.token })).body,
  );

describe('the page of a comment', () => {
  it('is shown in its current state, or in its last state when it was deleted; the revision stays', async ({
    api,
    space,
    ann,
    post,
    get,
  }) => {
    const root = `/v1/spaces/${space._id}`;
    const [one, two] = [
      await post(root, { body: { markdown: 'a' }, page: 'page1' }),
      await post(root, { body: { markdown: 'a' }, page: 'page2' }),
    ];
    const { _id: later } = await buildRevision(space, { pages: renamed });
    const target = { space: space._id, revision: space.revision };
    expect((await get(root, one.id)).target).toEqual({
      ...target,
      page: expect.objectContaining({
        id: 'page1',
        title: 'One, renamed',
        path: 'uno',
        emoji: '1f600',
        outdated: false,
      }),
    });
    expect((await get(root, two.id)).target).toEqual({
      ...target,
      page: expect.objectContaining({ id: 'page2', title: 'Two', path: 'two', outdated: true }),
    });
    expect((await post(root, { body: { markdown: 'b' } })).target.revision).toBe(later);
    await post(root, { body: { markdown: 'b' }, page: 'page2' }, 400);
    const list = await api.call('GET', `${root}/comments?targetPage=page2`, { token: ann.token });
    expect(list.body).toMatchObject({
      count: 1,
      items: [{ id: two.id, target: { page: { outdated: true } } }],
    });
  });

  it('is a page of the content of the change request', async ({ space, post, get }) => {
    const changeRequest = await buildChangeRequest(space);
    const root = `/v1/spaces/${space._id}/change-requests/${changeRequest.number}`;
    const { _id: revision } = await buildRevision(space, {
      pages: [...renamed, { id: 'new1', title: 'New', path: 'new' }],
      publish: false,
    });
    const early = await post(root, { body: { markdown: 'a' }, page: 'page2' });
    await post(root, { body: { markdown: 'a' }, page: 'new1' }, 400);
    await ChangeRequest.updateOne({ _id: changeRequest._id }, { $set: { revision } });
    await post(root, { body: { markdown: 'a' }, page: 'page2' }, 400);
    const added = await post(root, { body: { markdown: 'a' }, page: 'new1' });
    const kept = await post(root, { body: { markdown: 'a' }, page: 'page1' });
    expect(added.target).toMatchObject({
      revision,
      changeRequest: changeRequest._id,
      page: { title: 'New', outdated: false },
    });
    expect(kept.target.page).toMatchObject({ title: 'One, renamed', outdated: false });
    // It is still in the main content.
    expect((await get(root, early.id)).target.page).toMatchObject({ title: 'Two', outdated: false });
    await buildRevision(space, { pages: [] });
    for (const [comment, outdated] of [
      [early, true],
      [kept, true],
      [added, false],
    ] as const) {
      expect((await get(root, comment.id)).target.page.outdated).toBe(outdated);
    }
  });
});

describe('content as a tree', () => {
  const text = (value: string, marks: unknown[] = []) => ({
    object: 'text',
    leaves: [{ object: 'leaf', text: value, marks }],
  });
  const paragraph = (...nodes: unknown[]) => ({ object: 'block', type: 'paragraph', nodes });
  const tree = (...nodes: unknown[]) => ({ object: 'document', data: { schemaVersion: 1 }, nodes });

  it('comes back as it was given, and as Markdown', async ({ api, space, ann, post, get }) => {
    const root = `/v1/spaces/${space._id}`;
    const document = {
      ...tree(
        paragraph(text('Hello '), text('world', [{ object: 'mark', type: 'bold' }])),
        { object: 'block', type: 'hint', data: { style: 'info' }, nodes: [paragraph(text('50 * 2'))] },
        { object: 'block', type: 'divider', isVoid: true, data: {} },
      ),
      // A key that MongoDB would take for an operator, and others that JSON has.
      data: { schemaVersion: 1, $set: { 'a.b': 1 }, 'x.y': null },
    };
    const { id } = await post(root, { body: { document } });
    expect((await get(root, id, '?format=document')).body).toEqual({ document });
    expect((await get(root, id)).body).toEqual({
      markdown: 'Hello **world**\n\n{% hint style="info" %}\n50 \\* 2\n{% endhint %}\n\n***\n',
    });
    const same = await api.call('PUT', `${root}/comments/${id}?format=document`, {
      token: ann.token,
      json: { body: { document } },
    });
    expect(same.body).not.toHaveProperty('editedAt');
    const other = await api.call('PUT', `${root}/comments/${id}`, {
      token: ann.token,
      json: { body: { markdown: 'Now Markdown' } },
    });
    expect(other.body).toMatchObject({ body: { markdown: 'Now Markdown' }, editedAt: expect.any(String) });
  });

  it('may mention only users and content that its author can view', async ({
    api,
    organization,
    space,
    ann,
    post,
  }) => {
    const mention = (ref: object) => ({
      document: tree(paragraph({ object: 'inline', type: 'mention', isVoid: true, data: { ref } })),
    });
    const closed = await buildSpace(organization, { defaultLevel: null });
    const { admin: stranger } = await buildOrganization();
    const root = `/v1/spaces/${space._id}`;
    const { id } = await post(root, { body: mention({ kind: 'user', user: ann.user._id }) });
    await post(root, { body: mention({ kind: 'space', space: space._id }) });
    await post(root, { body: mention({ kind: 'url', url: 'https://a.example' }) });
    for (const ref of [
      { kind: 'user', user: stranger.user._id },
      { kind: 'user', user: 'nobody' },
      { kind: 'space', space: closed._id },
      { kind: 'page', page: 'p', space: closed._id },
      { kind: 'collection', collection: 'nothing' },
    ]) {
      const refused = [
        await api.call('POST', `${root}/comments`, { token: ann.token, json: { body: mention(ref) } }),
        await api.call('POST', `${root}/comments/${id}/replies`, {
          token: ann.token,
          json: { body: mention(ref) },
        }),
        await api.call('PUT', `${root}/comments/${id}`, { token: ann.token, json: { body: mention(ref) } }),
      ];
      expect([ref, ...refused.map(({ status }) => status)]).toEqual([ref, 400, 400, 400]);
    }
  });

  it('may be an image without text', async ({ space, post }) => {
    const image = {
      object: 'inline',
      type: 'inline-image',
      isVoid: true,
      data: { ref: { kind: 'url', url: 'https://a.example/b.png' } },
    };
    await post(`/v1/spaces/${space._id}`, { body: { document: tree(paragraph(image)) } });
  });

  const deep = (depth: number): unknown =>
    depth === 0 ? paragraph(text('a')) : { object: 'block', type: 'blockquote', nodes: [deep(depth - 1)] };

  it.for([
    ['no text', tree(paragraph(text(' \n')))],
    ['nothing', tree()],
    ['an unknown type', tree({ object: 'block', type: 'banana', nodes: [] })],
    ['a block without a type', tree({ object: 'block', nodes: [] })],
    ['a list item on its own', tree({ object: 'block', type: 'list-item', nodes: [paragraph(text('a'))] })],
    ['a wrong mark', tree(paragraph(text('a', [{ object: 'mark', type: 'blink' }])))],
    ['a version that is none', { ...tree(paragraph(text('a'))), data: { schemaVersion: '1' } }],
    ['too many levels', tree(deep(1_000))],
    ['too many nodes', tree(...Array.from({ length: 4_000 }, () => paragraph(text('a'))))],
    ['too much text', tree(paragraph(text('a'.repeat(300_000))))],
    ['an array', [paragraph(text('a'))]],
  ])('is refused with %s', async ([, document], { space, post }) => {
    await post(`/v1/spaces/${space._id}`, { body: { document } }, 400);
  });
});
