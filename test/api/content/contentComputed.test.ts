import { describe, expect } from 'vitest';
import { buildOrganization, buildSpec, buildSpecVersion } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { bound } from '../../support/machine.ts';
import { watchThread } from '../../support/content/watchThread.ts';

const own = (text: string) => ({
  object: 'document',
  data: {},
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      isVoid: false,
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
    },
  ],
});
const specification = {
  openapi: '3.1.0',
  info: { description: 'Dropped.\n\n# Use them\n\nWith *care*.\n' },
  tags: [
    {
      name: 'pets',
      description: 'About **pets**.',
      'x-page-icon': 'cat',
      'x-page-description': 'All pets',
    },
    { name: 'unused' },
  ],
  webhooks: { born: { post: { summary: 'Born' } } },
  paths: {
    '/pets': {
      parameters: [],
      get: { tags: ['pets'], summary: 'List pets' },
      post: { tags: ['pets', 'new'], operationId: 'addPet', deprecated: true },
    },
    '/health': { get: {} },
    '/broken': null,
  },
  components: { schemas: { Pet: {}, Error: {} } },
};
const ofSpec = (props: object, spec = 'pets') => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
});

const it = base
  .extend('specs', { scope: 'file' }, async ({ organization }) => {
    const pets = await buildSpec(organization, { slug: 'pets' });
    await buildSpecVersion(pets, {
      files: [{ filename: 'pets.json', dir: '/', isEntrypoint: true, references: [], specification }],
    });
    return [pets, await buildSpec(organization, { slug: 'waiting' })];
  })
  .extend(
    'compute',
    ({ api, reader, space, specs: _stored }) =>
      (what: 'document' | 'revision', source: object, { seed = 's', token = reader.token } = {}) =>
        api.call('POST', `/v1/spaces/${space._id}/content/computed/${what}`, {
          token,
          json: { source, seed },
        }),
  )
  .extend(
    'nodes',
    ({ compute }) =>
      async (props: object, spec = 'pets') =>
        (await compute('document', ofSpec(props, spec))).body.nodes,
  );

describe('the pages of a specification', () => {
  it('are one for each tag with operations, and one for the models', async ({ compute }) => {
    const { status, body } = await compute('revision', ofSpec({}));
    expect([status, body.files, body.reusableContents]).toEqual([200, [], []]);
    expect(
      body.pages.map(
        ({ title, path, computed }: { title: string; path: string; computed: { props: object } }) => [
          title,
          path,
          computed.props,
        ],
      ),
    ).toEqual([
      ['Use them', 'use-them', { doc: 'info', page: 'info-0' }],
      ['Pets', 'pets', { doc: 'operations', page: 'tag-pets' }],
      ['Default', 'default', { doc: 'operations', page: 'tag-default' }],
      ['Webhooks', 'webhooks', { doc: 'operations', page: 'webhooks' }],
      ['Models', 'models', { doc: 'models' }],
    ]);
    expect(body.pages[1]).toMatchObject({ icon: 'cat', description: 'All pets' });
    expect(body.pages[0]).not.toHaveProperty('documentId');
    for (const { computed } of body.pages) expect((await compute('document', computed)).status).toBe(200);
  });

  it('are one for each operation on request, and have the same ids with the same seed', async ({
    compute,
  }) => {
    const { body } = await compute('revision', ofSpec({ models: false, grouping: 'by-operation' }));
    expect(body.pages[1]).toMatchObject({
      title: 'Pets',
      computed: { props: { doc: 'tag', page: 'tag-pets' } },
      pages: [
        {
          title: 'List pets',
          path: 'pets/list-pets',
          computed: { props: { doc: 'operation', page: '/pets', method: 'get' } },
        },
        {
          title: 'addPet',
          computed: { props: { doc: 'operation', page: '/pets', method: 'post', deprecated: true } },
        },
      ],
    });
    expect((await compute('revision', ofSpec({ models: false, grouping: 'by-operation' }))).body).toEqual(
      body,
    );
    const other = (
      await compute('revision', ofSpec({ models: false, grouping: 'by-operation' }), { seed: 'other' })
    ).body;
    expect(other.pages[0].id).not.toBe(body.pages[0].id);
  });
});

describe('the document of a page of a specification', () => {
  it('shows operations and models by reference', async ({ nodes }) => {
    const ref = { kind: 'openapi', spec: 'pets' };
    expect(await nodes({ doc: 'operations', page: 'tag-pets' })).toMatchObject([
      { type: 'paragraph' },
      { type: 'openapi-operation', data: { ref, path: '/pets', method: 'get' } },
      { type: 'openapi-operation', data: { ref, path: '/pets', method: 'post' } },
    ]);
    expect(await nodes({ doc: 'operation', page: '/health', method: 'get' })).toMatchObject([
      { data: { ref, path: '/health', method: 'get' } },
    ]);
    expect(await nodes({ doc: 'models' })).toMatchObject([
      { type: 'openapi-schemas', data: { ref, schemas: ['Pet', 'Error'] } },
    ]);
    expect(await nodes({ doc: 'operation', page: 'born', method: 'hook' })).toMatchObject([
      { type: 'openapi-webhook', data: { ref, name: 'born', method: 'post' } },
    ]);
    for (const props of [
      { doc: 'tag', page: 'tag-pets' },
      { doc: 'info', page: 'info-0' },
    ])
      expect(await nodes(props)).toMatchObject([{ type: 'paragraph' }]);
  });

  it('is the document of the author, if that is valid', async ({ organization, nodes }) => {
    const given = {
      tags: [
        { name: 'good', description: 'a', 'x-gitbook-description-document': own('b') },
        { name: 'bad', description: 'a', 'x-gitbook-description-document': { nodes: [{ object: 'x' }] } },
      ],
      paths: { '/a': { get: { tags: ['good'] }, put: { tags: ['bad'] } } },
    };
    await buildSpecVersion(await buildSpec(organization, { slug: 'own' }), {
      files: [{ filename: 'a.json', dir: '/', isEntrypoint: true, references: [], specification: given }],
    });
    const text = async (page: string) => JSON.stringify(await nodes({ doc: 'tag', page }, 'own'));
    expect([await text('tag-good'), await text('tag-bad')]).toEqual([
      expect.stringContaining('"text":"b"'),
      expect.stringContaining('"text":"a"'),
    ]);
  });
});

