import type { SiteRecord } from '@bindery/models';
import { loadPublishingAuth, privateKeyOf } from '@bindery/publishing';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildShareLink, buildSite, buildSiteSpace, buildSpace } from '../support/factories.ts';
import { signVisitorToken } from '../support/http/visitorToken.ts';
import { it as base } from '../support/site/siteIt.ts';
import type { SiteAnswer } from '../support/site/siteServer.ts';

const it = base
  .extend('guide', async ({ organization }) =>
    publishPages(await buildSpace(organization), [
      { id: 'home', title: 'Home', path: 'home', source: '# Home\n\nFruit' },
      { id: 'more', title: 'More', path: 'more', source: '# More\n\ncanary-apple' },
    ]),
  )
  .extend('open', ({ api, organization, guide, server, hostname, admin }) => {
    /** Publishes a site. `change` calls the API below it. */
    return async (fields: Partial<SiteRecord>) => {
      const site = await buildSite(organization, { spaces: [guide], isPublished: true, ...fields });
      const at = `/${hostname}/${site.basename}`;
      return {
        site,
        ask: async (path: string, headers = {}) => server.ask(at + path, { headers }),
        change: async (method: string, path: string, json?: object) => {
          const below = `/v1/orgs/${organization._id}/sites/${site._id}${path}`;
          const { status } = await api.call(method, below, { token: admin.token, ...(json && { json }) });
          expect(status).toBeLessThan(300);
        },
      };
    };
  });

const addresses = [
  '',
  '/more',
  '/more.md',
  '/llms.txt',
  '/llms-full.txt',
  '/sitemap.xml',
  '/~/search?q=fruit',
];

/** Reads all addresses before a change, so that they are kept, and with their tags after it. */
async function expectGone(
  ask: (path: string, headers?: Record<string, string>) => Promise<SiteAnswer>,
  {
    base: start = '',
    cookie,
    change,
    status = 404,
  }: { base?: string; cookie?: string; change: () => Promise<void>; status?: number },
): Promise<void> {
  const headers: Record<string, string> = cookie === undefined ? {} : { cookie };
  const before = await Promise.all(addresses.map((path) => ask(start + path, headers)));
  expect(before.map((answer) => answer.status)).toEqual(addresses.map(() => 200));
  await change();
  for (const [index, path] of addresses.entries()) {
    const answer = await ask(start + path, { ...headers, 'if-none-match': before[index]!.headers.etag! });
    expect([path, answer.status, answer.headers['cache-control']]).toEqual([
      path,
      status,
      'private, no-store',
    ]);
    expect(answer.text).not.toMatch(/canary|More/);
  }
}

describe('a withdrawal takes effect at the next request', () => {
  it('of a site', async ({ open }) => {
    const { ask, change } = await open({});
    await expectGone(ask, { change: async () => change('POST', '/unpublish') });
    await change('POST', '/publish');
    expect((await ask('/more')).status).toBe(200);
    await expectGone(ask, { change: async () => change('PATCH', '', { visibility: 'visitor-auth' }) });
    await change('PATCH', '', { visibility: 'public' });
    await expectGone(ask, { change: async () => change('PATCH', '', { visibility: 'share-link' }) });
    await change('PATCH', '', { visibility: 'unlisted' });
    await expectGone(ask, { change: async () => change('DELETE', '') });
  });

  it('of a share link', async ({ open }) => {
    const { site, ask, change } = await open({ visibility: 'share-link' });
    for (const withdraw of ['PATCH', 'DELETE'] as const) {
      const link = await buildShareLink(site);
      const at = `/share-links/${link._id}`;
      await expectGone(ask, {
        base: `/${link.key}`,
        change: async () => change(withdraw, at, withdraw === 'PATCH' ? { active: false } : undefined),
      });
    }
  });

  it('of the key that signed the claims of a visitor', async ({ api, open }) => {
    const { site, ask, change } = await open({ visibility: 'visitor-auth' });
    const { secrets } = api.config;
    const key = Buffer.from(privateKeyOf(secrets, await loadPublishingAuth(secrets, site)));
    const token = signVisitorToken({ exp: Math.floor(Date.now() / 1_000) + 600 }, { key });
    await expectGone(ask, {
      cookie: `bindery-visitor=${token}`,
      change: async () => change('POST', '/publishing/auth/regenerate'),
    });
  });

  it('of a page, and of a part of a site', async ({ organization, guide, open }) => {
    const { site, ask, change } = await open({});
    const other = await publishPages(await buildSpace(organization), [
      { id: 'more', title: 'More', path: 'more', source: '# More\n\nFruit canary-pear' },
    ]);
    const { _id } = await buildSiteSpace(site, { space: other, path: 'other' });
    expect((await ask('/other')).text).toContain('canary-pear');
    await change('PATCH', `/site-spaces/${_id}`, { condition: 'visitor.claims.nothing' });
    const [hidden, list] = await Promise.all([ask('/other'), ask('/llms-full.txt')]);
    expect([hidden.status, list.text]).toEqual([404, expect.not.stringContaining('canary-pear')]);
    const known = await ask('/more');
    expect(known.status).toBe(200);
    await publishPages(guide, [{ id: 'home', title: 'Home', path: 'home', source: '# Home\n\nx' }]);
    expect((await ask('/more', { 'if-none-match': known.headers.etag! })).status).toBe(404);
    expect((await ask('')).text).not.toContain('More');
  });
});
