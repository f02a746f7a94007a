import { setTimeout as delay } from 'node:timers/promises';
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '../../../apps/api/src/http/document/openapi.ts';
import { root, type Route } from '../../../apps/api/src/http/scope.ts';
import { startHttpApp } from '../../support/http/httpApp.ts';
import { numberRoutes, sampleRoutes } from '../../support/http/httpSample.ts';

type Document = Parameters<typeof SwaggerParser.validate>[0] & {
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: { schemas: Record<string, unknown> };
};

const write = (routes: Route[]) =>
  openApiDocument(routes, { title: 'Test', version: '1', description: 'A test.' }) as Document;
const spec = { operationId: 'x', summary: 'x', permission: 'token' } as const;

describe('the OpenAPI document', () => {
  it('is valid and holds every operation with its errors and headers', async () => {
    const document = write([...sampleRoutes(), ...numberRoutes(1)]);
    await SwaggerParser.validate(structuredClone(document));
    expect(document.paths['/spaces/{spaceId}/notes/{noteId}']?.['get']).toMatchObject({
      operationId: 'getNoteInSpace',
      'x-permission': 'space.view',
      parameters: [
        { name: 'spaceId', in: 'path', required: true, schema: { type: 'string', minLength: 1 } },
        { name: 'noteId', in: 'path', required: true },
      ],
      responses: {
        200: {
          headers: { 'X-Request-Id': {} },
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } },
        },
        default: { $ref: '#/components/responses/Error' },
      },
    });
    expect(document.paths['/spaces/{spaceId}/import']?.['post']).toMatchObject({
      responses: { 204: { headers: { 'X-Job-Id': {}, Link: {} } } },
    });
    expect(document.paths['/']?.['get']).toMatchObject({ security: [] });
    expect(document.components.schemas['Note']).not.toHaveProperty('additionalProperties');
    expect(document.paths['/listNumbers']?.['get']).toMatchObject({
      parameters: [
        { name: 'kind', in: 'query', schema: { type: 'string' } },
        { name: 'page', in: 'query' },
        { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 0, maximum: 1000, default: 50 } },
      ],
      responses: {
        200: { content: { 'application/json': { schema: { required: ['items', 'count', 'stats'] } } } },
      },
    });
  });

  it('requires a body only where a field of it is required', () => {
    const document = write([
      root.patch('/a', { ...spec, body: z.object({ a: z.string().optional() }) }, async () => {}),
    ]);
    expect(document.paths['/a']?.['patch']).toMatchObject({ requestBody: { required: false } });
    expect(write(sampleRoutes()).paths['/spaces/{spaceId}/notes']?.['post']).toMatchObject({
      requestBody: { required: true },
    });
  });

  it('writes the mapping of discriminators, also of nested and recursive unions', async () => {
    const Link = z.object({ type: z.enum(['link', 'alias']) }).meta({ id: 'Link' });
    type Tree = { type: 'group'; pages: (Tree | z.infer<typeof Link>)[] };
    const Group = z
      .object({
        type: z.literal('group'),
        get pages(): z.ZodType<Tree['pages'], Tree['pages']> {
          return z.array(Page);
        },
      })
      .meta({ id: 'Group' });
    const Page = z.discriminatedUnion('type', [Group, Link]).meta({ id: 'Page' });
    const document = write([
      root.get('/a', { ...spec, response: Page }, async () => ({ type: 'link' as const })),
    ]);
    await SwaggerParser.validate(structuredClone(document));
    expect(document.components.schemas['Page']).toEqual({
      oneOf: [{ $ref: '#/components/schemas/Group' }, { $ref: '#/components/schemas/Link' }],
      discriminator: {
        propertyName: 'type',
        mapping: {
          group: '#/components/schemas/Group',
          link: '#/components/schemas/Link',
          alias: '#/components/schemas/Link',
        },
      },
    });
    expect(document.components.schemas['Group']).toMatchObject({
      properties: { pages: { items: { $ref: '#/components/schemas/Page' } } },
    });
  });

  it('refuses one schema id with two shapes', () => {
    const Thing = z.object({ a: z.string().default('x') }).meta({ id: 'Thing' });
    const route = root.post('/a', { ...spec, body: Thing, response: Thing }, async ({ body }) => body);
    expect(() => write([route])).toThrow('The schema Thing has two shapes');
  });
});

