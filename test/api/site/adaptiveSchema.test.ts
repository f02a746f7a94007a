import { Site, type SiteRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildOrganization, buildSite } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { bound } from '../../support/machine.ts';

const description = 'Told by the shop';
const closed = { type: 'object', description, additionalProperties: false };
const unsignedOf = (properties: object) => ({
  ...closed,
  description: 'Unsigned claims of the site visitor.',
  properties,
});
const schemaOf = (properties: object) => ({ type: 'object', properties, additionalProperties: false });
const full = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  ...schemaOf({
    unsigned: unsignedOf({ dark: { type: 'boolean', description: '' } }),
    beta: { type: 'boolean', description },
    plan: { type: 'string', description, enum: ['free', 'pro'] },
    name: { type: 'string', description },
    seats: { type: 'number', description },
    roles: { type: 'array', description, items: { type: 'string', description, enum: ['admin'] } },
    company: {
      ...closed,
      properties: {
        '$where.a': { type: 'boolean', description },
        constructor: { type: 'number', description },
      },
    },
  }),
};

const it = base
  .extend('site', ({ organization }) => buildSite(organization))
  .extend(
    'url',
    ({ organization, site }) =>
      (path = '') =>
        `/v1/orgs/${organization._id}/sites/${site._id}/adaptive-schema${path}`,
  )
  .extend(
    'get',
    ({ api, reader, url }) =>
      async (path = '') =>
        (await api.call('GET', url(path), { token: reader.token })).body,
  )
  .extend(
    'put',
    ({ api, admin, url }) =>
      (jsonSchema: unknown, headers: Record<string, string> = {}) =>
        api.call('PUT', url(), { token: admin.token, json: { jsonSchema }, headers }),
  );

describe('GET and PUT .../adaptive-schema', () => {
  it('is empty until it is set, with the creation time of the site', async ({ site, get }) => {
    expect(await get()).toEqual({
      object: 'site-adaptive-schema',
      jsonSchema: { type: 'object', properties: {}, additionalProperties: false },
      updatedAt: site.createdAt.toISOString(),
    });
    expect((await get('/template-conditions')).items).toEqual([]);
  });

  it('keeps every kind of claim as it was given', async ({ site, get, put }) => {
    const { status, body } = await put(full);
    expect([status, body.jsonSchema]).toEqual([200, full]);
    expect(Date.parse(body.updatedAt)).toBeGreaterThanOrEqual(site.createdAt.getTime());
    expect(await get()).toEqual(body);
  });

  it('replaces the former schema', async ({ get, put }) => {
    await put(full);
    await put(schemaOf({}));
    expect((await get()).jsonSchema).toEqual(schemaOf({}));
  });

  it('is set by admins only', async ({ api, creator, reader, site, url }) => {
    for (const { token } of [creator, reader]) {
      const { status } = await api.call('PUT', url(), { token, json: { jsonSchema: schemaOf({}) } });
      expect(status).toBe(403);
    }
    expect((await Site.findById(site._id).lean<SiteRecord>())?.adaptiveSchema).toBeUndefined();
  });

  it('answers 404 to other organizations', async ({ api, url }) => {
    const { admin: outsider } = await buildOrganization();
    for (const method of ['GET', 'PUT'])
      expect(
        (await api.call(method, url(), { token: outsider.token, ...(method === 'PUT' && { json: {} }) }))
          .status,
      ).toBe(404);
  });

  it('is not overwritten by a caller who read an older version', async ({ api, admin, url, get, put }) => {
    const { headers } = await api.call('GET', url(), { token: admin.token });
    const tag = headers.get('etag') ?? '';
    expect((await put(full, { 'if-match': tag })).status).toBe(200);
    expect((await put(schemaOf({}), { 'if-match': tag })).status).toBe(412);
    expect((await get()).jsonSchema).toEqual(full);
  });
});

