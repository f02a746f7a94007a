import { Site } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildOrganization,
  buildSection,
  buildSite,
  buildSiteSpace,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { bound } from '../../support/machine.ts';

const it = base
  .extend('home', { scope: 'file' }, ({ api: _started }) => buildOrganization({ hostname: 'acme-update' }))
  .extend('site', ({ organization }) => buildSite(organization))
  .extend('url', ({ organization, site }) => `/v1/orgs/${organization._id}/sites/${site._id}`)
  .extend(
    'patch',
    ({ api, admin, url }) =>
      (json: unknown, { token } = admin, headers: Record<string, string> = {}) =>
        api.call('PATCH', url, { token, json, headers }),
  )
  .extend(
    'get',
    ({ api, reader, url }) =>
      async (path = '') =>
        (await api.call('GET', url + path, { token: reader.token })).body,
  );

describe('PATCH /v1/orgs/{organizationId}/sites/{siteId}', () => {
  it('changes the given fields and keeps the rest', async ({ creator, patch, get }) => {
    const before = await get();
    const { status, body } = await patch(
      { title: ' New title ', agentsContext: 'excluded', adaptiveContent: { enabled: true } },
      creator,
    );
    expect(status).toBe(200);
    const { title, agentsContext, adaptiveContent } = body;
    expect({ title, agentsContext, adaptiveContent }).toEqual({
      title: 'New title',
      agentsContext: 'excluded',
      adaptiveContent: { enabled: true },
    });
    expect(await get()).toEqual({ ...before, title, agentsContext, adaptiveContent });
    expect((await patch({ adaptiveContent: { enabled: false } })).body.adaptiveContent).toEqual({
      enabled: false,
    });
  });

  it.for([
    {},
    undefined,
    { id: 'x', published: true, siteSpaces: 7, urls: {}, permissions: { admin: true } },
  ])('changes nothing for %j', async (body, { api, creator, url, get }) => {
    const before = await get();
    const answer = await api.call('PATCH', url, { token: creator.token, ...(body && { json: body }) });
    expect(answer.status).toBe(200);
    expect(await get()).toEqual(before);
  });

  it('requires site.admin for visibility and proxy, and changes nothing else when refused', async ({
    creator,
    reader,
    patch,
    get,
  }) => {
    const before = await get();
    for (const body of [
      { visibility: 'unlisted', title: 'X title' },
      { proxy: 'www.example.com/docs' },
      { proxy: null },
    ]) {
      const { status, body: answer } = await patch(body, creator);
      expect([status, answer.error.message]).toEqual([403, expect.stringContaining('site.admin')]);
    }
    expect((await patch({ title: 'By a reader' }, reader)).status).toBe(403);
    expect(await get()).toEqual(before);
    expect((await patch({ visibility: 'share-link' })).body.visibility).toBe('share-link');
  });

  it('sets and removes the proxy, and returns its target', async ({ patch, get }) => {
    const { body } = await patch({ proxy: 'www.example.com/docs/v1' });
    const { verification, ...proxy } = body.proxy;
    expect(proxy).toEqual({
      origin: 'www.example.com/docs/v1',
      target: expect.stringMatching(/\/acme-update\/site(-\d+)?$/),
    });
    expect(verification.status).toBe('verified');
    // How the host is proven is for those who may change the site.
    expect((await get()).proxy).toEqual(proxy);
    expect((await patch({ proxy: null })).body).not.toHaveProperty('proxy');
    expect(await get()).not.toHaveProperty('proxy');
  });

  it.for([
    'example.com',
    'https://example.com/docs',
    'example/docs',
    'example.com/docs/',
    'example.com/a b',
    'example.c/docs',
    'user@example.com/docs',
    'example.com/docs?x',
    'example.com//docs',
    `${'a.'.repeat(60_000)}com/docs`,
    `example.com/${'x'.repeat(512)}`,
    '',
    7,
  ])('refuses the proxy %.60s', async (proxy, { patch }) => {
    const begin = performance.now();
    expect((await patch({ proxy })).status).toBe(400);
    expect(performance.now() - begin).toBeLessThan(bound(500));
  });

  it('takes a basename that is unique in the organization, in one Unicode form', async ({
    api,
    organization,
    admin,
    site,
    patch,
  }) => {
    const other = await buildSite(organization);
    expect((await patch({ basename: 'Docs_v2.0-ü' })).body.basename).toBe('Docs_v2.0-ü');
    expect((await patch({ basename: 'u\u0308ber' })).body.basename).toBe('über');
    expect((await patch({ basename: other.basename })).status).toBe(409);
    expect((await patch({ basename: 'über' })).status).toBe(200);
    const elsewhere = await buildSite((await buildOrganization()).organization, { title: 'Elsewhere' });
    expect((await patch({ basename: elsewhere.basename })).status).toBe(200);
    const rivals = await Promise.all(
      [site, other].map(({ _id }) =>
        api.call('PATCH', `/v1/orgs/${organization._id}/sites/${_id}`, {
          token: admin.token,
          json: { basename: 'wanted' },
        }),
      ),
    );
    expect(rivals.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it.for([
    { title: 'x' },
    { title: null },
    { title: 'x'.repeat(129) },
    { visibility: 'private' },
    { agentsContext: 'maybe' },
    { adaptiveContent: {} },
    { adaptiveContent: true },
    { basename: '' },
    { basename: 'x'.repeat(101) },
    { basename: '../x' },
    { basename: 'a b' },
    { basename: '%2e%2e' },
    { basename: '-a' },
    { basename: 'a.' },
    { basename: 'a/b' },
    { basename: '🎉' },
    { defaultSiteSpace: 'nothing' },
    { defaultSiteSection: 'nothing' },
    { defaultSiteSpace: null },
  ])('refuses %j', async (body, { site, patch }) => {
    const before = await Site.findById(site._id).lean();
    expect((await patch(body)).status).toBe(400);
    expect({ ...(await Site.findById(site._id).lean()), structureVersion: 0 }).toEqual({
      ...before,
      structureVersion: 0,
    });
  });

  it('changes only the state that If-Match names', async ({ api, admin, url, patch, get }) => {
    const etag = (await api.call('GET', url, { token: admin.token })).headers.get('etag') ?? '';
    const first = await patch({ title: 'First' }, admin, { 'if-match': etag });
    expect(first.status).toBe(200);
    expect((await patch({ title: 'Second' }, admin, { 'if-match': etag })).status).toBe(412);
    expect((await patch({}, admin, { 'if-match': etag })).status).toBe(412);
    expect(
      (await patch({ title: 'Third' }, admin, { 'if-match': first.headers.get('etag') ?? '' })).status,
    ).toBe(200);
    expect((await get()).title).toBe('Third');
  });
});

type Shown = { id: string; default: boolean; siteSpaces: { id: string; default: boolean }[] };

describe('the defaults of a site', () => {
  it('without sections: its default site space is set', async ({
    organization,
    creator,
    site,
    patch,
    get,
  }) => {
    const [a, b] = [await buildSpace(organization), await buildSpace(organization)];
    const first = await buildSiteSpace(site, { space: a });
    const second = await buildSiteSpace(site, { space: b });
    expect((await patch({ defaultSiteSpace: second._id }, creator)).status).toBe(200);
    const defaults = await get('/site-spaces?default=true');
    expect([defaults.count, defaults.items[0].id]).toEqual([1, second._id]);
    expect((await get('/site-spaces?default=false')).items.map(({ id }: { id: string }) => id)).toEqual([
      first._id,
    ]);
    const other = await buildSite(organization, { spaces: [a] });
    expect((await patch({ defaultSiteSpace: other.defaultSiteSpace })).status).toBe(400);
  });

  it('with sections: the default section and its default site space are set', async ({
    organization,
    site,
    patch,
    get,
  }) => {
    const [a, b] = [await buildSpace(organization), await buildSpace(organization)];
    const one = await buildSection(site, { space: a });
    const two = await buildSection(site, { space: a });
    const variant = await buildSiteSpace(site, { space: b, section: two._id });
    const defaults = async () =>
      (await get('/sections')).items.map(({ id, default: isDefault, siteSpaces }: Shown) => [
        id,
        isDefault,
        siteSpaces.find((siteSpace) => siteSpace.default)?.id,
      ]);
    // It stands in another section than the default one.
    expect((await patch({ defaultSiteSpace: variant._id })).status).toBe(400);
    expect((await patch({ defaultSiteSection: two._id, defaultSiteSpace: variant._id })).status).toBe(200);
    expect(await defaults()).toEqual([
      [one._id, false, one.defaultSiteSpace],
      [two._id, true, variant._id],
    ]);
    expect((await patch({ defaultSiteSpace: two.defaultSiteSpace })).status).toBe(200);
    expect(await defaults()).toContainEqual([two._id, true, two.defaultSiteSpace]);
    expect((await patch({ defaultSiteSpace: one.defaultSiteSpace })).status).toBe(400);
    const foreign = await buildSection(await buildSite(organization), { space: a });
    expect((await patch({ defaultSiteSection: foreign._id })).status).toBe(400);
  });
});
