import { afterAll, describe, expect, it } from 'vitest';
import { problemsIn } from '../../../../test/support/render/judgeHtml.ts';
import { renderMarkdown, sources } from '../../../../test/support/render/renderMarkdown.ts';
import { createRenderer } from '../renderer.ts';
import { wordsOf } from '../words/wordsOf.ts';

const renderer = createRenderer();
afterAll(async () => renderer.close());

const pets = {
  openapi: '3.1.0',
  paths: {
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        summary: 'Read a pet',
        description: '## When\n\nOnly **yours**.',
        parameters: [{ $ref: '#/components/parameters/full' }],
        responses: {
          200: {
            description: 'The pet',
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Pet' }, example: { name: 'Rex' } },
            },
          },
        },
      },
    },
  },
  webhooks: { born: { post: { summary: 'A pet is born', responses: {} } } },
  components: {
    parameters: { full: { name: 'full', in: 'query', schema: { type: 'boolean', default: false } } },
    schemas: {
      Pet: {
        type: 'object',
        description: 'An animal',
        required: ['name'],
        properties: {
          name: { type: 'string', description: 'What it is called' },
          kind: { enum: ['cat', 'dog'] },
          born: { type: 'string', format: 'date' },
          friends: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
        },
      },
    },
  },
};

async function shown(
  markdown: string,
  document: object | undefined,
  medium: 'paper' | 'screen' = 'paper',
): Promise<string> {
  const { html, headings } = await renderMarkdown(renderer, markdown, {
    medium,
    sources: { ...sources, openapiOf: async () => document },
  });
  // It knows the HTML of paper.
  if (medium === 'paper') expect(problemsIn(html)).toEqual([]);
  expect(headings).toHaveLength(1);
  return html;
}

const operation = '{% openapi-operation spec="pets" path="/pets/{id}" method="get" %}';

describe('OpenAPI blocks', () => {
  it('describe an operation', async () => {
    const html = await shown(operation, pets);
    for (const part of [
      '<p class="title">Read a pet</p>',
      '<span class="method">GET</span> <code>/pets/{id}</code>',
      '<p><strong>When</strong></p><p>Only <strong>yours</strong>.</p>',
      '<dt><code>id</code> <span class="detail">string, required</span></dt>',
      '<dt><code>full</code> <span class="detail">boolean, default false</span></dt>',
      '<dt><code>200</code></dt><dd><p>The pet</p>',
      '<dt><code>kind</code> <span class="detail">any, one of cat, dog</span></dt>',
      '<span class="detail">list of Pet</span>',
      'Rex',
    ])
      expect(html).toContain(part);
  });

  it('show servers and authorization, and code samples on a screen', async () => {
    const guarded = {
      ...pets,
      servers: [{ url: 'https://{region}.example.com/v1/', variables: { region: { default: 'eu' } } }],
      security: [{ key: [] }, { login: ['pets:read'] }],
      components: {
        ...pets.components,
        securitySchemes: {
          key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'Ask *us*' },
          login: { type: 'oauth2' },
        },
      },
    };
    const html = await shown(operation, guarded, 'screen');
    for (const part of [
      '<p class="label">Server</p><dl><dt><code>https://eu.example.com/v1/</code></dt>',
      '<p class="label">Authorization, one of</p>',
      '<dt><code>key</code> <span class="detail">apiKey, header X-Key</span></dt><dd><p>Ask <em>us</em></p></dd>',
      '<dt><code>login</code> <span class="detail">oauth2, scopes pets:read</span></dt>',
      '<summary>cURL</summary>',
      '<summary>Python</summary>',
    ])
      expect(html).toContain(part);
    expect(html).toContain('X-Key: YOUR_API_KEY');
    expect(await shown(operation, guarded)).not.toContain('cURL');
  });

  it('show the code samples of the author instead of generated samples, on a screen', async () => {
    const own = structuredClone(pets) as { servers?: unknown; paths: Record<string, { get: object }> };
    own.servers = [{ url: 'https://example.com' }];
    Object.assign(own.paths['/pets/{id}']?.get ?? {}, {
      'x-codeSamples': [{ lang: 'Ruby', source: 'puts "pet"' }, { lang: 'Go' }, null],
    });
    const html = await shown(operation, own, 'screen');
    expect(html).toContain('<summary>Ruby</summary>');
    expect(html).not.toMatch(/cURL|<summary>Go/);
  });

  it('fold nested properties on a screen, and end where a schema contains itself', async () => {
    const html = await shown(operation, pets, 'screen');
    expect(html).toContain('<details class="part" open><summary><code>application/json</code> Pet</summary>');
    const folded = '<details class="part"><summary>Properties of <code>friends</code></summary>';
    expect(html.split(folded)).toHaveLength(4);
  });

  it('describe a webhook and schemas', async () => {
    expect(await shown('{% openapi-webhook spec="p" name="born" method="post" %}', pets)).toContain(
      'A pet is born',
    );
    const html = await shown('{% openapi-schemas spec="p" schemas="Pet,Gone" title="Animals" %}', pets);
    expect(html).toContain(
      '<p class="title">Animals</p><p class="request"><code>Pet</code></p><p>An animal</p>',
    );
    expect(html).toContain('<dt><code>name</code> <span class="detail">string, required</span></dt>');
  });

  it('hide operations that the author marks as internal', async () => {
    const hidden = structuredClone(pets) as { paths: Record<string, { get: Record<string, unknown> }> };
    Object.assign(hidden.paths['/pets/{id}']?.get ?? {}, { 'x-internal': true });
    expect(await shown(operation, hidden)).not.toContain('Read a pet');
  });

  it.each([
    ['without a specification', undefined],
    ['without the operation', { paths: {} }],
    ['of no form', { paths: [1, { get: 'x' }], components: 5 }],
  ])('are notices %s', async (_, document) => {
    expect(await shown(operation, document)).toContain('API specification');
  });

  it('have labels in each language', async () => {
    const inLanguage = async (language: string) => {
      const { html } = await renderMarkdown(renderer, operation, {
        page: { id: 'x', title: 'Title', language },
        sources: { ...sources, openapiOf: async () => pets },
      });
      return html;
    };
    const labels = /Path parameters|Query parameters|Responses|required|default|one of|list of/;
    expect(await inLanguage('en')).toMatch(labels);
    for (const language of ['fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru']) {
      const html = await inLanguage(language);
      const { openapi } = wordsOf(language);
      expect(html, language).not.toMatch(labels);
      for (const label of [openapi.path, openapi.query, openapi.responses, openapi.facts.required])
        expect(html, language).toContain(label);
    }
  });

  it('survive hostile specifications', async () => {
    const hostile = {
      paths: {
        '/pets/{id}': {
          get: {
            summary: '<script>x</script>',
            description: '[a](javascript:alert(1)) <img src=x onerror=alert(1)>',
            parameters: [{ $ref: '#/paths/~1pets~1{id}/get/parameters/0' }, null, 5],
            requestBody: { content: { '"><b>': { schema: { $ref: '#/components/schemas/A0' } } } },
            responses: { '<b>': { $ref: 'https://evil.example/x' }, 200: null },
          },
        },
      },
      components: {
        schemas: Object.fromEntries(
          Array.from({ length: 12 }, (_, level) => [
            `A${level}`,
            {
              properties: Object.fromEntries(
                Array.from({ length: 12 }, (_each, index) => [
                  `p${index}`,
                  { $ref: `#/components/schemas/A${level + 1}` },
                ]),
              ),
            },
          ]),
        ),
      },
    };
    const html = await shown(operation, hostile);
    expect(html.length).toBeLessThan(500_000);
  });
});
