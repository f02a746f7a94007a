import { markdownToDocument } from '@bindery/dialect';
import { describe, expect } from 'vitest';
import { buildChangeRequest, buildMember, buildRevision, buildSpace } from '../../support/factories.ts';
import { it as base } from './clientHarness.ts';

const markdown = `# A *title*

Text with **bold**, \`code\`, ~~gone~~ and a [link](https://example.org), <b>HTML</b> and ![a picture](https://example.org/a.png).

1. one
2. two
   - below

> A quote

\`\`\`js
let a = 1;
\`\`\`

{% hint style="info" %}
A hint
{% endhint %}
`;
const document = {
  object: 'document',
  data: { schemaVersion: 1 },
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'Hello', marks: [] }] }],
    },
  ],
};

const it = base
  .extend('space', async ({ client }) => {
    const space = await buildSpace(client.organization);
    await buildRevision(space, {
      pages: [
        {
          id: 'page1',
          title: 'One',
          path: 'one',
          emoji: '1f4d6',
          icon: 'gear',
          source: '# One\n\nA text.\n',
        },
      ],
    });
    return space;
  })
  .extend('changeRequest', async ({ space }) => (await buildChangeRequest(space))._id)
  .extend(
    'callIn',
    ({ client, space, changeRequest }) =>
      (name: string) =>
      (operation: string, ...parameters: unknown[]) =>
        client.call(`${operation}In${name}`, [
          space._id,
          ...(name === 'Space' ? [] : [changeRequest]),
          ...parameters,
        ]),
  );

describe.each(['Space', 'ChangeRequest'])('comments in a %s', (name) => {
  it('are posted, read, listed, changed and deleted', async ({ client, callIn }) => {
    const call = callIn(name);
    const { status, data: small } = await call('postComment', { body: { markdown } });
    expect(status).toBe(200);
    const node = markdownToDocument('A text.').nodes[0]?.key;
    const target = { page: 'page1', node, tableCell: { record: 'r', definition: 'd' } };
    const { data: full } = await call('postComment', { body: { document }, ...target });
    expect(full.target).toMatchObject({
      page: { id: 'page1', outdated: false },
      node: { id: node },
      tableCell: target.tableCell,
    });
    await call('updateComment', full.id, {
      resolved: true,
      addedReactions: ['👍', '1f389'],
      removedReactions: ['👎'],
      body: { markdown },
    });
    await call('updateComment', small.id, {});
    for (const format of ['markdown', 'document']) {
      await call('getComment', small.id, { format });
      await call('getComment', full.id, { format });
      await call('listComments', { format, limit: 2, order: 'asc', status: 'all' });
    }
    const mine = { targetPage: 'page1', authors: [client.admin.user._id, 'x'], status: 'resolved' };
    expect((await call('listComments', mine)).data).toMatchObject({
      count: 1,
      items: [{ id: full.id, resolvedBy: {}, editedAt: {} }],
    });
    await call('listComments');
    await call('deleteComment', small.id);
    await call('deleteComment', small.id);
    client.expectValid(
      ...['post', 'update', 'get', 'list', 'delete'].map(
        (verb) => `${verb}Comment${verb === 'list' ? 's' : ''}In${name}`,
      ),
    );
  });

  it('have replies', async ({ client, callIn }) => {
    const call = callIn(name);
    const { data: comment } = await call('postComment', { body: { markdown: 'Why?' } });
    // Only under a change request the client has a query, behind the body.
    const { data: reply } = await call(
      'postCommentReply',
      comment.id,
      { body: { markdown } },
      ...(name === 'Space' ? [] : [{ format: 'document' }]),
    );
    await call('postCommentReply', comment.id, { body: { document } });
    await call('updateCommentReply', comment.id, reply.id, {
      body: { markdown: 'Because' },
      addedReactions: ['👍'],
    });
    for (const format of ['markdown', 'document']) {
      await call('getCommentReply', comment.id, reply.id, { format });
      await call('listCommentReplies', comment.id, { format, limit: 1 });
    }
    expect((await call('getComment', comment.id, {})).data).toMatchObject({
      replies: 2,
      repliers: [{ count: 2 }],
    });
    await call('deleteCommentReply', comment.id, reply.id);
    client.expectValid(
      ...[
        'postCommentReply',
        'updateCommentReply',
        'getCommentReply',
        'listCommentReplies',
        'deleteCommentReply',
        'getComment',
      ].map((operation) => `${operation}In${name}`),
    );
  });

  it('return the declared errors', async ({ client, space, changeRequest }) => {
    const path = [space._id, ...(name === 'Space' ? [] : [changeRequest])];
    expect(await client.refused(`postCommentIn${name}`, [...path, { body: {} }])).toMatchObject({
      code: 400,
    });
    expect(await client.refused(`getCommentIn${name}`, [...path, 'nothing'])).toMatchObject({ code: 404 });
    const { token } = await buildMember(client.organization, 'read');
    expect(
      await client.refused(`postCommentIn${name}`, [...path, { body: { markdown: 'a' } }], { token }),
    ).toMatchObject({ code: 403 });
    client.expectValid(`postCommentIn${name}`, `getCommentIn${name}`);
  });
});
