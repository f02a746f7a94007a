import { describe, expect } from 'vitest';
import { indexWhatWaits, publishPages } from '../../support/content/indexing.ts';
import { buildSite, buildSpace, buildSpec } from '../../support/factories.ts';
import { it, publish } from '../../support/site/specSite.ts';

const computed = (spec: string) =>
  ({
    id: `holder-${spec}`,
    type: 'computed',
    title: 'API',
    computed: {
      type: 'builtin:openapi',
      props: { models: true, grouping: 'by-operation' },
      dependencies: { spec: { ref: { kind: 'openapi', spec } } },
    },
  }) as never;

const itWithSpecPages = it
  .extend('cats', { scope: 'file' }, async ({ organization }) => {
    const cats = await buildSpec(organization, { slug: 'cats' });
    await publish(cats, 'List the cats');
    return cats;
  })
  .extend('specSite', { scope: 'file' }, async ({ api, organization, hostname, server, cats, spec }) => {
    const space = await publishPages(await buildSpace(organization, { title: 'Reference' }), [
      { title: 'Intro', path: 'intro', source: '# Intro' },
      {
        type: 'group',
        title: 'Calls',
        path: 'calls',
        pages: [
          { title: 'Models', path: 'calls/models', source: '# Models\n\nOur own' },
          computed(cats.slug),
          computed(spec.theirs),
        ],
      },
    ]);
    await indexWhatWaits(api.config);
    const site = await buildSite(organization, { spaces: [space], isPublished: true });
    return `${server.origin}/${hostname}/${site.basename}`;
  });

describe('the pages of a specification', () => {
  itWithSpecPages(
    'have a place in the navigation, an address and a text',
    async ({ server, specSite, cats }) => {
      const home = await server.get(specSite);
      expect(home.text).toContain('<h1 id="~top">Intro</h1>');
      const [path = ''] = /\/calls\/[^"]*\/list-the-cats/.exec(home.text) ?? [];
      expect(path).not.toBe('');
      const { status, text } = await server.get(specSite + path);
      expect(status).toBe(200);
      expect(text).toContain('<h1 id="~top">List the cats</h1>');
      expect(text).toContain('All pets');
      expect((await server.get(`${specSite}${path}.md`)).text).toContain('`GET /pets`');
      // A page of the content keeps its address.
      expect((await server.get(`${specSite}/calls/models`)).text).toContain('Our own');
      expect((await server.get(`${specSite}/calls/models-2`)).text).toContain('<code>Pet</code>');
      const lists = ['/sitemap.xml', '/llms.txt', '/llms-full.txt'];
      const whole = async (list: string) => (await server.get(specSite + list)).text;
      const before = await Promise.all([...lists, '/~/print'].map(whole));
      for (const list of before.slice(0, 3)) expect(list).toContain(path);
      for (const all of before.slice(2)) {
        expect(all).toContain('List the cats');
        expect(all).toContain('All pets');
      }
      for (const each of [home.text, text, ...before]) expect(each).not.toContain('canary');

      await publish(cats, 'List all cats');
      for (const list of [...lists, '/~/print']) {
        const after = await whole(list);
        expect(after).not.toContain('List the cats');
        expect(after).not.toContain('list-the-cats');
        expect(after).toMatch(/list-all-cats|List all cats/);
      }
      expect((await server.get(specSite)).text).toContain('/list-all-cats');
      expect((await server.get(specSite + path)).status).toBe(404);
    },
  );
});

describe('a search', () => {
  itWithSpecPages(
    'finds the pages of specifications among the others',
    async ({ server, specSite, cats }) => {
      const find = async (words: string) => {
        const { text } = await server.get(`${specSite}/~/search.json?q=${encodeURIComponent(words)}`);
        return JSON.parse(text) as { status: string; results: Record<'href' | 'title' | 'text', string>[] };
      };
      const hrefs = async (words: string) => (await find(words)).results.map(({ href }) => href);
      await publish(cats, 'Count the cats');
      expect(await hrefs('count the ca')).toEqual([expect.stringMatching(/\/calls\/.*\/count-the-cats$/)]);
      expect((await find('post pets')).results[0]).toMatchObject({ title: 'Add a pet', text: 'POST /pets' });
      const models = await hrefs('models');
      expect(models.map((href) => href.replace(/.*\//, '')).toSorted()).toEqual(['models', 'models-2']);
      expect(await find('canary')).toMatchObject({ status: '0 pages found.', results: [] });
      await publish(cats, 'List all cats');
      expect(await hrefs('count')).toEqual([]);
      expect(await hrefs('all cats')).toEqual([expect.stringContaining('/list-all-cats')]);
    },
  );
});
