import { Space } from '@bindery/models';
import { describe, expect } from 'vitest';
import { it as base } from '../../support/translation/translating.ts';

/** A translation of one page, and the paths of its texts, of one of them, and of its files. */
const it = base.extend('textsOf', ({ translated, call, organization }) => async (text: string) => {
  const one = await translated([{ id: 'page', title: text, source: `${text}.\n` }]);
  const { body } = await call('GET', `/${one.id}/segments`);
  const path = `/v1/orgs/${organization._id}/translations/${one.id}`;
  return {
    one,
    list: `${path}/segments`,
    segment: `${path}/segments/${encodeURIComponent(body.items[0].id)}`,
    export: `${path}/export`,
    import: `${path}/import`,
  };
});

describe('the texts of a translation', { timeout: 120_000 }, () => {
  it('are not changed by a member who may only read their space', async ({ api, creator, textsOf }) => {
    const paths = await textsOf('Read only');
    const { _id } = await paths.one.result();
    const { token } = creator;
    const { text: file } = await api.call('GET', paths.export, { token });
    const change = async () => [
      (await api.call('PATCH', paths.segment, { token, json: { text: 'Planted' } })).status,
      (
        await api.call('POST', paths.import, {
          token,
          body: file,
          headers: { 'content-type': 'application/xliff+xml' },
        })
      ).status,
    ];
    await Space.updateOne({ _id }, { $set: { defaultLevel: 'read', 'access.level': 'read' } });
    expect((await api.call('GET', paths.list, { token })).status).toBe(200);
    expect(await change()).toEqual([403, 403]);
    await Space.updateOne({ _id }, { $set: { defaultLevel: 'edit', 'access.level': 'edit' } });
    expect(await change()).toEqual([200, 200]);
  });

  it('are not shown while their space is deleted', async ({ api, admin, textsOf }) => {
    const paths = await textsOf('Deleted');
    const { _id } = await paths.one.result();
    const { token } = admin;
    const statuses = async () =>
      Promise.all(
        [paths.list, paths.segment, paths.export].map(
          async (path) => (await api.call('GET', path, { token })).status,
        ),
      );
    expect((await api.call('DELETE', `/v1/spaces/${_id}`, { token })).status).toBe(204);
    expect(await statuses()).toEqual([404, 404, 404]);
    await api.call('POST', `/v1/spaces/${_id}/restore`, { token });
    expect(await statuses()).toEqual([200, 200, 200]);
  });
});

it('include a manual title as one line, and refuse a blank or too long one', async ({
  api,
  admin,
  textsOf,
}) => {
  const paths = await textsOf('Titled');
  const change = async (text: string) =>
    api.call('PATCH', paths.segment, { token: admin.token, json: { text } });
  for (const text of [' \n ', 'x'.repeat(1_001)]) expect((await change(text)).status).toBe(400);
  expect((await change('One\n* [two](three.md)\u0007')).status).toBe(200);
  await paths.one.run();
  expect((await paths.one.page('page')).item?.title).toBe('One * [two](three.md)');
});

it(
  'exclude a page whose markup takes too long to read, which the run reports',
  { timeout: 120_000 },
  async ({ translated }) => {
    const { first } = await translated([
      { id: 'page', title: 'Page', source: `${'word `c` **bold** '.repeat(1_500)}\n` },
    ]);
    expect(first.result.kept).toEqual([{ page: 'page', reason: 'The page takes too long to read.' }]);
    expect(first.stats).toMatchObject({ kept: 1 });
  },
);

it(
  'cannot be translated by hand when only their beginning is listed',
  { timeout: 120_000 },
  async ({ translated, call }) => {
    const one = await translated([{ id: 'page', title: 'Long', source: `${'many words '.repeat(2_000)}\n` }]);
    const [long] = (await call('GET', `/${one.id}/segments?state=kept`)).body.items;
    expect(long.source).toHaveLength(20_000);
    const path = `/${one.id}/segments/${encodeURIComponent(long.id)}`;
    expect((await call('PATCH', path, { text: 'Corto.' })).status).toBe(409);
  },
);
