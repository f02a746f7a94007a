import { Organization } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildOrganization, buildSite, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const it = base
  .extend('alone', async ({ api: _started }) => {
    // The stores of a test worker outlive a file.
    await Organization.deleteMany({});
    return (await buildOrganization()).organization;
  })
  .extend('sites', async ({ alone }) => {
    const spaces = [await buildSpace(alone)];
    const shown = await buildSite(alone, { title: 'Guide <1>', spaces, isPublished: true });
    await buildSite(alone, { title: 'Draft', spaces });
    await buildSite(alone, { title: 'Unlisted', spaces, isPublished: true, visibility: 'unlisted' });
    return { shown };
  });

describe('the address of the API in a browser', () => {
  it('links to the public sites, the API reference, the operator pages and the health check', async ({
    api,
    alone,
    sites,
  }) => {
    const page = await api.call('GET', '/', { token: null, headers: html });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const { sites: config } = api.config;
    expect(page.text).toContain(
      `<a href="${config.url}/${alone.hostname ?? alone._id}/${sites.shown.basename}">Guide &lt;1&gt;</a>`,
    );
    expect(page.text).not.toMatch(/Draft|Unlisted/);
    for (const [, path = ''] of page.text.matchAll(/href="(\/[^"]*)"/g)) {
      const { status } = await api.call('GET', path, { headers: html });
      expect([path, status], path).toEqual([path, expect.toBeOneOf([200, 303, 401])]);
    }
  });

  it('names no site when several organizations share the installation', async ({ api, sites: _sites }) => {
    await buildOrganization();
    const page = await api.call('GET', '/', { token: null, headers: html });
    expect([page.status, page.text.includes('Guide')]).toEqual([200, false]);
  });

  it('answers 404 to clients that do not ask for HTML', async ({ api }) => {
    expect((await api.call('GET', '/', { token: null })).status).toBe(404);
  });
});
