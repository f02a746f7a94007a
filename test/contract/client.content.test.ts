import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RevisionRecord, SpaceRecord } from '@bindery/models';
import { buildFile, buildRevision, buildSpace } from '../support/factories.ts';
import { startClient, type ClientHarness } from './clientHarness.ts';

let client: ClientHarness;
let space: SpaceRecord;
let revision: string;

beforeAll(async () => {
  client = await startClient();
  space = await buildSpace(client.organization, {
    gitSync: { provider: 'github', url: 'https://github.com/o/r/tree/main', repoName: 'r', updatedAt: new Date() },
    language: 'fr',
  });
  revision = (await buildContent())._id;
});
afterAll(() => client.close());

describe('the published client', () => {
  const inSpace = (...more: unknown[]) => [space._id, ...more];
  const inRevision = (...more: unknown[]) => [space._id, revision, ...more];
  const calls: Record<string, () => unknown[]> = {
    getApiInformation: () => [],
    getAuthenticatedUser: () => [],
    getUserById: () => [client.admin.user._id],
    createOrganization: () => [{ title: 'Another' }],
    listOrganizationsForAuthenticatedUser: () => [{ limit: 1 }],
    getOrganizationById: () => [client.organization._id],
    createSpace: () => [client.organization._id, { title: 'New', emoji: '1f680', language: 'de', editMode: 'locked' }],
    listSpacesInOrganizationById: () => [client.organization._id, { limit: 1 }],
    getSpaceById: () => inSpace({ shareKey: 'x' }),
    getSpaceGitInfo: () => inSpace(),
    importGitRepository: () => inSpace({ url: 'https://me:pw@git.example.org/r.git', ref: 'refs/heads/main', force: true }),
    getCurrentRevision: () => inSpace(),
    listPages: () => inSpace(),
    listFiles: () => inSpace({ limit: 1 }),
    getFileById: () => inSpace('picture1'),
    getPageById: () => inSpace('page1', { format: 'markdown' }),
    // The client does not encode the path: slashes arrive as slashes.
    getPageByPath: () => inSpace('guides/入門 a', { format: 'markdown' }),
    getRevisionById: () => inRevision({ metadata: false, computed: false }),
    listPagesInRevisionById: () => inRevision(),
    listFilesInRevisionById: () => inRevision(),
    getFileInRevisionById: () => inRevision('picture1'),
    getPageInRevisionById: () => inRevision('page1', { format: 'markdown' }),
    getPageInRevisionByPath: () => inRevision(encodeURIComponent('guides/入門 a')),
  };

  it.each(Object.keys(calls))('%s', async (operationId) => {
    await client.call(operationId, calls[operationId]?.());
    client.expectValid(operationId);
  });

  it('is told why it was refused', async () => {
    expect(await client.refused('getSpaceById', ['nothing'])).toMatchObject({ code: 404, message: expect.stringContaining('No space') });
    expect(await client.refused('getSpaceById', [space._id], { token: null })).toMatchObject({ code: 401 });
    client.expectValid('getSpaceById');
  });
});

async function buildContent(): Promise<RevisionRecord> {
  const picture = await buildFile(client.api.blobs, client.organization._id, {
    id: 'picture1',
    name: 'a picture (1).png',
    contentType: 'image/png',
    dimensions: { width: 2, height: 3 },
    git: { oid: 'a'.repeat(40), path: 'docs/a picture (1).png' },
  });
  const more = await buildFile(client.api.blobs, client.organization._id, { name: 'b.csv', contentType: 'text/csv', bytes: 'a,b' });
  return buildRevision(space, {
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
      { id: 'include1', title: 'Notice', document: 'd'.repeat(64), git: { oid: 'e'.repeat(40), path: '.gitbook/includes/notice.md' } },
    ],
    pages: [
      {
        title: 'Welcome',
        path: 'readme',
        slug: 'readme',
        id: 'page1',
        source: '---\ndescription: Hi\n---\n# Welcome\r\n\r\nHello\n',
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
            source: '# 入門',
            cover: { ref: { kind: 'file', file: 'picture1' }, yPos: 3, heightPixels: 300 },
            variables: [{ name: 'x', value: 'y' }],
            tags: [{ tag: 'new', primary: true }],
            layout: { width: 'wide' },
            condition: 'visitor.claims.a',
            hidden: true,
            pages: [{ title: 'Deep', path: 'guides/x/deep' }],
          },
          { type: 'link', title: 'Outside', target: { kind: 'url', url: 'https://example.org/a b' }, linkTitle: 'Out' },
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
}
