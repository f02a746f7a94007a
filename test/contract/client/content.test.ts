import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildFile,
  buildReusableContent,
  buildRevision,
  buildSpace,
  buildSpec,
  buildSpecVersion,
} from '../../support/factories.ts';
import { it as base, type ClientHarness } from './clientHarness.ts';

type Content = Awaited<ReturnType<typeof buildContent>>;

const it = base.extend('content', { scope: 'file' }, ({ client }) => buildContent(client));

describe('the published client', () => {
  const computed = {
    type: 'builtin:openapi',
    dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
  };
  const calls: Record<string, (content: Content) => unknown[]> = {
    getApiInformation: () => [],
    getAuthenticatedUser: () => [],
    getUserById: ({ admin }) => [admin.user._id],
    createOrganization: () => [{ title: 'Another' }],
    listOrganizationsForAuthenticatedUser: () => [{ limit: 1 }],
    getOrganizationById: ({ organization }) => [organization._id],
    createSpace: ({ organization }) => [
      organization._id,
      { title: 'New', emoji: '1f680', language: 'de', editMode: 'locked' },
    ],
    listSpacesInOrganizationById: ({ organization }) => [organization._id, { limit: 1 }],
    getSpaceById: ({ inSpace }) => inSpace({ shareKey: 'x' }),
    getSpaceGitInfo: ({ inSpace }) => inSpace(),
    importGitRepository: ({ inSpace }) =>
      inSpace({ url: 'https://me:pw@git.example.org/r.git', ref: 'refs/heads/main', force: true }),
    exportToGitRepository: ({ inSpace }) =>
      inSpace({ url: 'https://git.example.org/r.git', ref: 'refs/heads/main', commitMessage: 'Words' }),
    getCurrentRevision: ({ inSpace }) => inSpace(),
    listPages: ({ inSpace }) => inSpace(),
    listFiles: ({ inSpace }) => inSpace({ limit: 1 }),
    getFileById: ({ inSpace }) => inSpace('picture1'),
    getPageById: ({ inSpace }) => inSpace('page1', { format: 'markdown' }),
    // The client does not encode the path: slashes arrive as slashes.
    getPageByPath: ({ inSpace }) => inSpace('guides/入門 a', { format: 'markdown' }),
    getRevisionById: ({ inRevision }) => inRevision({ metadata: false, computed: false }),
    listPagesInRevisionById: ({ inRevision }) => inRevision(),
    listFilesInRevisionById: ({ inRevision }) => inRevision(),
    getFileInRevisionById: ({ inRevision }) => inRevision('picture1'),
    getPageInRevisionById: ({ inRevision }) => inRevision('page1', { format: 'markdown' }),
    getPageInRevisionByPath: ({ inRevision }) => inRevision(encodeURIComponent('guides/入門 a')),
    getRevisionOfChangeRequestById: ({ inChangeRequest }) => inChangeRequest(),
    listPagesInChangeRequest: ({ inChangeRequest }) => inChangeRequest({ metadata: false }),
    listFilesInChangeRequestById: ({ inChangeRequest }) => inChangeRequest({ limit: 1 }),
    getFileInChangeRequestById: ({ inChangeRequest }) => inChangeRequest('picture1'),
    getPageInChangeRequestById: ({ inChangeRequest }) => inChangeRequest('page1', { format: 'document' }),
    getPageInChangeRequestByPath: ({ inChangeRequest }) => inChangeRequest('readme', { format: 'document' }),
    getPageDocumentInRevisionById: ({ inRevision }) =>
      inRevision('page1', { evaluated: 'deterministic-only', dereferenced: 'reusable-contents' }),
    getDocumentById: ({ inSpace, documentId }) => inSpace(documentId, { schema: 'next' }),
    getReusableContentById: ({ inSpace }) => inSpace('include1'),
    getReusableContentInChangeRequestById: ({ inChangeRequest }) =>
      inChangeRequest('include1', { metadata: false }),
    getReusableContentInRevisionById: ({ inRevision }) => inRevision('include1'),
    getReusableContentDocumentInRevisionById: ({ inRevision }) => inRevision('include1', { evaluated: true }),
    listSpacePageMetaLinks: ({ inSpace }) => inSpace('page1'),
    listChangeRequestPageMetaLinks: ({ inChangeRequest }) => inChangeRequest('page2'),
    listRevisionPageMetaLinks: ({ inRevision }) => inRevision('page2'),
    getComputedRevision: ({ inSpace }) =>
      inSpace({ source: { ...computed, props: { models: true } }, seed: 's' }),
    getComputedDocument: ({ inSpace }) =>
      inSpace({ source: { ...computed, props: { doc: 'operations', page: 'tag-pets' } }, seed: 's' }),
  };

  it.for(Object.keys(calls))('%s', async (operationId, { client, content }) => {
    await client.call(operationId, calls[operationId]?.(content));
    client.expectValid(operationId);
  });

  it('gets pages and documents with all combinations of query parameters', async ({
    client,
    content: { inSpace },
  }) => {
    for (const format of ['document', 'markdown'])
      for (const evaluated of [true, false, 'deterministic-only'])
        for (const dereferenced of [true, false, 'reusable-contents'])
          for (const refs of ['relative', 'stable']) {
            const query = {
              format,
              evaluated,
              dereferenced,
              'format.markdown.refs': refs,
              metadata: false,
              computed: false,
            };
            const { data } = await client.call('getPageById', inSpace('page1', query));
            expect(Object.hasOwn(data, 'markdown')).toBe(format === 'markdown');
            expect(Object.hasOwn(data, 'document')).toBe(format === 'document');
            await client.call('getPageByPath', inSpace('readme', { ...query, cachedMetadata: true }));
          }
    client.expectValid('getPageById', 'getPageByPath');
    const models = await client.call(
      'getComputedDocument',
      inSpace({ source: { ...computed, props: { doc: 'models' } }, seed: 's' }),
    );
    expect(models.data.nodes).toMatchObject([{ type: 'openapi-schemas', data: { schemas: ['Pet'] } }]);
    client.expectValid('getComputedDocument');
  });

  it('gets the declared errors', async ({ client, content: { space } }) => {
    expect(await client.refused('getSpaceById', ['nothing'])).toMatchObject({
      code: 404,
      message: expect.stringContaining('No space'),
    });
    expect(await client.refused('getSpaceById', [space._id], { token: null })).toMatchObject({ code: 401 });
    client.expectValid('getSpaceById');
  });
});

