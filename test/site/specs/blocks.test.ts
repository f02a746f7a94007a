import { OpenAPISpec } from '@bindery/models';
import { describe, expect } from 'vitest';
import { publishPages } from '../../support/content/indexing.ts';
import {
  buildChangeRequest,
  buildRevision,
  buildSite,
  buildSpace,
  buildSpec,
} from '../../support/factories.ts';
import { violationsOf } from '../../support/operatorBrowser.ts';
import { block, it, publish } from '../../support/site/specSite.ts';

describe('specifications on the pages of a site', () => {
  it('are described, by their slug or id', async ({ get }) => {
    for (const path of ['/pets', '/by-id']) {
      const { status, text } = await get(path);
      expect(status).toBe(200);
      expect(text).toContain('List the pets');
      expect(text).toContain('All pets');
    }
  });

  it.for(['light', 'dark'] as const)(
    'pass axe and fit into narrow and wide windows, %s',
    async (theme, { page, url }) => {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
      for (const width of [320, 1_280]) {
        await page.setViewport({ width, height: 900 });
        await page.goto(`${url}/all-blocks`);
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        await page.$$eval('.openapi .part', (parts) =>
          parts.forEach((part) => part.setAttribute('open', '')),
        );
        expect(await violationsOf(page), `at ${width}`).toEqual([]);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        expect(overflow, `at ${width}`).toBeLessThanOrEqual(0);
      }
      expect(page.complaints).toEqual([]);
      const titles = await page.$$eval('.openapi .tab > summary', (tabs) =>
        tabs.map((tab) => tab.textContent),
      );
      expect(titles).toEqual(['cURL', 'JavaScript', 'Python', 'cURL', 'JavaScript', 'Python']);
    },
  );

  it('are shown by name only when they belong to another organization, or when their parts are hidden', async ({
    get,
  }) => {
    const theirs = await get('/theirs');
    expect(theirs.status).toBe(200);
    expect(theirs.text).toContain('API specification');
    expect(theirs.text).not.toContain('canary');
    const hidden = await get('/hidden');
    expect(hidden.text).toContain('API specification');
    expect(hidden.text).not.toContain('canary');
  });

  it('are shown by name only in a preview when no published page shows them, unless they are public', async ({
    api,
    creator,
    organization,
    server,
  }) => {
    for (const [slug, visibility] of [
      ['secret', 'private'],
      ['open', 'public'],
    ] as const)
      await publish(await buildSpec(organization, { slug, visibility }), `canary-${slug}`);
    const start = { id: 'start', title: 'Start', path: 'start', source: '# Start' };
    const space = await publishPages(await buildSpace(organization, { title: 'Plain' }), [start]);
    const source = `# Start\n\n${block('secret')}\n\n${block('open')}`;
    const { _id: revision } = await buildRevision(space, { pages: [{ ...start, source }], publish: false });
    const { _id: change } = await buildChangeRequest(space, { revision });
    const site = await buildSite(organization, { spaces: [space], isPublished: true });
    const path = `/v1/orgs/${organization._id}/sites/${site._id}/publishing/preview?changeRequest=${change}`;
    const { body } = await api.call('GET', path, { token: creator.token });
    const { status, text } = await server.get(server.origin + new URL(body.url).pathname);
    expect(status).toBe(200);
    expect(text).toContain('canary-open');
    expect(text).not.toContain('canary-secret');
  });

  it('end where a schema contains itself', async ({ get }) => {
    const { status, text } = await get('/models');
    expect(status).toBe(200);
    expect(text.split('<dt><code>friends</code>')).toHaveLength(1 + 4);
  });

  it('show a new version at the next request, and only the name once they are deleted', async ({
    get,
    spec,
  }) => {
    const before = await get('/pets');
    expect((await get('/pets')).headers['etag']).toBe(before.headers['etag']);
    await publish(spec, 'List every pet');
    const after = await get('/pets');
    expect(after.text).toContain('List every pet');
    expect(after.text).not.toContain('List the pets');
    expect(after.headers['etag']).not.toBe(before.headers['etag']);
    await OpenAPISpec.deleteOne({ _id: spec._id });
    const gone = await get('/pets');
    expect(gone.text).not.toContain('List every pet');
    expect(gone.text).toContain('API specification');
  });
});
