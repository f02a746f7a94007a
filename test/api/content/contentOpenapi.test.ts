import { describe, expect } from 'vitest';
import {
  buildGrant,
  buildMember,
  buildRevision,
  buildSite,
  buildSpace,
  buildSpec,
  buildSpecVersion,
  buildToken,
} from '../../support/factories.ts';
import { contentTokenFor } from '../../support/http/contentTokenFor.ts';
import { itInNewOrganization as base } from '../../support/it.ts';

// OpenAPI blocks in Markdown: tags as stored, or words for readers of text.

const specification = (summary: string) => ({
  openapi: '3.1.0',
  paths: {
    '/pets': {
      get: { summary, parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }] },
      put: { summary: 'Unseen', 'x-internal': true },
    },
  },
  components: { schemas: { Pet: { properties: { name: { type: 'string' } } } } },
});

const tag = (path: string, method = 'get', spec = 'pets') =>
  `{% openapi-operation spec="${spec}" path="${path}" method="${method}" %}\n{% endopenapi-operation %}`;
const schemas = '{% openapi-schemas spec="pets" schemas="Pet" %}\n{% endopenapi-schemas %}';

const it = base
  .extend('version', { auto: true }, async ({ organization }) => {
    const spec = await buildSpec(organization, { slug: 'pets' });
    return async (summary: string) =>
      buildSpecVersion(spec, {
        text: summary,
        files: [
          {
            filename: 'openapi.json',
            dir: '.',
            isEntrypoint: true,
            references: [],
            specification: specification(summary),
          },
        ],
      });
  })
  .extend('space', async ({ organization, version }) => {
    await version('List pets');
    const space = await buildSpace(organization, { defaultLevel: null });
    const source = `# P\n\nBefore.\n\n${tag('/pets/', 'GET')}\n\n${schemas}\n\n${tag('/pets', 'put')}\n\n${tag('/', 'get', 'gone')}\n`;
    await buildRevision(space, { pages: [{ id: 'p', path: 'p', source }] });
    return space;
  })
  .extend(
    'markdown',
    ({ api, space }) =>
      async ({ token }: { token: string }, query = 'format.markdown.openapi=text'): Promise<string> => {
        const { status, body } = await api.call('GET', `/v1/spaces/${space._id}/content/page/p?${query}`, {
          token,
        });
        expect(status).toBe(200);
        return body.markdown;
      },
  );

describe('the Markdown of a page with OpenAPI blocks', () => {
  it('keeps the tags of the blocks, or describes the latest version as text', async ({
    admin,
    markdown,
    version,
  }) => {
    expect(await markdown(admin, '')).toContain(
      '{% openapi-operation spec="pets" path="/pets/" method="GET" %}',
    );
    const text = await markdown(admin);
    expect(text).toContain('**List pets**\n\n`GET /pets/`\n\n**Query parameters**\n\n* `limit` integer\n');
    expect(text).toContain('`Pet`\n\n* `name` string\n');
    expect(text).toContain('`PUT /pets` (API specification pets)');
    expect(text).toContain('`GET /` (API specification gone)');
    expect(text).not.toMatch(/openapi-|Unseen/);

    await version('List all pets');
    expect(await markdown(admin)).toContain('**List all pets**');
  });

  it('describes to guests the specifications that they can read, and only names the others', async ({
    organization,
    space,
    markdown,
  }) => {
    const [reading, writing] = [await buildMember(organization, null), await buildMember(organization, null)];
    await buildGrant({ space }, reading, 'read');
    await buildGrant({ space }, writing, 'edit');
    expect(await markdown(reading)).toContain('**List pets**');
    const text = await markdown(writing);
    expect(text).toContain('`GET /pets/` (API specification pets)');
    expect(text).not.toContain('List pets');
  });

  it('describes to visitors of a site the specifications that visible pages show', async ({
    api,
    organization,
    space,
    markdown,
  }) => {
    const site = await buildSite(organization, {
      spaces: [space],
      visibility: 'unlisted',
      isPublished: true,
    });
    const text = await markdown({ token: await contentTokenFor(api, site, { claims: {} }) });
    expect(text).toContain('**List pets**');
    expect(text).toContain('`GET /` (API specification gone)');
    expect(text).not.toMatch(/openapi-|Unseen/);
  });

  it('only names specifications to a token for single spaces', async ({ admin, space, markdown }) => {
    const text = await markdown(await buildToken(admin.user, { spaces: [space._id] }));
    expect(text).toContain('`GET /pets/` (API specification pets)');
  });

  it('changes its entity tag with the specification', async ({ api, space, admin, version }) => {
    const read = async (etag?: string) =>
      api.call('GET', `/v1/spaces/${space._id}/content/page/p?format.markdown.openapi=text`, {
        token: admin.token,
        ...(etag !== undefined && { headers: { 'If-None-Match': etag } }),
      });
    const etag = (await read()).headers.get('ETag') ?? '';
    expect((await read(etag)).status).toBe(304);
    await version('List all pets');
    expect((await read(etag)).status).toBe(200);
  });
});
