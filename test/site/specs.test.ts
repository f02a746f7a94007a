import { OpenAPISpec } from '@bindery/models';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import {
  buildChangeRequest,
  buildOrganization,
  buildRevision,
  buildSite,
  buildSpace,
  buildSpec,
  buildSpecVersion,
} from '../support/factories.ts';
import { violationsOf } from '../support/operatorBrowser.ts';
import { it as base } from '../support/site/siteIt.ts';

const block = (spec: string, path = '/pets', method = 'get') =>
  `{% openapi-operation spec="${spec}" path="${path}" method="${method}" %}\n{% endopenapi-operation %}`;

const webhook = '{% openapi-webhook spec="pets" name="born" method="post" %}\n{% endopenapi-webhook %}';

const longName = 'a-very-long-name-without-a-place-to-break-'.repeat(3).replaceAll('-', '');

const petsWith = (summary: string) => ({
  openapi: '3.1.0',
  servers: [{ url: `https://api.example.com/${longName}`, description: 'The **only** server' }],
  security: [{ key: [] }],
  paths: {
    '/pets': {
      get: {
        summary,
        responses: {
          200: {
            description: 'All pets',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
        },
      },
      post: {
        summary: 'Add a pet',
        deprecated: true,
        parameters: [
          {
            name: longName,
            in: 'query',
            required: true,
            description: 'A *long* one',
            schema: { type: 'string' },
          },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Pet' }, example: { name: longName } },
          },
        },
        responses: { 201: { description: 'Added' }, 400: { description: 'Wrong' } },
      },
      put: { summary: 'canary-hidden', 'x-internal': true, responses: {} },
    },
  },
  webhooks: { born: { post: { summary: 'A pet is born', responses: { 200: { description: 'Seen' } } } } },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    schemas: {
      Pet: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'Its name' },
          friends: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
        },
      },
    },
  },
});

const publish = async (spec: Awaited<ReturnType<typeof buildSpec>>, summary: string) =>
  buildSpecVersion(spec, {
    text: summary,
    files: [
      {
        filename: 'openapi.json',
        dir: '.',
        isEntrypoint: true,
        references: [],
        specification: petsWith(summary),
      },
    ],
  });

const it = base
  .extend('spec', { scope: 'file' }, async ({ organization }) => {
    const spec = await buildSpec(organization, { slug: 'pets' });
    await publish(spec, 'List the pets');
    const { organization: other } = await buildOrganization();
    const theirs = await buildSpec(other, { slug: 'theirs', visibility: 'public' });
    await publish(theirs, 'canary-theirs');
    return { ...spec, theirs: theirs._id };
  })
  .extend('url', { scope: 'file' }, async ({ organization, hostname, spec, server }) => {
    const space = await publishPages(await buildSpace(organization, { title: 'API' }), [
      { title: 'Start', path: 'start', source: '# Start' },
      { title: 'Pets', path: 'pets', source: `# Pets\n\n${block('pets')}` },
      {
        title: 'All blocks',
        path: 'all-blocks',
        source: `# All blocks\n\n${block('pets')}\n\n${block('pets', '/pets', 'post')}\n\n${webhook}`,
      },
      { title: 'By id', path: 'by-id', source: `# By id\n\n${block(spec._id)}` },
      { title: 'Hidden', path: 'hidden', source: `# Hidden\n\n${block('pets', '/pets', 'put')}` },
      {
        title: 'Theirs',
        path: 'theirs',
        source: `# Theirs\n\n${block('theirs')}\n\n${block(spec.theirs)}`,
      },
      {
        title: 'Models',
        path: 'models',
        source: '# Models\n\n{% openapi-schemas spec="pets" schemas="Pet" %}\n{% endopenapi-schemas %}',
      },
    ]);
    const site = await buildSite(organization, { spaces: [space], isPublished: true });
    return `${server.origin}/${hostname}/${site.basename}`;
  })
  .extend(
    'get',
    { scope: 'file' },
    ({ server, url }) =>
      async (path: string) =>
        server.get(url + path),
  );

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
  .extend('specSite', { scope: 'file' }, async ({ organization, hostname, server, cats, spec }) => {
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
      for (const each of [home.text, text]) expect(each).not.toContain('canary');

      await publish(cats, 'List all cats');
      expect((await server.get(specSite)).text).toContain('/list-all-cats');
      expect((await server.get(specSite + path)).status).toBe(404);
    },
  );
});

describe('specifications on the pages of a site', () => {
  it('are described, under their slug or id', async ({ get }) => {
    for (const path of ['/pets', '/by-id']) {
      const { status, text } = await get(path);
      expect(status).toBe(200);
      expect(text).toContain('List the pets');
      expect(text).toContain('All pets');
    }
  });

  it.for(['light', 'dark'] as const)(
    'break no rule of axe and fit into each window, %s',
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

  it('of another organization are only named, as are parts that authors hide', async ({ get }) => {
    const theirs = await get('/theirs');
    expect(theirs.status).toBe(200);
    expect(theirs.text).toContain('API specification');
    expect(theirs.text).not.toContain('canary');
    const hidden = await get('/hidden');
    expect(hidden.text).toContain('API specification');
    expect(hidden.text).not.toContain('canary');
  });

  it('are only named in a preview when no published page shows them, unless they are public', async ({
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

  it('show a new version with the next request, and none when they are deleted', async ({ get, spec }) => {
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
