import { describe, expect } from 'vitest';
import { buildOrganization, buildSpec, buildSpecVersion } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { bound } from '../../support/machine.ts';
import { watchThread } from '../../support/content/watchThread.ts';

const specification = {
  openapi: '3.1.0',
  tags: [{ name: 'pets', description: 'About **pets**.' }, { name: 'unused' }],
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
      async (props: object) =>
        (await compute('document', ofSpec(props))).body.nodes,
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
      ['pets', 'pets', { doc: 'operations', page: 'pets' }],
      ['new', 'new', { doc: 'operations', page: 'new' }],
      ['Operations', 'operations', { doc: 'operations', page: 'Operations' }],
      ['Models', 'models', { doc: 'models' }],
    ]);
    expect(body.pages[0]).not.toHaveProperty('documentId');
    for (const { computed } of body.pages) expect((await compute('document', computed)).status).toBe(200);
  });

  it('are one for each operation on request, and have the same ids with the same seed', async ({
    compute,
  }) => {
    const { body } = await compute('revision', ofSpec({ models: false, grouping: 'by-operation' }));
    expect(body.pages[0]).toMatchObject({
      title: 'pets',
      computed: { props: { doc: 'tag', page: 'pets' } },
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
    expect(await nodes({ doc: 'operations', page: 'pets' })).toMatchObject([
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
    for (const doc of ['tag', 'info'])
      expect(await nodes({ doc, page: 'pets' })).toMatchObject([{ type: 'paragraph' }]);
  });
});

describe('a description in a specification', () => {
  it('keeps nobody waiting, whatever it is', async ({ organization, compute }) => {
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
    const { status, text } = await compute('document', ofSpec({ doc: 'tag', page: 'a' }, 'hostile'));
    watch.stop();
    expect([status, text.includes(description)]).toEqual([200, true]);
    expect(watch.longestWorkMs()).toBeLessThan(bound(300));
  });
});

describe('what cannot be computed', () => {
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

  it('is that of others', async ({ compute }) => {
    const { admin } = await buildOrganization();
    expect((await compute('revision', ofSpec({}), { token: admin.token })).status).toBe(404);
  });
});