describe('a description in a specification', () => {
  it('does not block the event loop, even with hostile Markdown', async ({ organization, compute }) => {
    const description = '!['.repeat(30_000);
    const spec = await buildSpec(organization, { slug: 'hostile' });
    const hostile = {
      openapi: '3.1.0',
      tags: [{ name: 'a', description }],
      paths: { '/a': { get: { tags: ['a'] } } },
    };
    await buildSpecVersion(spec, {
      files: [{ filename: 'a.json', dir: '/', isEntrypoint: true, references: [], specification: hostile }],
    });
    const watch = watchThread();
    const { status, text } = await compute('document', ofSpec({ doc: 'tag', page: 'tag-a' }, 'hostile'));
    watch.stop();
    expect([status, text.includes(description)]).toEqual([200, true]);
    expect(watch.longestWorkMs()).toBeLessThan(bound(300));
  });
});

describe('a specification with 22,000 operations', () => {
  it('is read and computed while other requests are answered', async ({ organization, compute }) => {
    const methods = ['get', 'put'] as const;
    const operation = (path: number, method: string) => ({
      tags: [`tag-${path % 200}`],
      summary: `Operation ${path} ${method}`,
      description: 'Some words about it. '.repeat(20),
      responses: { 200: { $ref: '#/components/responses/ok' } },
    });
    const paths = Object.fromEntries(
      Array.from({ length: 11_000 }, (_, path) => [
        `/things/${path}`,
        Object.fromEntries(methods.map((method) => [method, operation(path, method)])),
      ]),
    );
    await buildSpecVersion(await buildSpec(organization, { slug: 'large' }), {
      files: [{ filename: 'a.json', dir: '/', isEntrypoint: true, references: [], specification: { paths } }],
    });
    // The thread that reads it has loaded its modules.
    await compute('revision', ofSpec({}));
    const watch = watchThread();
    const byTag = await compute('revision', ofSpec({}, 'large'));
    const { status, body } = await compute(
      'document',
      ofSpec({ doc: 'operations', page: 'tag-tag-7' }, 'large'),
    );
    watch.stop();
    expect([byTag.status, byTag.body.pages.length, status, body.nodes.length]).toEqual([200, 200, 200, 110]);
    expect(watch.longestWorkMs()).toBeLessThan(bound(200));

    const byOperation = await compute('revision', ofSpec({ grouping: 'by-operation' }, 'large'));
    expect(byOperation.body.pages[0].pages).toHaveLength(110);
  });
});

describe('a source that cannot be computed', () => {
  it('is refused with the reason', async ({ compute }) => {
    const translation = {
      type: 'builtin:translation',
      dependencies: { translation: { ref: { kind: 'translation', translation: 'x' } } },
    };
    const cases: [Promise<{ status: number; body: { error: { message: string } } }>, number, string][] = [
      [compute('document', ofSpec({ doc: 'models' }, 'unknown')), 400, 'names no specification'],
      [compute('revision', ofSpec({}, 'waiting')), 412, 'has no version yet'],
      [compute('document', ofSpec({ doc: 'operations', page: 'cats' })), 404, 'has nothing at cats'],
      [
        compute('document', ofSpec({ doc: 'operation', page: '/pets', method: 'put' })),
        404,
        'has nothing at put /pets',
      ],
      [compute('revision', { ...translation, props: {} }), 412, 'builtin:translation'],
      [
        compute('document', { ...translation, props: { space: 'a', document: 'b' } }),
        412,
        'builtin:translation',
      ],
      [compute('document', { type: 'integration:a:b', props: {} }), 412, 'integration:a:b'],
      [compute('document', { type: 'integration:a', props: {} }), 400, 'body.source'],
      [compute('document', ofSpec({ doc: 'operation', page: '/pets', method: 'fetch' })), 400, 'body.source'],
      [compute('revision', ofSpec({ models: 'yes' })), 400, 'body.source'],
    ];
    for (const [answer, status, words] of cases) {
      const { status: found, body } = await answer;
      expect([found, body.error.message]).toEqual([status, expect.stringContaining(words)]);
    }
  });

  it('is answered with 404 for a caller of another organization', async ({ compute }) => {
    const { admin } = await buildOrganization();
    expect((await compute('revision', ofSpec({}), { token: admin.token })).status).toBe(404);
  });
});
