import { ChangeRequest } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildOrganization,
  buildRevision,
  buildSite,
  buildSpace,
} from '../support/factories.ts';
import { publishPages } from '../support/content/indexing.ts';
import { violationsOf } from '../support/operatorBrowser.ts';
import { it as base } from '../support/site/siteIt.ts';

const home = (text: string) => ({ id: 'home', title: 'Home', path: 'home', source: `# Home\n\n${text}` });
const added = {
  title: 'Added',
  path: 'added',
  description: 'canary-about',
  source: '# Added\n\ncanary-page',
};

const it = base
  .extend('guide', { scope: 'file' }, async ({ organization }) =>
    publishPages(await buildSpace(organization, { title: 'Guide' }), [home('As published')]),
  )
  .extend('change', { scope: 'file' }, async ({ guide }) => {
    const { _id } = await buildRevision(guide, { pages: [home('canary-text'), added], publish: false });
    return buildChangeRequest(guide, { subject: 'Say it <better>', revision: _id });
  })
  .extend('site', { scope: 'file' }, ({ organization, guide }) =>
    buildSite(organization, { title: 'Docs', spaces: [guide], isPublished: true }),
  )
  .extend(
    'askFor',
    { scope: 'file' },
    ({ api, creator, organization, site }) =>
      (query: string, { token } = creator, { _id } = site) =>
        api.call('GET', `/v1/orgs/${organization._id}/sites/${_id}/publishing/preview${query}`, { token }),
  )
  .extend('preview', async ({ askFor, server, change }) => {
    const { status, body } = await askFor(`?changeRequest=${change._id}`);
    expect(status).toBe(200);
    return { given: body.url as string, url: server.origin + new URL(body.url).pathname };
  });

describe('the preview of a change request', () => {
  it('shows its content, with a notice that it is not published', async ({
    server,
    preview,
    change,
    page,
  }) => {
    const { status, headers, text } = await server.get(preview.url);
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect(text).toContain('canary-text');
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text).toContain(`#${change.number} (Say it &lt;better&gt;), which is not published.</aside>`);
    expect(text).not.toContain('rel="canonical"');
    expect((await server.get(`${preview.url}/added`)).text).toContain('canary-page');
    expect((await server.get(`${preview.url}/added.md`)).text).toContain('canary-page');
    expect((await server.get(`${preview.url}/llms-full.txt`)).text).toContain('canary-page');
    expect((await server.get(`${preview.url}/robots.txt`)).text).toContain('Disallow: /');
    expect((await server.get(`${preview.url}/nowhere`)).text).toContain('which is not published.');
    await page.setViewport({ width: 320, height: 700 });
    await page.goto(`${preview.url}/added`);
    expect(await violationsOf(page)).toEqual([]);
    expect(page.complaints).toEqual([]);
  });

  it('is hidden from other addresses and from forged links at the same time', async ({
    api,
    server,
    site,
    hostname,
    askFor,
    preview,
  }) => {
    const published = `${server.origin}/${hostname}/${site.basename}`;
    const plain = server.origin + new URL((await askFor('')).body.url).pathname;
    const forged = preview.url.slice(0, -1) + (preview.url.endsWith('A') ? 'B' : 'A');
    for (const path of [
      '',
      '/added',
      '/llms.txt',
      '/llms-full.txt',
      '/sitemap.xml',
      '/~/search.json?q=canary',
    ]) {
      const answers = await Promise.all(
        [preview.url, published, plain, forged].map((url) => server.get(url + path)),
      );
      for (const { text } of answers.slice(1)) expect(text, path).not.toMatch(/canary-|added</);
      expect(answers[3]?.status).toBe(404);
    }
    expect((await server.get(plain)).text).toContain('This is a preview');
    expect((await server.get(published)).text).not.toContain('This is a preview');
    // A content token would read the main content.
    const resolved = await api.call('POST', '/v1/urls/published', { json: { url: preview.given } });
    expect(resolved.status).toBe(404);
  });

  it('shows the current subject', async ({ guide, askFor, server }) => {
    const { _id, revision } = await buildChangeRequest(guide, { subject: 'As it was' });
    const { body } = await askFor(`?changeRequest=${_id}`);
    const read = async () => (await server.get(server.origin + new URL(body.url).pathname)).text;
    expect(await read()).toContain('(As it was)');
    await ChangeRequest.updateOne({ _id, revision }, { $set: { subject: 'As it is' } });
    expect(await read()).toContain('(As it is)');
  });

  it('works for a site that is not published', async ({
    organization,
    guide,
    change,
    askFor,
    creator,
    server,
  }) => {
    const draft = await buildSite(organization, { spaces: [guide] });
    const { body } = await askFor(`?changeRequest=${change._id}`, creator, draft);
    expect((await server.get(server.origin + new URL(body.url).pathname)).text).toContain('canary-text');
  });

  it('is only for members who can view the space, on a site that has the space', async ({
    organization,
    askFor,
    reader,
    change,
  }) => {
    const elsewhere = await buildChangeRequest(await buildSpace((await buildOrganization()).organization));
    const notShown = await buildChangeRequest(await buildSpace(organization));
    expect((await askFor(`?changeRequest=${change._id}`, reader)).status).toBe(403);
    const refusals = await Promise.all(
      [elsewhere._id, 'nothing', notShown._id].map((id) => askFor(`?changeRequest=${id}`)),
    );
    expect(refusals.map(({ status, body }) => [status, body.error.details])).toEqual([
      [400, [{ path: 'query.changeRequest', message: 'is no change request that you may see' }]],
      [400, [{ path: 'query.changeRequest', message: 'is no change request that you may see' }]],
      [400, [{ path: 'query.changeRequest', message: 'is of a space that the site does not have' }]],
    ]);
  });
});