describe('a schema is refused', () => {
  const boolean = { type: 'boolean', description };
  const deep = (depth: number): object =>
    depth === 0 ? boolean : { ...closed, properties: { a: deep(depth - 1) } };

  it.for<[string, unknown, RegExp]>([
    ['without anything', undefined, /jsonSchema/],
    ['null', null, /jsonSchema/],
    ['a list', [], /jsonSchema/],
    ['text', '{}', /jsonSchema/],
    ['of another type', { ...full, type: 'array' }, /type/],
    ['of another draft', { ...full, $schema: 'https://json-schema.org/draft/2020-12/schema' }, /\$schema/],
    ['with further keywords', { ...full, pattern: 'x' }, /pattern/],
    ['with a reference', { ...full, $ref: '#' }, /\$ref/],
    ['with not', { ...full, not: {} }, /not/],
    ['that is open', { ...full, additionalProperties: true }, /additionalProperties/],
    ['that does not say that it is closed', { type: 'object', properties: {} }, /additionalProperties/],
    ['without claims', { type: 'object', additionalProperties: false }, /properties/],
    ['with a claim without description', schemaOf({ a: { type: 'boolean' } }), /description/],
    ['with a claim of no type', schemaOf({ a: { description } }), /type/],
    ['with a claim of an unknown type', schemaOf({ a: { type: 'integer', description } }), /type/],
    ['with a claim of two types', schemaOf({ a: { type: ['boolean', 'null'], description } }), /type/],
    ['with a pattern', schemaOf({ a: { type: 'string', description, pattern: '^(a+)+$' } }), /pattern/],
    ['with a format', schemaOf({ a: { type: 'string', description, format: 'email' } }), /format/],
    ['with an enum of a boolean', schemaOf({ a: { ...boolean, enum: [true] } }), /enum/],
    ['with an enum of numbers', schemaOf({ a: { type: 'string', description, enum: [1] } }), /enum/],
    [
      'with a list of lists',
      schemaOf({ a: { type: 'array', description, items: { type: 'array', description, items: boolean } } }),
      /items/,
    ],
    ['with a list of anything', schemaOf({ a: { type: 'array', description } }), /items/],
    [
      'with an open object',
      schemaOf({ a: { type: 'object', description, properties: {} } }),
      /additionalProperties/,
    ],
    ['with an object of no claims', schemaOf({ a: { ...closed } }), /properties/],
    ['with a claim that is a reference', schemaOf({ a: { $ref: '#/properties/b' } }), /a/],
    ['with unsigned as a boolean', schemaOf({ unsigned: boolean }), /unsigned/],
    [
      'with unsigned under another description',
      schemaOf({ unsigned: { ...closed, properties: {} } }),
      /unsigned\.description/,
    ],
    ['with a claim without a name', schemaOf({ '': boolean }), /1 to 100/],
    ['with a claim with a long name', schemaOf({ ['x'.repeat(101)]: boolean }), /1 to 100/],
    ['with half of a character', schemaOf({ '\ud800': boolean }), /surrogate/],
    [
      'with __proto__',
      JSON.parse(
        '{"type":"object","additionalProperties":false,"properties":{"__proto__":{"type":"boolean","description":""}}}',
      ),
      /__proto__/,
    ],
    [
      'with 101 claims',
      schemaOf(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`c${i}`, boolean]))),
      /at most 100 claims/,
    ],
    ['nine deep', schemaOf({ a: deep(8) }), /8 deep/],
    ['forty deep', schemaOf({ a: deep(40) }), /./],
    [
      'of 100 KB',
      schemaOf(
        Object.fromEntries(
          Array.from({ length: 99 }, (_, i) => [`c${i}`, { type: 'string', description: 'x'.repeat(1000) }]),
        ),
      ),
      /65536 characters/,
    ],
    [
      'with 101 values',
      schemaOf({ a: { type: 'string', description, enum: Array.from({ length: 101 }, (_, i) => `${i}`) } }),
      /enum/,
    ],
  ])('%s', async ([, jsonSchema, message], { get, put }) => {
    await put(schemaOf({ kept: boolean }));
    const { status, body } = await put(jsonSchema);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(message)]);
    expect((await get()).jsonSchema).toEqual(schemaOf({ kept: boolean }));
  });

  it('with 100 000 nested lists, within a second', async ({ api, admin, url }) => {
    const start = Date.now();
    const body = `{"jsonSchema":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { status } = await api.call('PUT', url(), {
      token: admin.token,
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(400);
    expect(Date.now() - start).toBeLessThan(bound(1000));
  });

  it('but is accepted at exactly the maximum size', async ({ get, put }) => {
    const most = schemaOf({
      ...Object.fromEntries(Array.from({ length: 92 }, (_, i) => [`c${i}`, boolean])),
      a: deep(7),
    });
    expect((await put(most)).status).toBe(200);
    expect((await get()).jsonSchema).toEqual(most);
  });
});

it('GET .../adaptive-schema/template-conditions suggests conditions for the declared claims', async ({
  get,
  put,
}) => {
  await put(full);
  const { items } = await get('/template-conditions');
  expect(items.map(({ condition }: { condition: string }) => condition)).toEqual([
    'visitor.claims.unsigned.dark == true',
    'visitor.claims.unsigned.dark == false',
    'visitor.claims.beta == true',
    'visitor.claims.beta == false',
    'visitor.claims.plan == "free"',
    'visitor.claims.plan == "pro"',
    'visitor.claims.company["$where.a"] == true',
    'visitor.claims.company["$where.a"] == false',
  ]);
  for (const { description: told } of items) expect(told).toMatch(/ is /);
});
