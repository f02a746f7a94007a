import { expect } from 'vitest';
import { buildChangeRequest } from '../../support/factories.ts';
import { it as base } from './clientHarness.ts';

const it = base
  .extend('id', async ({ space }) => (await buildChangeRequest(space))._id)
  .extend(
    'update',
    ({ client, space, id }) =>
      async (changes: object[], query?: object) =>
        (
          await client.call('updateChangeRequestContent', [
            space._id,
            id,
            { changes },
            ...(query ? [query] : []),
          ])
        ).data,
  );

it('inserts pages and files with links between them, and reads them back as Markdown', async ({
  client,
  space,
  id,
  update,
}) => {
  const everything = {
    title: 'Not used',
    slug: 'guide',
    emoji: '1f4d6',
    icon: 'book',
    description: 'How to begin',
    hidden: false,
    noIndex: true,
    noRobotsIndex: true,
    condition: 'visitor.claims.plan == "pro"',
  };
  const picture = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"/>').toString(
    'base64',
  );
  const { changeRequest, changes, insertedFiles } = await update(
    [
      {
        operation: 'insert_page',
        ref: 'guide',
        ...everything,
        document: { markdown: '# Guide\n\nSee [setup](./setup.md#linux) and ![map](./map).\n' },
      },
      {
        operation: 'insert_page',
        ref: 'setup',
        at: 0,
        title: 'Setup',
        document: { markdown: 'Back to the [guide](guide.md).\n\n## Linux\n' },
      },
      {
        operation: 'insert_files',
        files: [{ name: 'map.svg', ref: 'map', base64: picture, contentType: 'image/svg+xml' }],
      },
    ],
    { compat: false },
  );
  expect(changeRequest).toMatchObject({ object: 'change-request', id });
  expect(changes).toMatchObject([
    { object: 'created_page', ref: 'guide', page: { object: 'page' } },
    { object: 'created_page', ref: 'setup', page: { object: 'page' } },
  ]);
  expect(insertedFiles).toMatchObject([{ name: 'map.svg', dimensions: { width: 8, height: 4 } }]);
  const [guide, setup] = changes.map(({ page }: { page: { id: string } }) => page.id);
  const read = async (page: string) =>
    (await client.call('getPageInChangeRequestById', [space._id, id, page, { format: 'markdown' }])).data;
  expect(await read(guide)).toMatchObject({
    ...everything,
    title: 'Guide',
    path: 'guide',
    markdown: expect.stringContaining('See [setup](setup.md#linux) and ![map](.gitbook/assets/map.svg).'),
  });
  expect(await read(setup)).toMatchObject({
    title: 'Setup',
    markdown: '# Setup\n\nBack to the [guide](guide.md).\n\n## Linux\n',
  });
  client.expectValid('updateChangeRequestContent', 'getPageInChangeRequestById');
});

it('changes, moves, reverts and deletes pages', async ({ client, update }) => {
  const { changes } = await update(
    [
      { operation: 'insert_page', document: {} },
      { operation: 'insert_page', title: 'Below', document: {} },
    ],
    { compat: false },
  );
  const [above, below] = changes.map(({ page }: { page: { id: string } }) => page.id);
  expect(await update([{ operation: 'update_page', page: below, into: above, at: 0 }])).toMatchObject({
    object: 'change-request',
  });
  expect(
    await update([{ operation: 'update_page', page: below, into: null, title: 'Beside' }], { compat: true }),
  ).toMatchObject({
    object: 'change-request',
  });
  expect(
    (
      await update(
        [
          { operation: 'update_page', page: above },
          { operation: 'revert_page', page: below },
          { operation: 'delete_page', page: above },
        ],
        { compat: false },
      )
    ).changes,
  ).toEqual([
    { object: 'deleted_page', page: above },
    { object: 'deleted_page', page: below },
  ]);
  client.expectValid('updateChangeRequestContent');
});

it('returns the declared errors for an unknown page, an unknown and a merged change request', async ({
  client,
  space,
  id,
}) => {
  const remove = { operation: 'delete_page', page: 'nothing' };
  expect(
    await client.refused('updateChangeRequestContent', [space._id, id, { changes: [remove] }]),
  ).toMatchObject({
    code: 400,
    message: expect.stringContaining('body.changes[0].page'),
  });
  expect(
    await client.refused('updateChangeRequestContent', [space._id, 'nothing', { changes: [remove] }]),
  ).toMatchObject({ code: 404 });
  const { _id: merged } = await buildChangeRequest(space, {
    status: 'merged',
    revisionMerged: space.revision,
  });
  expect(
    await client.refused('updateChangeRequestContent', [space._id, merged, { changes: [remove] }]),
  ).toMatchObject({ code: 409 });
  client.expectValid('updateChangeRequestContent');
});
