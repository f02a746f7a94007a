import type { OrganizationRecord, SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../support/apiServer.ts';
import { buildMember, buildOrganization, buildSpace, buildSpec, buildSpecVersion, type TestUser } from '../support/factories.ts';

let api: TestApi;
let organization: OrganizationRecord;
let member: TestUser;
let space: SpaceRecord;

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

beforeAll(async () => {
  api = await startApi();
  ({ organization } = await buildOrganization());
  member = await buildMember(organization, 'read');
  space = await buildSpace(organization);
  await buildSpecVersion(await buildSpec(organization, { slug: 'pets' }), {
    files: [{ filename: 'pets.json', dir: '/', isEntrypoint: true, references: [], specification }],
  });
  await buildSpec(organization, { slug: 'waiting' });
});
afterAll(() => api.close());

const compute = (what: 'document' | 'revision', source: object, { seed = 's', token = member.token } = {}) =>
  api.call('POST', `/v1/spaces/${space._id}/content/computed/${what}`, { token, json: { source, seed } });
const ofSpec = (props: object, spec = 'pets') => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
});
const nodes = async (props: object) => (await compute('document', ofSpec(props))).body.nodes;

describe('the pages of a specification', () => {
  it('are one for each tag with operations, and one for the models', async () => {
    const { status, body } = await compute('revision', ofSpec({}));
    expect([status, body.files, body.reusableContents]).toEqual([200, [], []]);
    expect(
      body.pages.map(({ title, path, computed }: { title: string; path: string; computed: { props: object } }) => [
        title,
        path,
        computed.props,
      ]),
    ).toEqual([
      ['pets', 'pets', { doc: 'operations', page: 'pets' }],
      ['new', 'new', { doc: 'operations', page: 'new' }],
      ['Operations', 'operations', { doc: 'operations', page: 'Operations' }],
      ['Models', 'models', { doc: 'models' }],
    ]);
    expect(body.pages[0]).not.toHaveProperty('documentId');
    for (const { computed } of body.pages) expect((await compute('document', computed)).status).toBe(200);
  });

  it('are one for each operation on request, and have the same ids with the same seed', async () => {
    const { body } = await compute('revision', ofSpec({ models: false, grouping: 'by-operation' }));
    expect(body.pages[0]).toMatchObject({
      title: 'pets',
      computed: { props: { doc: 'tag', page: 'pets' } },
      pages: [
        { title: 'List pets', path: 'pets/list-pets', computed: { props: { doc: 'operation', page: '/pets', method: 'get' } } },
        { title: 'addPet', computed: { props: { doc: 'operation', page: '/pets', method: 'post', deprecated: true } } },
      ],
    });
    expect((await compute('revision', ofSpec({ models: false, grouping: 'by-operation' }))).body).toEqual(body);
    const other = (await compute('revision', ofSpec({ models: false, grouping: 'by-operation' }), { seed: 'other' })).body;
    expect(other.pages[0].id).not.toBe(body.pages[0].id);
  });
});

describe('the document of a page of a specification', () => {
  it('shows operations and models by reference', async () => {
    const ref = { kind: 'openapi', spec: 'pets' };
    expect(await nodes({ doc: 'operations', page: 'pets' })).toMatchObject([
      { type: 'paragraph' },
      { type: 'openapi-operation', data: { ref, path: '/pets', method: 'get' } },
      { type: 'openapi-operation', data: { ref, path: '/pets', method: 'post' } },
    ]);
    expect(await nodes({ doc: 'operation', page: '/health', method: 'get' })).toMatchObject([
      { data: { ref, path: '/health', method: 'get' } },
    ]);
    expect(await nodes({ doc: 'models' })).toMatchObject([{ type: 'openapi-schemas', data: { ref, schemas: ['Pet', 'Error'] } }]);
    for (const doc of ['tag', 'info']) expect(await nodes({ doc, page: 'pets' })).toMatchObject([{ type: 'paragraph' }]);
  });
});

describe('what cannot be computed', () => {
  it('is refused with the reason', async () => {
    const translation = { type: 'builtin:translation', dependencies: { translation: { ref: { kind: 'translation', translation: 'x' } } } };
    const cases: [Promise<{ status: number; body: { error: { message: string } } }>, number, string][] = [
      [compute('document', ofSpec({ doc: 'models' }, 'unknown')), 400, 'names no specification'],
      [compute('revision', ofSpec({}, 'waiting')), 412, 'has no version yet'],
      [compute('document', ofSpec({ doc: 'operations', page: 'cats' })), 404, 'has nothing at cats'],
      [compute('document', ofSpec({ doc: 'operation', page: '/pets', method: 'put' })), 404, 'has nothing at put /pets'],
      [compute('revision', { ...translation, props: {} }), 412, 'builtin:translation'],
      [compute('document', { ...translation, props: { space: 'a', document: 'b' } }), 412, 'builtin:translation'],
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

  it('is that of others', async () => {
    const { admin } = await buildOrganization();
    expect((await compute('revision', ofSpec({}), { token: admin.token })).status).toBe(404);
  });
});