describe('pages beside the API', () => {
  it('serves the document and a reference page that loads nothing from other hosts', async () => {
    const { call } = await startHttpApp(sampleRoutes());
    const document = await call('GET', '/openapi.json', { token: null });
    expect([document.status, document.body.openapi]).toEqual([200, '3.1.0']);
    const etag = document.headers.get('etag') ?? '';
    expect((await call('GET', '/openapi.json', { headers: { 'if-none-match': etag } })).status).toBe(304);

    const page = await call('GET', '/docs', { token: null });
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    const [style = '', icon, ...scripts] = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      (match) => match[1] ?? '',
    );
    const folder = style.replace('swagger-ui.css', '');
    expect([folder, icon, ...scripts]).toEqual([
      expect.stringMatching(/^swagger-ui\/\d+\.\d+\.\d+-[\da-f]{8}\/$/),
      'data:,',
      `${folder}swagger-ui-bundle.js`,
      `${folder}start.js`,
    ]);
    for (const part of [style, ...scripts]) {
      const { status, headers } = await call('GET', `/${part}`, { token: null });
      expect([part, status, headers.get('cache-control')]).toEqual([
        part,
        200,
        'public, max-age=31536000, immutable',
      ]);
      const known = { headers: { 'if-none-match': headers.get('etag') ?? '' }, token: null };
      expect([part, (await call('GET', `/${part}`, known)).status]).toEqual([part, 304]);
    }
    expect(page.text).not.toMatch(/<script>|<style|style=|onload/);
    expect((await call('GET', '/docs/', { token: null })).headers.get('location')).toBe('../docs');
    const others = [
      'index.html',
      'package.json',
      '../package.json',
      '%2e%2e%2fpackage.json',
      '',
      'start.js/',
    ];
    for (const other of others) expect((await call('GET', `/${folder}${other}`)).status, other).toBe(404);
  });

  it('reports health without a token, and readiness by component without reasons', async () => {
    let isUp = true;
    const checks = {
      mongo: async () => {
        if (!isUp) throw new Error('connect ECONNREFUSED 10.0.0.5');
      },
      redis: async () => (isUp ? 'ok' : delay(60_000, undefined, { ref: false })),
      pdf: async () => 'without Chromium',
    };
    const { call } = await startHttpApp([], { health: { checks } });
    expect((await call('GET', '/healthz', { token: null })).body).toEqual({ status: 'ok' });
    expect(await call('GET', '/readyz', { token: null })).toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { mongo: 'ok', redis: 'ok', pdf: 'without Chromium' } },
    });
    isUp = false;
    const down = await call('GET', '/readyz', { token: null });
    expect(down).toMatchObject({
      status: 503,
      body: { status: 'not ready', checks: { mongo: 'failed', redis: 'timeout', pdf: 'without Chromium' } },
    });
    expect(down.text).not.toContain('10.0.0.5');
  });

  it('stays ready when a worker does not run, and names that worker', async () => {
    let git = 'ok';
    const states = vi.fn(async () => ({ git, pdf: 'ok' }));
    const { call } = await startHttpApp([], { health: { workers: states } });
    const ready = () => call('GET', '/readyz', { token: null });
    expect(await ready()).toMatchObject({
      status: 200,
      body: { status: 'ready', workers: { git: 'ok', pdf: 'ok' } },
    });
    git = 'failing: exit code 3';
    expect(await ready()).toMatchObject({
      status: 200,
      body: { status: 'degraded', workers: { git: 'failing: exit code 3', pdf: 'ok' } },
    });
    states.mockRejectedValue(new Error('connect ECONNREFUSED 10.0.0.5'));
    expect((await ready()).body).toEqual({ status: 'ready', checks: {} });
  });
});
