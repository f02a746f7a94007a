import { mongoDatabase, type SiteRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { decodeJwt } from 'jose';
import { describe, expect } from 'vitest';
import {
  buildMember,
  buildOrganization,
  buildRevision,
  buildSection,
  buildSite,
  buildSiteSpace,
  buildSpace,
  changeSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

// The stores of a test worker outlive a file.
const hostname = newId().toLowerCase();

const it = base
  .extend('home', { scope: 'file' }, ({ api: _started }) => buildOrganization({ hostname }))
  .extend('guide', { scope: 'file' }, async ({ organization }) => {
    const guide = await buildSpace(organization, { title: 'Guide' });
    await buildRevision(guide, { pages: [{ title: 'Start', path: 'start', source: '# Start\n\nHello' }] });
    return guide;
  })
  .extend('reference', { scope: 'file' }, ({ organization }) =>
    buildSpace(organization, { title: 'Reference' }),
  )
  .extend(
    'resolve',
    ({ api }) =>
      (url: string, more: object = {}) =>
        api.call('POST', '/v1/urls/published', { json: { url, ...more } }),
  )
  .extend(
    'as',
    ({ api }) =>
      (token: string, path: string) =>
        api.call('GET', path, { token }),
  )
  .extend(
    'publishedPath',
    ({ organization }) =>
      (site: SiteRecord) =>
        `/v1/orgs/${organization._id}/sites/${site._id}/published`,
  );

describe('POST /v1/urls/published', () => {
  it('finds a site with one space by its URL, whatever path follows, without a token', async ({
    organization,
    guide,
    resolve,
  }) => {
    const site = await buildSite(organization, { title: 'One', spaces: [guide], isPublished: true });
    const url = `http://api.test/${hostname}/${site.basename}`;
    const { status, body } = await resolve(`${url}/deep/page?x=1#y`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      organization: organization._id,
      site: site._id,
      space: guide._id,
      pathname: '/deep/page',
      basePath: `/${hostname}/${site.basename}`,
      siteBasePath: `/${hostname}/${site.basename}`,
      complete: true,
      canonicalUrl: `${url}/deep/page`,
    });
    expect((await resolve(url)).body).toMatchObject({ pathname: '/', complete: true });
    expect((await resolve(`http://api.test/${organization._id}/${site.basename}/`)).body).toMatchObject({
      site: site._id,
    });
  });

  it('returns a token that reads only the content of the site', async ({
    api,
    organization,
    admin,
    guide,
    reference,
    resolve,
    as,
    publishedPath,
  }) => {
    const site = await buildSite(organization, { title: 'Tokens', spaces: [guide], isPublished: true });
    const { body } = await resolve(`http://api.test/${hostname}/${site.basename}/start`, {
      visitor: { type: 'agent' },
    });
    expect(decodeJwt(body.apiToken)).toMatchObject({
      kind: 'site',
      organization: organization._id,
      site: site._id,
      space: guide._id,
      spaces: [guide._id],
      visitorType: 'agent',
    });
    const { apiToken } = body;
    for (const path of [
      publishedPath(site),
      `/v1/orgs/${organization._id}/sites/${site._id}/structure`,
      `/v1/spaces/${guide._id}`,
      `/v1/spaces/${guide._id}/content`,
      `/v1/spaces/${guide._id}/content/path/start`,
    ])
      expect([path, (await as(apiToken, path)).status]).toEqual([path, 200]);
    expect((await as(apiToken, `/v1/spaces/${guide._id}/content`)).body.parents).toEqual([]);
    expect((await as(admin.token, `/v1/spaces/${guide._id}/content`)).body.parents).toHaveLength(1);
    expect((await as(apiToken, `/v1/spaces/${guide._id}`)).body.permissions).toMatchObject({
      view: true,
      comment: false,
      edit: false,
    });
    expect((await as(apiToken, `/v1/spaces/${reference._id}`)).status).toBe(404);
    for (const path of [
      '/v1/user',
      '/v1/orgs',
      `/v1/orgs/${organization._id}`,
      `/v1/orgs/${organization._id}/members`,
      '/v1/orgs/nothing',
    ])
      expect([path, (await as(apiToken, path)).status]).toEqual([path, 403]);
    const change = await api.call('PATCH', `/v1/spaces/${guide._id}`, {
      token: apiToken,
      json: { title: 'Mine' },
    });
    expect(change.status).toBe(403);
  });

  it.for([
    ['an unknown site', `http://api.test/${hostname}/nothing`],
    ['an unknown organization', 'http://api.test/nobody/one'],
    ['no site', `http://api.test/${hostname}`],
    ['the origin', 'http://api.test/'],
    ['another host', `https://other.example/${hostname}/one`],
    ['another scheme', `ftp://api.test/${hostname}/one`],
    ['no URL', 'acme/one'],
    ['a broken path', 'http://api.test/%FF/%FE'],
  ] as const)('answers 404 for %s', async ([, url], { resolve }) => {
    expect((await resolve(url)).status).toBe(404);
  });

  it('refuses an invalid body', async ({ api }) => {
    for (const json of [
      {},
      { url: 5 },
      { url: 'x'.repeat(2049) },
      [],
      { url: 'http://api.test', visitor: { type: 'robot' } },
    ])
      expect((await api.call('POST', '/v1/urls/published', { json })).status).toBe(400);
  });

  it('answers 404 for an unpublished site', async ({ organization, guide, resolve }) => {
    const site = await buildSite(organization, { title: 'Hidden', spaces: [guide] });
    expect((await resolve(`http://api.test/${hostname}/${site.basename}`)).status).toBe(404);
  });

  it('invalidates a token when the site is unpublished or requires a sign-in', async ({
    api,
    organization,
    admin,
    guide,
    resolve,
    as,
    publishedPath,
  }) => {
    const site = await buildSite(organization, { title: 'Closing', spaces: [guide], isPublished: true });
    const { apiToken } = (await resolve(`http://api.test/${hostname}/${site.basename}`)).body;
    expect((await as(apiToken, publishedPath(site))).status).toBe(200);
    const patch = (json: object) =>
      api.call('PATCH', `/v1/orgs/${organization._id}/sites/${site._id}`, { token: admin.token, json });
    await patch({ visibility: 'visitor-auth' });
    for (const path of [publishedPath(site), `/v1/spaces/${guide._id}`])
      expect((await as(apiToken, path)).status).toBe(404);
    await patch({ visibility: 'public' });
    expect((await as(apiToken, publishedPath(site))).status).toBe(200);
    await api.call('POST', `/v1/orgs/${organization._id}/sites/${site._id}/unpublish`, {
      token: admin.token,
    });
    for (const path of [publishedPath(site), `/v1/spaces/${guide._id}`])
      expect((await as(apiToken, path)).status).toBe(404);
    expect((await as(`${apiToken.slice(0, -3)}abc`, publishedPath(site))).status).toBe(401);
  });

  it('resolves sections and variants, and redirects to the path without defaults', async ({
    organization,
    admin,
    guide,
    reference,
    resolve,
    as,
    publishedPath,
  }) => {
    const site = await buildSite(organization, { title: 'Parts', isPublished: true });
    const guides = await buildSection(site, { space: guide, title: 'Guides' });
    await buildSiteSpace(site, { space: reference, section: guides._id });
    const other = await buildSection(site, { space: reference, title: 'API' });
    const url = `http://api.test/${hostname}/${site.basename}`;
    expect((await resolve(url)).body).toMatchObject({
      siteSection: guides._id,
      space: guide._id,
      complete: false,
    });
    expect((await resolve(`${url}/api/page`)).body).toMatchObject({
      siteSection: other._id,
      space: reference._id,
      pathname: '/page',
      basePath: `/${hostname}/${site.basename}/api`,
      complete: true,
    });
    expect((await resolve(`${url}/reference`)).body).toMatchObject({
      siteSection: guides._id,
      space: reference._id,
      complete: true,
    });
    expect((await resolve(`${url}/guides/guide/start?a=b`)).body).toEqual({
      target: 'content',
      redirect: `${url}/start?a=b`,
    });
    const structure = (await as(admin.token, publishedPath(site))).body.structure;
    for (const section of structure.structure)
      for (const { urls, space, section: id } of section.siteSpaces)
        expect((await resolve(urls.published)).body).toMatchObject({
          space: space.id,
          siteSection: id,
          canonicalUrl: urls.published,
        });
  });

  it('finds a site by its custom hostname and by its proxy', async ({
    api,
    organization,
    admin,
    guide,
    resolve,
  }) => {
    const custom = await buildSite(organization, {
      title: 'Custom',
      spaces: [guide],
      hostname: 'docs.custom.example',
      isPublished: true,
    });
    expect((await resolve('https://docs.custom.example/start')).body).toMatchObject({
      site: custom._id,
      siteBasePath: '/',
      pathname: '/start',
      canonicalUrl: 'https://docs.custom.example/start',
    });
    const proxied = await buildSite(organization, { title: 'Proxied', spaces: [guide], isPublished: true });
    const path = `/v1/orgs/${organization._id}/sites/${proxied._id}`;
    await api.call('PATCH', path, { token: admin.token, json: { proxy: 'www.acme.example/a/docs' } });
    expect((await resolve('https://www.acme.example/a/docs/start')).body).toMatchObject({
      site: proxied._id,
      siteBasePath: '/a/docs',
    });
    expect((await resolve('https://www.acme.example/a')).status).toBe(404);
    await api.call('PATCH', path, { token: admin.token, json: { proxy: 'WWW.Acme.example/Docs' } });
    expect((await resolve('https://WWW.acme.EXAMPLE/Docs/start')).body).toMatchObject({
      site: proxied._id,
      siteBasePath: '/Docs',
    });
  });

  it('uses an index for every query, because anyone may call it', async ({
    organization,
    guide,
    resolve,
  }) => {
    const site = await buildSite(organization, { title: 'Quick', spaces: [guide], isPublished: true });
    const database = mongoDatabase();
    await database.command({ profile: 2 });
    for (const url of [
      `http://api.test/${hostname}/${site.basename}`,
      'https://docs.unknown.example/a',
      'http://api.test/nobody/nothing',
    ])
      await resolve(url);
    await database.command({ profile: 0 });
    const profile = database.collection('system.profile');
    const plans = await profile.distinct('planSummary', { ns: /\.(?:sites|organizations)$/, op: 'query' });
    await profile.drop();
    expect(plans.length).toBeGreaterThan(1);
    expect(plans.filter((plan) => String(plan).includes('COLLSCAN'))).toEqual([]);
  });

  it('resolves to the site of an organization, whatever hosts and hostnames others claim', async ({
    organization,
    guide,
    resolve,
  }) => {
    const site = await buildSite(organization, { title: 'Victim', spaces: [guide], isPublished: true });
    const other = await buildOrganization({ hostname: organization._id.toLowerCase() });
    const spaces = [await buildSpace(other.organization)];
    await buildSite(other.organization, { title: 'Victim', spaces, isPublished: true });
    for (const proxy of [
      `api.test/${hostname}`,
      `api.test/${hostname}/${site.basename}`,
      `api.test/${organization._id}/${site.basename}`,
    ])
      await buildSite(other.organization, { title: 'Proxy', spaces, proxy, isPublished: true });
    for (const name of [hostname, organization._id])
      expect([name, (await resolve(`http://api.test/${name}/${site.basename}/start`)).body.site]).toEqual([
        name,
        site._id,
      ]);
  });

  it('keeps the path of a default part when the shorter path belongs to another part', async ({
    organization,
    guide,
    reference,
    resolve,
  }) => {
    const site = await buildSite(organization, { title: 'Twins', isPublished: true });
    const first = await buildSection(site, { space: guide, title: 'First' });
    const second = await buildSection(site, { space: reference, title: 'Second' });
    const url = `http://api.test/${hostname}/${site.basename}`;
    expect((await resolve(`${url}/first/page`)).body).toEqual({ target: 'content', redirect: `${url}/page` });
    expect((await resolve(`${url}/first/second`)).body).toMatchObject({
      siteSection: first._id,
      pathname: '/second',
      basePath: `/${hostname}/${site.basename}/first`,
      canonicalUrl: `${url}/first/second`,
    });
    expect((await resolve(`${url}/second`)).body).toMatchObject({ siteSection: second._id, pathname: '/' });
  });
});

describe('GET …/published', () => {
  it('shows a member the whole site, published or not, and hides it from other users', async ({
    api,
    organization,
    guide,
    as,
    publishedPath,
  }) => {
    const site = await buildSite(organization, { title: 'Draft', spaces: [guide] });
    const reader = await buildMember(organization, 'read');
    const { status, body } = await as(reader.token, publishedPath(site));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'published-content-site',
      site: { id: site._id, published: false },
      scripts: [],
    });
    const [siteSpace] = body.structure.structure;
    expect(Object.keys(body.customizations.siteSpaces)).toEqual([siteSpace.id]);
    expect((await as((await buildMember(organization, null)).token, publishedPath(site))).status).toBe(404);
    expect((await as((await buildOrganization()).admin.token, publishedPath(site))).status).toBe(404);
    expect((await api.call('GET', publishedPath(site))).status).toBe(401);
  });

  it('hides deleted spaces from visitors', async ({ organization, guide, resolve, as, publishedPath }) => {
    const gone = await buildSpace(organization, { title: 'Gone' });
    const site = await buildSite(organization, { title: 'Gaps', spaces: [gone, guide], isPublished: true });
    const { apiToken } = (await resolve(`http://api.test/${hostname}/${site.basename}`)).body;
    await changeSpace(gone, { deletedAt: new Date() });
    expect((await as(apiToken, publishedPath(site))).body.structure.structure).toHaveLength(1);
    expect((await resolve(`http://api.test/${hostname}/${site.basename}`)).body).toMatchObject({
      space: guide._id,
    });
  });
});
