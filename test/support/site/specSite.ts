import { publishPages } from '../content/indexing.ts';
import { buildOrganization, buildSite, buildSpace, buildSpec, buildSpecVersion } from '../factories.ts';
import { it as base } from './siteIt.ts';

/** The block of an operation. */
export const block = (spec: string, path = '/pets', method = 'get') =>
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

/** Publishes a version of a specification, whose first operation has this summary. */
export const publish = async (spec: Awaited<ReturnType<typeof buildSpec>>, summary: string) =>
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

/**
 * The `it` of tests of specifications on a site. Fixtures beside those of `siteIt.ts`:
 *
 * - `spec`: the specification `pets`, with the id of one of another organization
 * - `url`, `get`: a site with blocks of both, and what it answers at a path
 */
export const it = base
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
