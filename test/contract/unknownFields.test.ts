import { describe, expect } from 'vitest';
import { z } from 'zod';
import { routes } from '../../apps/api/src/routes.ts';
import { scopeOf } from '../../apps/api/src/permissions/tokenScope.ts';
import { it as base } from '../support/it.ts';
import { buildWorld, fill } from '../support/world.ts';

// A field that nobody knows is refused by name where somebody could believe that it changes rights, lifetime
// or what is visible.

/** Operations that take less than `admin`, and have such fields all the same. */
const alsoStrict = new Set([
  ...['createSpace', 'createCollection', 'createSite', 'updateSiteById'],
  ...['createOpenAPISpec', 'createOrUpdateOpenAPISpecBySlug', 'updateOpenAPISpecBySlug'],
]);

/**
 * Parts that have rules of their own: a page's template and what it refers to, and the claims of visitors,
 * which may have any name.
 */
const open = /\.(template|ContentRef\w*|SiteAdaptiveJSONSchema\w*)\b/;

/** Closed too, but for what a client has read there (`changesOf`), which no JSON schema says. */
const closedByName = new Set(
  ['Space', 'Collection', 'Site', 'Organization'].map((name) => `body.$defs.Update${name}`),
);

const strict = routes.filter(
  (route) =>
    route.method !== 'get' &&
    // A file has no fields.
    route.spec.accepts === undefined &&
    (scopeOf(route) === 'admin' ||
      alsoStrict.has(route.spec.operationId) ||
      (scopeOf(route) === 'user' && route.spec.body)),
);

const it = base.extend('world', { scope: 'file' }, ({ api }) =>
  buildWorld(
    api,
    strict.map(({ path }) => path),
  ),
);

describe('an unknown field is refused by name', () => {
  it.for(strict.map((route) => [route.spec.operationId, route] as const))(
    '%s',
    async ([, { method, path }], { api, world }) => {
      const { status, body } = await api.call(method.toUpperCase(), `/v1${fill(path, world.places)}`, {
        token: world.admin.token,
        json: { expires_at: '2030-01-01T00:00:00Z' },
      });
      expect([status, body?.error?.type]).toEqual([400, 'invalid_request']);
      expect(body.error.details).toContainEqual({
        path: 'body.expires_at',
        message: expect.stringMatching(/^is not a known field/),
      });
    },
  );
});

it('fields that a client has read can be sent back, and change nothing', async ({ api, world }) => {
  for (const place of [
    '/spaces/:spaceId',
    '/collections/:collectionId',
    '/orgs/:organizationId/sites/:siteId',
    '/orgs/:organizationId',
  ]) {
    const path = `/v1${fill(place, world.places)}`;
    const { body } = await api.call('GET', path, { token: world.admin.token });
    const sent = { id: body.id, urls: body.urls, permissions: body.permissions, object: body.object };
    const answer = await api.call('PATCH', path, { token: world.admin.token, json: sent });
    expect([answer.status, answer.body]).toEqual([200, body]);
  }
});

describe('every object in such a body rejects unknown fields', () => {
  it.for(strict.flatMap(({ spec }) => (spec.body ? [[spec.operationId, spec.body] as const] : [])))(
    '%s',
    ([, body]) => {
      const document = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
      const notClosed = [...objectsIn(document, 'body')].filter(
        ([at, schema]) => schema.additionalProperties !== false && !open.test(at) && !closedByName.has(at),
      );
      expect(notClosed.map(([at]) => at)).toEqual([]);
    },
  );
});

type Json = { [key: string]: unknown };

/**
 * The objects with named fields in a JSON schema, each with where it stands. Maps with keys of the caller's
 * choice have none.
 */
function* objectsIn(schema: unknown, at: string): Generator<[string, Json]> {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties } = schema as Json;
  if (properties !== undefined && Object.keys(properties as Json).length > 0) yield [at, schema as Json];
  for (const [key, inner] of Object.entries(schema)) yield* objectsIn(inner, `${at}.${key}`);
}
