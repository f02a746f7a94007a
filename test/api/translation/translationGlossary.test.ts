import { GlossaryEntry } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildMember, buildOrganization } from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';

const it = base
  .extend('outsider', { scope: 'file' }, async ({ api: _started }) => (await buildOrganization()).admin)
  .extend('creator', ({ organization }) => buildMember(organization, 'create'))
  .extend('reader', ({ organization }) => buildMember(organization, 'read'))
  .extend(
    'call',
    ({ api, organization, creator }) =>
      (method: string, path = '', json?: unknown, { token } = creator) =>
        api.call(method, `/v1/orgs/${organization._id}/translations-glossary${path}`, {
          token,
          ...(json !== undefined && { json }),
        }),
  )
  .extend(
    'put',
    ({ creator, call }) =>
      (operations: unknown, user = creator) =>
        call('PUT', '', { operations }, user),
  )
  .extend(
    'list',
    ({ call }) =>
      async () =>
        (await call('GET')).body.items,
  );

describe('the glossary of an organization', () => {
  it('adds, shows, changes and removes terms', async ({ api, organization, reader, call, put, list }) => {
    const { status, text } = await put([
      { type: 'insert', translations: { en: 'space', de: 'Bereich' } },
      { type: 'insert', translations: { en: 'site' } },
    ]);
    expect([status, text]).toEqual([204, '']);
    const entries = await list();
    expect(entries).toHaveLength(2);
    const space = entries.find(
      ({ translations }: { translations: { en: string } }) => translations.en === 'space',
    );
    expect(space).toEqual({
      object: 'glossary-entry',
      id: expect.any(String),
      translations: { en: 'space', de: 'Bereich' },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      urls: { location: `http://api.test/v1/orgs/${organization._id}/translations-glossary/${space.id}` },
    });
    expect((await api.call('GET', space.urls.location, { token: reader.token })).body).toEqual(space);
    await put([{ type: 'update', id: space.id, translations: { en: 'space', fr: 'espace' } }]);
    const changed = (await call('GET', `/${space.id}`)).body;
    expect(changed).toMatchObject({
      translations: { en: 'space', fr: 'espace' },
      createdAt: space.createdAt,
    });
    expect(changed.translations).not.toHaveProperty('de');
    expect(
      (
        await put([
          { type: 'delete', id: space.id },
          { type: 'delete', id: space.id },
        ])
      ).status,
    ).toBe(204);
    expect((await call('GET', `/${space.id}`)).status).toBe(404);
    expect(await list()).toHaveLength(1);
  });

  it('lists page by page', async ({ call, put }) => {
    await put(Array.from({ length: 5 }, (_, i) => ({ type: 'insert', translations: { en: `term ${i}` } })));
    const seen: string[] = [];
    for (let page = ''; ;) {
      const { body } = await call('GET', `?limit=2${page}`);
      expect(body.count).toBe(5);
      seen.push(...body.items.map(({ translations }: { translations: { en: string } }) => translations.en));
      if (!body.next) break;
      page = `&page=${body.next.page}`;
    }
    expect(new Set(seen).size).toBe(5);
  });

  it.for([
    ['no operations', undefined],
    ['another type of operation', [{ type: 'replace', translations: {} }]],
    ['an update without id', [{ type: 'update', translations: { en: 'x' } }]],
    ['an insert without terms', [{ type: 'insert' }]],
    ['an unknown language', [{ type: 'insert', translations: { xx: 'x' } }]],
    ['a language in capitals', [{ type: 'insert', translations: { EN: 'x' } }]],
    ['an empty term', [{ type: 'insert', translations: { en: '' } }]],
    ['a term of 256 characters', [{ type: 'insert', translations: { en: 'x'.repeat(256) } }]],
    ['a term of two lines', [{ type: 'insert', translations: { en: 'a\nb' } }]],
    ['a term that is no text', [{ type: 'insert', translations: { en: 5 } }]],
    ['NUL', [{ type: 'insert', translations: { en: 'a\0' } }]],
    ['half a surrogate pair', [{ type: 'insert', translations: { en: '\ud800' } }]],
    ['a list of terms', [{ type: 'insert', translations: ['x'] }]],
    ['1001 operations', Array.from({ length: 1_001 }, () => ({ type: 'delete', id: 'x' }))],
  ] as const)('refuses %s', async ([, operations], { put, list }) => {
    expect((await put(operations)).status).toBe(400);
    expect(await list()).toEqual([]);
  });

  it('ignores a language named __proto__', async ({ put, list }) => {
    const translations = JSON.parse('{"en":"x","__proto__":{"de":"y"}}') as object;
    expect((await put([{ type: 'insert', translations }])).status).toBe(204);
    expect((await list())[0].translations).toEqual({ en: 'x' });
  });

  it('applies all operations or none', async ({ put, list }) => {
    const elsewhere = {
      _id: 'of-another',
      organization: 'other',
      translations: { en: 'x' },
      createdAt: new Date(),
      updatedAt: new Date(),
    };
    await GlossaryEntry.create(elsewhere);
    for (const id of ['nothing', elsewhere._id]) {
      const { status, body } = await put([
        { type: 'insert', translations: { en: 'new' } },
        { type: 'update', id, translations: { en: 'changed' } },
      ]);
      expect([status, body.error.details[0].path]).toEqual([400, 'body.operations[1].id']);
    }
    expect((await put([{ type: 'delete', id: elsewhere._id }])).status).toBe(204);
    expect(await GlossaryEntry.findById(elsewhere._id).lean()).toMatchObject({ translations: { en: 'x' } });
    expect(await list()).toEqual([]);
    await GlossaryEntry.deleteOne({ _id: elsewhere._id });
  });

  it('is read by every member and written by members who may create content', async ({
    organization,
    reader,
    outsider,
    call,
    put,
  }) => {
    const guest = await buildMember(organization, null);
    for (const user of [reader, guest]) {
      expect((await call('GET', '', undefined, user)).status).toBe(200);
      const { status, body } = await put([], user);
      expect([status, body.error.message]).toEqual([
        403,
        expect.stringContaining('organization.createContent'),
      ]);
    }
    for (const method of ['GET', 'PUT'])
      expect((await call(method, '', undefined, outsider)).status).toBe(404);
    expect((await call('GET', '/nothing')).status).toBe(404);
  });
});
