import { Site, SiteSpace, type SiteRecord, type SiteSpaceRecord } from '@bindery/models';
import { readPreview, signPreview } from '@bindery/publishing';
import { newId } from '@bindery/runtime';
import { describe, expect, vi } from 'vitest';
import {
  buildMember,
  buildOrganization,
  buildSection,
  buildSite,
  buildSiteSpace,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

// Of all organizations there are.
const hostname = newId().toLowerCase();

const tokenIn = (previewUrl: string) => /\/[a-z0-9]+\/[^/]+\/([^/]+)/.exec(previewUrl)?.[1] ?? '';

const siteSpaceAt = (site: SiteRecord, path: string) =>
  SiteSpace.findOne({ site: site._id, path }).orFail().lean<SiteSpaceRecord>();

const it = base
  .extend('home', { scope: 'file' }, ({ api: _started }) => buildOrganization({ hostname }))
  .extend('site', async ({ organization }) =>
    buildSite(organization, {
      spaces: [
        await buildSpace(organization, { title: 'First' }),
        await buildSpace(organization, { title: 'Second' }),
      ],
    }),
  )
  .extend('first', ({ site }) => siteSpaceAt(site, 'first'))
  .extend('second', ({ site }) => siteSpaceAt(site, 'second'))
  .extend(
    'read',
    ({ api }) =>
      (token: string) =>
        readPreview(api.config.secrets, token),
  )
  .extend(
    'url',
    ({ organization, site }) =>
      (query = '', { _id } = site) =>
        `/v1/orgs/${organization._id}/sites/${_id}/publishing/preview${query}`,
  )
  .extend(
    'get',
    ({ api, creator, url }) =>
      (query?: string, { token } = creator) =>
        api.call('GET', url(query), { token }),
  );

describe('GET .../publishing/preview', () => {
  it('gives a URL that opens the default site space for an hour', async ({ site, first, get, read }) => {
    const { status, body } = await get();
    expect(status).toBe(200);
    expect(body.url).toMatch(/^https?:\/\/[^/]+\/[a-z0-9]+\/site[-\d]*\/preview\.[\w-]+\.[\w-]+$/);
    expect(read(tokenIn(body.url))).toMatchObject({ site: site._id, siteSpace: first._id, claims: {} });
  });

  it('returns the URL of another site space, at its path', async ({ second, get, read }) => {
    const { body } = await get(`?siteSpace=${second._id}`);
    expect(body.url).toMatch(/\/second$/);
    expect(read(tokenIn(body.url))?.siteSpace).toBe(second._id);
  });

  it('opens the default section of a site with sections', async ({
    organization,
    site,
    first,
    get,
    read,
  }) => {
    const section = await buildSection(site, {
      space: await buildSpace(organization, { title: 'API' }),
      title: 'API',
    });
    await Site.updateOne({ _id: site._id }, { $set: { defaultSection: section._id } });
    expect(read(tokenIn((await get()).body.url))?.siteSpace).not.toBe(first._id);
  });

  it.for([
    '(beta:!t,plan:gold,other:1,unsigned:(dark:!t,beta:!t))',
    '{"beta":true,"plan":"gold","unsigned":{"dark":true}}',
  ])(
    'takes the claims %s as far as the site declares them',
    async (claims, { api, admin, url, get, read }) => {
      const boolean = { type: 'boolean', description: '' };
      const unsigned = {
        type: 'object',
        description: 'Unsigned claims of the site visitor.',
        properties: { dark: boolean },
        additionalProperties: false,
      };
      const jsonSchema = {
        type: 'object',
        properties: { beta: boolean, plan: boolean, unsigned },
        additionalProperties: false,
      };
      const schemaUrl = url().replace('/publishing/preview', '/adaptive-schema');
      expect((await api.call('PUT', schemaUrl, { token: admin.token, json: { jsonSchema } })).status).toBe(
        200,
      );
      const { body } = await get(`?claims=${encodeURIComponent(claims)}`);
      expect(read(tokenIn(body.url))?.claims).toEqual({ beta: true, unsigned: { dark: true } });
    },
  );

  it('refuses more claims than fit into a URL', async ({ api, admin, url, get }) => {
    const properties = { text: { type: 'string', description: '' } };
    const schemaUrl = url().replace('/publishing/preview', '/adaptive-schema');
    await api.call('PUT', schemaUrl, {
      token: admin.token,
      json: { jsonSchema: { type: 'object', properties, additionalProperties: false } },
    });
    const { status, body } = await get(`?claims=(text:${'x'.repeat(2000)})`);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('fit into a URL')]);
    expect((await get(`?claims=(text:${'x'.repeat(500)})`)).status).toBe(200);
  });

  it.for(['claims=', 'claims=5', 'claims=(a', 'claims=[]', 'siteSpace=unknown', 'siteSpace='])(
    'refuses ?%s',
    async (query, { get }) => {
      expect((await get(`?${query}`)).status).toBe(400);
    },
  );

  it('refuses claims that are too long', async ({ get }) => {
    expect((await get(`?claims=${'x'.repeat(4097)}`)).status).toBe(400);
  });

  it('refuses a site space of another site', async ({ organization, get }) => {
    const other = await buildSiteSpace(await buildSite(organization), {
      space: await buildSpace(organization),
    });
    expect((await get(`?siteSpace=${other._id}`)).status).toBe(400);
  });

  it('answers 409 for a site without spaces', async ({ api, organization, creator, url }) => {
    const empty = await buildSite(organization);
    expect((await api.call('GET', url('', empty), { token: creator.token })).status).toBe(409);
  });

  it('is refused to reviewers, because the URL opens the site to anybody', async ({ organization, get }) => {
    expect((await get('', await buildMember(organization, 'review'))).status).toBe(403);
  });

  it('answers 404 to other organizations', async ({ get }) => {
    expect((await get('', (await buildOrganization()).admin)).status).toBe(404);
  });
});

describe('the token of a preview', () => {
  const preview = { site: 'a', siteSpace: 'b', claims: { text: 'é"' } };

  it('carries the signed values for an hour', ({ api, read }) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const token = signPreview(api.config.secrets, preview);
      expect(token).toMatch(/^[\w.-]+$/);
      expect(read(token)).toMatchObject(preview);
      vi.advanceTimersByTime(59 * 60_000);
      expect(read(token)).toMatchObject(preview);
      vi.advanceTimersByTime(61_000);
      expect(read(token)).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it('is invalid after any change', ({ api, read }) => {
    const token = signPreview(api.config.secrets, preview);
    const [mark, content = '', signature] = token.split('.');
    const forged = Buffer.from(JSON.stringify(['other', 'b', {}, 9_999_999_999])).toString('base64url');
    for (const text of [
      ...['', 'preview', 'preview..', 'preview.x.y', `${token}.x`, `x${token}`, token.slice(0, -1)],
      ...[
        `${mark}.${forged}.${signature}`,
        `${mark}.${content}`,
        `share.${content}.${signature}`,
        `${mark}.${content}x.${signature}`,
      ],
    ])
      expect(read(text), text).toBeUndefined();
  });
});
