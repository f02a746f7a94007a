import { afterAll, describe, expect, it } from 'vitest';
import { problemsIn } from '../../../../test/support/render/judgeHtml.ts';
import { renderMarkdown, sources } from '../../../../test/support/render/renderMarkdown.ts';
import { createRenderer } from '../renderer.ts';

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

async function shown(markdown: string, document: object | undefined): Promise<string> {
  const { html, headings } = await renderMarkdown(renderer, markdown, {
    sources: { ...sources, openapiOf: async () => document },
  });
  expect(problemsIn(html)).toEqual([]);
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

  it('hide what the author hides', async () => {
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
