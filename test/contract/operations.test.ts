import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../apps/api/src/http/scope.ts';
import { routes } from '../../apps/api/src/routes.ts';

type Operation = {
  group: string;
  method: string;
  path: string;
  operationId: string;
  success: number;
  list: boolean;
  deprecated: boolean;
  permission: string;
};

/** The documented operations: method, path, id, status and permission. */
const operations: Operation[] = JSON.parse(readFileSync(new URL('operations.json', import.meta.url), 'utf8'));

/** Operations next to the documented ones, each with the reason why it exists. */
const ours: Record<string, string> = {
  getApiInformation: 'clients ask for the version',
  getAuthenticatedUser: 'clients ask who they are',
  getUserById: '`urls.location` of a user leads here',
  createOrganization: 'nothing else makes one',
  getPageByPath: 'readers know paths, not ids',
  getRevisionById: 'revisions that are not the main content are read by id',
  listPagesInRevisionById: 'as above',
  listFilesInRevisionById: 'as above',
  getFileInRevisionById: 'as above',
  getPageInRevisionById: 'as above',
  getPageInRevisionByPath: 'as above',
  getJobById: 'long work is a job',
  streamJobEvents: 'and can be followed',
  cancelJob: 'and stopped',
  retryJob: 'and run again',
  listJobsInOrganizationById: 'and found',
  replayJobsInOrganizationById: 'also many at once',
};

/** Groups of which operations are still missing. A group leaves this list when its last operation is mounted, and the list goes with the last group. */
const unfinishedGroups = new Set([
  'change-request-comments',
  'change-request-content',
  'change-requests',
  'collections',
  'git',
  'members',
  'openapi',
  'organizations',
  'site-section-groups',
  'site-sections',
  'site-spaces',
  'sites',
  'space-comments',
  'space-content',
  'spaces',
  'sso',
  'team-members',
  'teams',
  'translations',
]);

const mounted = new Map(routes.map((route) => [route.spec.operationId, route]));

/** Names of path parameters are not part of a path: `latest` and `{versionId}` are. */
const keyOf = (method: string, path: string) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}|[:*]\w+/g, '{}')}`;

describe('the documented operations', () => {
  it.each(operations.filter(({ operationId }) => mounted.has(operationId)))('$operationId is mounted as documented', (operation) => {
    const route = mounted.get(operation.operationId) as Route;
    expect(keyOf(route.method, `/v1${route.path}`)).toBe(keyOf(operation.method, operation.path));
    expect(route.spec.status ?? (route.kind === 'delete' || !route.spec.response ? 204 : 200)).toBe(operation.success);
    expect(route.kind === 'list').toBe(operation.list);
    expect(route.kind === 'delete').toBe(operation.method === 'DELETE');
    expect(route.spec.permission).toBe(operation.permission);
    expect(route.spec.deprecated ?? false).toBe(operation.deprecated);
    expect(route.admits).not.toBe('everyone');
  });

  it.each([...new Set(operations.map(({ group }) => group))])('of %s are all there, or the group is known to be unfinished', (group) => {
    const missing = operations
      .filter((operation) => operation.group === group && !mounted.has(operation.operationId))
      .map(({ operationId }) => operationId);
    if (unfinishedGroups.has(group)) expect(missing.length, `${group} is complete: take it out of unfinishedGroups`).toBeGreaterThan(0);
    else expect(missing).toEqual([]);
  });

  it('are not mounted under another id', () => {
    const documented = new Map(operations.map(({ method, path, operationId }) => [keyOf(method, path), operationId]));
    for (const { method, path, spec } of routes)
      expect([spec.operationId, documented.get(keyOf(method, `/v1${path}`)) ?? spec.operationId]).toEqual([
        spec.operationId,
        spec.operationId,
      ]);
  });
});

it('operations that are not documented are named, with a reason', () => {
  const documented = new Set(operations.map(({ operationId }) => operationId));
  const added = [...mounted.keys()].filter((operationId) => !documented.has(operationId));
  expect(added.toSorted()).toEqual(Object.keys(ours).toSorted());
});