const petstore = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  tags: [{ name: 'pets', description: 'All about **pets**.' }],
  paths: {
    '/pets': {
      get: { tags: ['pets'], summary: 'List pets' },
      post: { tags: ['pets'], operationId: 'addPet' },
    },
  },
  components: { schemas: { Pet: { type: 'object' } } },
};

/** A space with something of each kind of content, and what the operations take to read it. */
async function buildContent({ api, organization, admin }: ClientHarness) {
  const space = await buildSpace(organization, {
    gitSync: {
      provider: 'github',
      url: 'https://github.com/o/r/tree/main',
      repoName: 'r',
      updatedAt: new Date(),
    },
    language: 'fr',
  });
  const picture = await buildFile(api.blobs, organization._id, {
    id: 'picture1',
    name: 'a picture (1).png',
    contentType: 'image/png',
    dimensions: { width: 2, height: 3 },
    git: { oid: 'a'.repeat(40), path: 'docs/a picture (1).png' },
  });
  const more = await buildFile(api.blobs, organization._id, {
    name: 'b.csv',
    contentType: 'text/csv',
    bytes: 'a,b',
  });
  const { _id: revision } = await buildRevision(space, {
    files: [picture, more],
    variables: [
      { name: 'version', value: '1.0' },
      { name: 'count', value: 3 },
    ],
    git: {
      oid: 'c'.repeat(40),
      message: 'Write it',
      createdByDocs: false,
      url: 'https://github.com/o/r/commit/c',
      ref: 'refs/heads/main',
      projectDirectory: '',
    },
    reusableContents: [
      await buildReusableContent(organization._id, {
        id: 'include1',
        source: '---\ntitle: Notice\n---\n\nSee [the start](../../README.md).\n',
        git: { oid: 'e'.repeat(40), path: '.gitbook/includes/notice.md' },
      }),
    ],
    pages: [
      {
        title: 'Welcome',
        path: 'readme',
        slug: 'readme',
        id: 'page1',
        source:
          '---\ndescription: Hi\n---\n# Welcome\r\n\r\nHello [next](guides/x/deep.md)\n\n{% include ".gitbook/includes/notice.md" %}\n\n' +
          '{% if visitor.claims.a %}\nOnly a\n{% endif %}\n\n![](docs/a%20picture%20(1).png)\n',
        description: 'Hi',
        icon: 'gear',
        git: { oid: 'b'.repeat(40), path: 'README.md' },
      },
      {
        type: 'group',
        title: 'Guides',
        path: 'guides',
        pages: [
          {
            title: '入門',
            slug: '入門',
            path: 'guides/入門 a',
            emoji: '1f4d6',
            id: 'page2',
            source:
              '---\nmetaLinks:\n  canonical: https://example.org/a\n  alternates:\n    - ../README.md\n---\n# 入門',
            cover: { ref: { kind: 'file', file: 'picture1' }, yPos: 3, heightPixels: 300 },
            variables: [{ name: 'x', value: 'y' }],
            tags: [{ tag: 'new', primary: true }],
            layout: { width: 'wide' },
            condition: 'visitor.claims.a',
            hidden: true,
            pages: [{ title: 'Deep', path: 'guides/x/deep' }],
          },
          {
            type: 'link',
            title: 'Outside',
            target: { kind: 'url', url: 'https://example.org/a b' },
            linkTitle: 'Out',
          },
          { type: 'link', title: 'Inside', target: { kind: 'anchor', anchor: 'a b', page: 'page1' } },
          {
            type: 'computed',
            title: 'API',
            computed: {
              type: 'builtin:openapi',
              props: { models: true },
              dependencies: { spec: { ref: { kind: 'openapi', spec: 'petstore' } } },
            },
          },
        ],
      },
    ],
  });
  const { _id: changeRequest } = await buildChangeRequest(space);
  const page = await api.call('GET', `/v1/spaces/${space._id}/content/page/page1`, { token: admin.token });
  await buildSpecVersion(await buildSpec(organization, { slug: 'petstore' }), {
    files: [
      { filename: 'petstore.json', dir: '/', isEntrypoint: true, references: [], specification: petstore },
    ],
  });
  return {
    organization,
    admin,
    space,
    documentId: page.body.documentId as string,
    inSpace: (...more: unknown[]) => [space._id, ...more],
    inRevision: (...more: unknown[]) => [space._id, revision, ...more],
    inChangeRequest: (...more: unknown[]) => [space._id, changeRequest, ...more],
  };
}
