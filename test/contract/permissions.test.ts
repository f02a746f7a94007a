import type { Role } from '@bindery/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../apps/api/src/http/scope.ts';
import { routes } from '../../apps/api/src/routes.ts';
import { startApi, type TestApi } from '../support/apiServer.ts';
import { buildFile, buildJob, buildMember, buildOrganization, buildRevision, buildSpace } from '../support/factories.ts';

// Every mounted operation, called by everybody there is. What each may do stands here once more, by hand: as the contract says it,
// not as the code does.

type Caller = Role | 'guest' | 'outsider' | 'nobody';
const callers: Caller[] = ['admin', 'create', 'review', 'edit', 'comment', 'read', 'guest', 'outsider', 'nobody'];

/** From most to least. A guest is a member without a role, an outsider is the admin of another organization. */
const rank = (caller: Caller) => callers.length - callers.indexOf(caller);

/** The least that each permission takes. */
const needed: Record<string, Caller> = {
  public: 'nobody',
  token: 'outsider',
  'organization.view': 'guest',
  'organization.createContent': 'create',
  'organization.admin': 'admin',
  'user.view': 'guest',
  'space.view': 'read',
  'space.triggerGitSync': 'create',
  'job.view': 'read',
  // Of a git import: what starting it takes.
  'job.control': 'create',
};

/** Who sees that there is something at all; for others it is 404. */
const seenBy: [prefix: string, least: Caller][] = [
  ['/users/:userId', 'guest'],
  ['/orgs/:organizationId', 'guest'],
  ['/spaces/:spaceId', 'read'],
  ['/jobs/:jobId', 'read'],
];

let api: TestApi;
const tokens: Partial<Record<Caller, string>> = {};
const ids: Record<string, string> = {};

beforeAll(async () => {
  api = await startApi();
  const { organization, admin } = await buildOrganization();
  tokens.admin = admin.token;
  ids['userId'] = admin.user._id;
  for (const role of ['create', 'review', 'edit', 'comment', 'read'] as const) tokens[role] = (await buildMember(organization, role)).token;
  tokens.guest = (await buildMember(organization, null)).token;
  tokens.outsider = (await buildOrganization()).admin.token;
  const space = await buildSpace(organization, { gitSync: { provider: 'github', updatedAt: new Date() } });
  const file = await buildFile(api.blobs, organization._id);
  const revision = await buildRevision(space, { pages: [{ id: 'page1', path: 'page', source: '# Page' }], files: [file] });
  // Ended, so that its events end too.
  const job = await buildJob(space, { state: 'failed' });
  Object.assign(ids, {
    organizationId: organization._id,
    spaceId: space._id,
    revisionId: revision._id,
    fileId: file.id,
    pageId: 'page1',
    pagePath: 'page',
    jobId: job._id,
  });
});
afterAll(() => api.close());

function urlOf({ path, spec }: Route): string {
  return `/v1${path.replaceAll(/[:*](\w+)/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`${spec.operationId} has the parameter ${name}: give it a value in \`ids\`.`);
    return id;
  })}`;
}

function expectedStatus(route: Route, caller: Caller): number | 'allowed' {
  const least = needed[route.spec.permission];
  if (!least) throw new Error(`${route.spec.operationId} needs ${route.spec.permission}: say in \`needed\` who has that.`);
  if (rank(caller) >= rank(least)) return 'allowed';
  if (caller === 'nobody') return 401;
  const [, visible] = seenBy.find(([prefix]) => route.path.startsWith(prefix)) ?? ['', 'outsider' as const];
  return rank(caller) >= rank(visible) ? 403 : 404;
}

describe.each(routes.map((route) => [route.spec.operationId, route] as const))('%s', (_name, route) => {
  it.each(callers)('called by %s', async (caller) => {
    // Nothing shall happen: who may do it is told that this is no body.
    const isRead = route.method === 'get';
    const { status, body, headers } = await api.call(route.method.toUpperCase(), urlOf(route), {
      token: tokens[caller] ?? null,
      ...(!isRead && { json: [] }),
    });
    const expected = expectedStatus(route, caller);
    if (expected === 'allowed') {
      expect(status, JSON.stringify(body)).toBe(isRead ? 200 : 400);
      return;
    }
    expect([status, body.error.code]).toEqual([expected, expected]);
    if (status === 401) expect(headers.get('www-authenticate')).toBe('Bearer');
    if (status === 403) expect(body.error.message).toContain(route.spec.permission);
  });
});

it('an id in a path leads only to what belongs to its parents', async () => {
  const { organization, admin } = await buildOrganization();
  const space = await buildSpace(organization);
  for (const route of routes.filter(({ path }) => /^\/spaces\/:spaceId\/.*[:*]/.test(path))) {
    const url = urlOf(route).replace(ids['spaceId'] ?? '', space._id);
    const isRead = route.method === 'get';
    expect([
      route.spec.operationId,
      (await api.call(route.method.toUpperCase(), url, { token: admin.token, ...(!isRead && { json: {} }) })).status,
    ]).toEqual([route.spec.operationId, 404]);
  }
});

it('every path answers another method with 405 and says which it takes', async () => {
  for (const [path, all] of Map.groupBy(routes, (route) => urlOf(route))) {
    const { status, headers } = await api.call('PROPFIND', path, { token: tokens.admin ?? null });
    expect([path, status]).toEqual([path, 405]);
    const allowed = headers.get('allow') ?? '';
    for (const { method } of all) expect(allowed).toContain(method.toUpperCase());
  }
});
