import { CustomHostname, Site } from '@bindery/models';
import { createDnsRecords } from '@bindery/outbound';
import { loadPublishingAuth, privateKeyOf } from '@bindery/publishing';
import { createLogger, newId } from '@bindery/runtime';
import type { SiteRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { checkHostnames } from '../../apps/worker-maintenance/src/hostnames/checkHostnames.ts';
import { publishPages } from '../support/content/indexing.ts';
import { buildShareLink, buildSite, buildSiteSpace, buildSpace } from '../support/factories.ts';
import { signVisitorToken } from '../support/http/visitorToken.ts';
import { startDns, type DnsRecord } from '../support/lab/dns.ts';
import { it as base } from '../support/site/siteIt.ts';

const cname = 'edge.platform.example';

const it = base
  .extend('environment', { scope: 'file' }, { BINDERY_TRUST_PROXY: 'loopback', BINDERY_SITE_CNAME: cname })
  .extend('names', { scope: 'file' }, {} as Record<string, DnsRecord>)
  .extend('dns', { scope: 'file' }, ({ api: _started, names }) => startDns('127.0.0.1', names, 0))
  .extend('guide', { scope: 'file' }, async ({ organization }) =>
    publishPages(await buildSpace(organization), [
      { id: 'home', title: 'Home', path: 'home', source: '# Home\n\n[More](more.md)' },
      { id: 'more', title: 'More', path: 'more', source: '# More\n\nText' },
    ]),
  )
  .extend('docs', () => `docs.${newId().toLowerCase()}.example.org`)
  .extend('open', ({ api, organization, hostname, guide, docs, names, dns, admin }) => {
    /** Publishes a site, and gives it the hostname `docs` through the API and the worker. */
    return async (fields: Partial<SiteRecord> = {}) => {
      const site = await buildSite(organization, { spaces: [guide], isPublished: true, ...fields });
      names[docs] = cname;
      names[`_bindery.${docs}`] = { texts: [`bindery-organization=${organization._id}`] };
      const url = `/v1/custom-hostnames/${docs}`;
      const json = { target: { type: 'site', site: site._id } };
      expect((await api.call('PUT', url, { token: admin.token, json })).status).toBe(201);
      await CustomHostname.updateMany({ hostname: { $ne: docs } }, { $set: { nextCheckAt: new Date(4e12) } });
      const records = createDnsRecords([dns.server]);
      const logger = createLogger({ ...api.config, log: { level: 'silent' } }, { app: 'test' });
      await checkHostnames({ config: api.config, records, logger, signal: new AbortController().signal });
      const { body } = await api.call('GET', url, { token: admin.token });
      expect(body).toMatchObject({ status: 'live', isActive: true });
      return { site, old: `/${hostname}/${site.basename}` };
    };
  })
  /** Asks at the hostname, as a proxy that ends TLS does. */
  .extend('at', ({ server, docs }) => {
    return async (path: string, headers: Record<string, string> = {}) =>
      server.ask(path, { headers: { host: docs, 'x-forwarded-proto': 'https', ...headers } });
  });

describe('a site at its own hostname', () => {
  it('is served at the root, and all its addresses have the hostname', async ({
    api,
    admin,
    open,
    at,
    docs,
  }) => {
    const { site } = await open();
    const origin = `https://${docs}`;
    const home = await at('/');
    expect(home.status).toBe(200);
    expect(home.text).toContain(`<link rel="canonical" href="${origin}">`);
    expect(home.text).toContain('href="/more"');
    expect(home.text).not.toContain(`/${site.basename}`);
    expect((await at('/more')).text).toContain(`<link rel="canonical" href="${origin}/more">`);
    expect((await at('/sitemap.xml')).text).toContain(`<loc>${origin}/more</loc>`);
    expect((await at('/robots.txt')).text).toContain(`${origin}/sitemap.xml`);
    expect((await at('/llms.txt')).text).toContain('/more');
    expect((await at('/more.md')).status).toBe(200);
    expect((await at('/nowhere')).status).toBe(404);
    const { body } = await api.call('GET', `/v1/orgs/${site.organization}/sites/${site._id}`, {
      token: admin.token,
    });
    expect([body.hostname, body.urls.published]).toEqual([docs, origin]);
    const resolved = await api.call('POST', '/v1/urls/published', { json: { url: `${origin}/more` } });
    expect(resolved.body).toMatchObject({
      site: site._id,
      siteBasePath: '/',
      canonicalUrl: `${origin}/more`,
    });
  });

  it('answers for the host in any case and with a port, and for no other host', async ({
    open,
    at,
    server,
    docs,
  }) => {
    await open();
    expect((await at('/', { host: docs.toUpperCase() })).status).toBe(200);
    expect((await at('/', { host: `${docs}:8443` })).status).toBe(200);
    for (const host of [`www.${docs}`, `${docs}.evil.example`, 'nothing.example.org', `${docs}/x`]) {
      const answer = await at('/', { host });
      expect([host, answer.status]).toEqual([host, 404]);
      expect(answer.text).not.toContain('Home');
    }
    const forwarded = await server.ask('/', { headers: { 'x-forwarded-host': docs } });
    expect(forwarded.text).toContain('Home');
  });

  it('serves its variants below the root', async ({ organization, open, at, docs }) => {
    const { site } = await open();
    const space = await publishPages(await buildSpace(organization), [
      { id: 'start', title: 'Start', path: 'start', source: '# Start' },
    ]);
    await buildSiteSpace(site, { space, path: 'v2' });
    expect((await at('/v2')).text).toContain(`<link rel="canonical" href="https://${docs}/v2">`);
  });

  it('keeps visitors signed in with a cookie of that host only', async ({ api, open, at, server, docs }) => {
    const { site, old } = await open({ visibility: 'visitor-auth' });
    const { secrets } = api.config;
    const key = Buffer.from(privateKeyOf(secrets, await loadPublishingAuth(secrets, site)));
    const token = signVisitorToken({ exp: Math.floor(Date.now() / 1_000) + 600 }, { key });
    // The sign-in page may still know the old address.
    const moved = await server.ask(`${old}/more?jwt_token=${token}`);
    expect([moved.status, moved.headers.location, moved.headers['set-cookie']]).toEqual([
      308,
      `https://${docs}/more?jwt_token=${token}`,
      undefined,
    ]);
    const signedIn = await at(`/more?jwt_token=${token}`);
    const cookie = `bindery-visitor=${token}`;
    expect([signedIn.status, signedIn.headers.location]).toEqual([302, '/more']);
    expect(signedIn.headers['set-cookie']).toEqual([`${cookie}; Path=/; HttpOnly; SameSite=Lax; Secure`]);
    expect((await at('/more', { cookie })).status).toBe(200);
    expect((await at('/more')).status).toBe(404);
  });
});

describe('the old address of a site with a hostname', () => {
  it('redirects to the hostname, with the rest of the path and the query', async ({ open, server, docs }) => {
    const { old } = await open();
    for (const [path, location] of [
      ['', '/'],
      ['/more', '/more'],
      ['/more.md?x=1&y=%20', '/more.md?x=1&y=%20'],
      ['/%2f%2fevil.example', '/%2f%2fevil.example'],
      ['//evil.example/', '/evil.example'],
      ['/nowhere', '/nowhere'],
    ] as const) {
      const { status, headers } = await server.ask(old + path);
      expect([path, status, headers.location]).toEqual([path, 308, `https://${docs}${location}`]);
      expect(headers['cache-control']).toBe('private, no-store');
    }
  });

  it('hides a site from visitors who cannot view it, and keeps previews', async ({
    api,
    creator,
    open,
    server,
    docs,
  }) => {
    const { site, old } = await open({ visibility: 'share-link' });
    expect((await server.ask(old)).status).toBe(404);
    const { key } = await buildShareLink(site);
    const { status, headers } = await server.ask(`${old}/${key}/more`);
    expect([status, headers.location]).toEqual([308, `https://${docs}/${key}/more`]);
    const path = `/v1/orgs/${site.organization}/sites/${site._id}/publishing/preview`;
    const { body } = await api.call('GET', path, { token: creator.token });
    expect((await server.ask(new URL(body.url).pathname)).status).toBe(200);
    await Site.updateOne({ _id: site._id }, { $set: { isPublished: false } });
    expect((await server.ask(`${old}/${key}`)).status).toBe(404);
  });

  it('serves the site again once the hostname is deleted', async ({ api, admin, open, at, server, docs }) => {
    const { old } = await open();
    await api.call('DELETE', `/v1/custom-hostnames/${docs}`, { token: admin.token });
    expect((await server.ask(old)).status).toBe(200);
    expect((await at('/')).status).toBe(404);
  });
});

it('answers a proxy which hostnames can get a certificate', async ({ open, server, docs }) => {
  const ask = async (domain: string) => (await server.ask(`/~/hostname?domain=${domain}`)).status;
  expect(await ask(docs)).toBe(404);
  await open();
  expect(await ask(docs)).toBe(200);
  expect(await ask(docs.toUpperCase())).toBe(200);
  for (const domain of [`www.${docs}`, '', '*', '127.0.0.1', `${docs}%00`])
    expect([domain, await ask(domain)]).toEqual([domain, 404]);
});
