import { GitBookAPI, GitBookAPIError } from '@gitbook/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OrganizationRecord, RevisionRecord, SpaceRecord } from '@bindery/models';
import { startApi, type TestApi } from '../support/apiServer.ts';
import { buildFile, buildOrganization, buildRevision, buildSpace, type TestUser } from '../support/factories.ts';
import { officialSchemas } from '../support/officialSchemas.ts';

// The published client talks to our server, and every answer is checked against its own description of the API.

// Its types import each other without endings, which this compiler cannot follow.
type Group = '' | 'orgs' | 'spaces' | 'user' | 'users';
type Method = (...parameters: unknown[]) => Promise<{ data: unknown }>;

let api: TestApi;
let client: GitBookAPI;
let admin: TestUser;
let organization: OrganizationRecord;
let space: SpaceRecord;
let revision: string;
const official = officialSchemas();
const answers = new Map<string, { status: number; problem: string | undefined }[]>();

beforeAll(async () => {
  api = await startApi({
    onAnswer: ({ spec: { operationId } }, { status, body }) => {
      if (!official.has(operationId)) return;
      const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
      answers.set(operationId, [...(answers.get(operationId) ?? []), { status, problem: official.problemsOf(operationId, status, sent) }]);
    },
  });
  ({ organization, admin } = await buildOrganization());
  client = new GitBookAPI({ endpoint: api.origin, authToken: admin.token });
  space = await buildSpace(organization, {
    gitSync: { provider: 'github', url: 'https://github.com/o/r/tree/main', repoName: 'r', updatedAt: new Date() },
    language: 'fr',
  });
  revision = (await buildContent())._id;
});

afterAll(async () => {
  const rows = [...answers].map(([operation, all]) => ({
    operation,
    status: [...new Set(all.map(({ status }) => status))].join(' '),
    answers: all.length,
    valid: all.every(({ problem }) => !problem),
  }));
  console.table(rows);
  await api.close();
});

async function call(group: Group, operationId: string, parameters: unknown[]): Promise<{ data: unknown }> {
  const methods = client as unknown as Record<string, unknown>;
  const owner = (group === '' ? methods : methods[group]) as Record<string, Method>;
  const method = owner[operationId];
  if (!method) throw new Error(`The client has no ${group}.${operationId}.`);
  return method.apply(owner, parameters);
}

async function buildContent(): Promise<RevisionRecord> {
  const picture = await buildFile(api.blobs, organization._id, {
    id: 'picture1',
    name: 'a picture (1).png',
    contentType: 'image/png',
    dimensions: { width: 2, height: 3 },
    git: { oid: 'a'.repeat(40), path: 'docs/a picture (1).png' },
  });
  const more = await buildFile(api.blobs, organization._id, { name: 'b.csv', contentType: 'text/csv', bytes: 'a,b' });
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

describe('the published client', () => {
  const inSpace = (...more: unknown[]) => [space._id, ...more];
  const inRevision = (...more: unknown[]) => [space._id, revision, ...more];
  const calls: Record<string, [group: Group, parameters: () => unknown[]]> = {
    getApiInformation: ['', () => []],
    getAuthenticatedUser: ['user', () => []],
    getUserById: ['users', () => [admin.user._id]],
    createOrganization: ['orgs', () => [{ title: 'Another' }]],
    listOrganizationsForAuthenticatedUser: ['orgs', () => [{ limit: 1 }]],
    getOrganizationById: ['orgs', () => [organization._id]],
    createSpace: ['orgs', () => [organization._id, { title: 'New', emoji: '1f680', language: 'de', editMode: 'locked' }]],
    listSpacesInOrganizationById: ['orgs', () => [organization._id, { limit: 1 }]],
    getSpaceById: ['spaces', () => inSpace({ shareKey: 'x' })],
    getSpaceGitInfo: ['spaces', () => inSpace()],
    importGitRepository: ['spaces', () => inSpace({ url: 'https://me:pw@git.example.org/r.git', ref: 'refs/heads/main', force: true })],
    getCurrentRevision: ['spaces', () => inSpace()],
    listPages: ['spaces', () => inSpace()],
    listFiles: ['spaces', () => inSpace({ limit: 1 })],
    getFileById: ['spaces', () => inSpace('picture1')],
    getPageById: ['spaces', () => inSpace('page1', { format: 'markdown' })],
    // The client does not encode the path: slashes arrive as slashes.
    getPageByPath: ['spaces', () => inSpace('guides/入門 a', { format: 'markdown' })],
    getRevisionById: ['spaces', () => inRevision({ metadata: false, computed: false })],
    listPagesInRevisionById: ['spaces', () => inRevision()],
    listFilesInRevisionById: ['spaces', () => inRevision()],
    getFileInRevisionById: ['spaces', () => inRevision('picture1')],
    getPageInRevisionById: ['spaces', () => inRevision('page1', { format: 'markdown' })],
    getPageInRevisionByPath: ['spaces', () => inRevision(encodeURIComponent('guides/入門 a'))],
  };

  it.each(Object.keys(calls))('%s', async (operationId) => {
    const [group, parameters] = calls[operationId] ?? ['', () => []];
    const response = await call(group, operationId, parameters());
    const seen = answers.get(operationId) ?? [];
    expect(seen.length).toBeGreaterThan(0);
    for (const { problem } of seen)
      expect(problem, `${operationId}:\n${problem}\n${JSON.stringify(response.data).slice(0, 3000)}`).toBeUndefined();
  });

  it('is told why it was refused', async () => {
    await expect(call('spaces', 'getSpaceById', ['nothing'])).rejects.toThrow(GitBookAPIError);
    await expect(call('spaces', 'getSpaceById', ['nothing'])).rejects.toMatchObject({
      code: 404,
      errorMessage: expect.stringContaining('No space'),
    });
  });
});
