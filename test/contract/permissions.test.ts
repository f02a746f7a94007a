import type { Role } from '@bindery/contract';
import {
  Collection,
  refreshAccess,
  Space,
  withTransaction,
  type CollectionRecord,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import { describe, expect } from 'vitest';
import type { Route } from '../../apps/api/src/http/scope.ts';
import { permissionTable } from '../../apps/api/src/permissionTable.ts';
import { routes } from '../../apps/api/src/routes.ts';
import type { TestApi } from '../support/apiServer.ts';
import { buildGrant, buildMember, buildOrganization, type TestUser } from '../support/factories.ts';
import { it as base } from '../support/it.ts';
import { oplogPosition, writesSince } from '../support/stores/oplog.ts';
import { buildWorld, fill, isShared, placesOf, type World } from '../support/world.ts';

// Every mounted operation, called by everybody there is. The permissions of each stand here once more, by
// hand: as the contract says them, not as the code does. The objects are those of test/support/world.ts.

type Caller = Role | 'guest' | 'outsider' | 'nobody';
const callers: Caller[] = [
  'admin',
  'create',
  'review',
  'edit',
  'comment',
  'read',
  'guest',
  'outsider',
  'nobody',
];

/**
 * From most to least. A guest is a member without a role, an outsider is the admin of another organization.
 */
const rank = (caller: Caller) => callers.length - callers.indexOf(caller);

/** The least that each permission takes. */
const needed: Record<string, Caller> = {
  public: 'nobody',
  token: 'outsider',
  'user.view': 'guest',
  // The admin is looked at; otherwise it is everybody, of themselves.
  'user.edit': 'admin',
  'organization.view': 'guest',
  'organization.listMembers': 'guest',
  'organization.listTeams': 'guest',
  'organization.createContent': 'create',
  'organization.createOpenAPISpec': 'create',
  'organization.admin': 'admin',
  'member.remove': 'admin',
  // The role that may start an import into some space.
  'git.import': 'create',
  'team.view': 'guest',
  'team.admin': 'admin',
  'collection.view': 'read',
  'collection.create': 'create',
  'collection.admin': 'admin',
  'space.view': 'read',
  'space.comment': 'comment',
  'space.edit': 'edit',
  'space.review': 'review',
  'space.merge': 'review',
  'space.triggerGitSync': 'create',
  'space.viewInviteLinks': 'create',
  'space.admin': 'admin',
  'comment.view': 'read',
  'comment.reply': 'comment',
  // The admin wrote all of them; otherwise its author may too.
  'comment.edit': 'admin',
  'comment.delete': 'admin',
  'reply.view': 'read',
  'reply.edit': 'admin',
  'reply.delete': 'admin',
  // Requested reviewers need only `comment`.
  'changeRequest.review': 'review',
  'site.view': 'read',
  'site.access': 'read',
  'site.viewAdaptiveSchema': 'read',
  'site.edit': 'create',
  'site.create': 'create',
  'site.admin': 'admin',
  'site.editAdaptiveSchema': 'admin',
  'translation.view': 'read',
  'translation.edit': 'create',
  'openapi.view': 'read',
  'openapi.edit': 'create',
  'job.view': 'read',
  // Of a git import: what starting it takes.
  'job.control': 'create',
};

/**
 * The lowest caller that sees an object at a place; lower ones get 404. The same holds for places below that
 * do not stand here.
 */
const seenBy: Record<string, Caller> = {
  '/users/:userId': 'guest',
  '/user/tokens/:tokenId': 'admin',
  '/email-domains/:emailDomain': 'outsider',
  '/orgs/:organizationId': 'guest',
  '/org/:organizationId': 'guest',
  '/org/:organizationId/imports/:importRunId': 'read',
  '/orgs/:organizationId/sites/:siteId': 'read',
  '/custom-hostnames/:hostname': 'read',
  '/collections/:collectionId': 'read',
  '/spaces/:spaceId': 'read',
  '/orgs/:organizationId/translations/:translationId': 'read',
  '/orgs/:organizationId/translations-glossary/:glossaryEntryId': 'read',
  '/orgs/:organizationId/openapi/:specSlug': 'read',
  '/jobs/:jobId': 'read',
  '/openapi/:specId': 'nobody',
};

/** Where the command looks at more than the route's permission, also without a body. */
const neededBy: Record<string, Caller> = {
  // The space that the URL names has to be visible.
  getContentByUrl: 'read',
  // Guests see nothing of the glossary.
  getGlossaryEntry: 'read',
  // The role that may start the import.
  cancelImportRun: 'edit',
  // Everybody may leave; this is about somebody else.
  removeMemberFromOrganizationById: 'admin',
  createOrUpdateOpenAPISpecBySlug: 'create',
  duplicateSpace: 'create',
  // Guests need the permission to edit something.
  generateStorageUploadURL: 'read',
};

/** The path may name an object that is not there: the answer does not tell. */
const mayMake = new Set(['createOrUpdateOpenAPISpecBySlug']);

/** Where a signature decides instead of a token. */
const signed = new Set(['receiveGitHookEvent']);
const withTokens = routes.filter(({ spec }) => !signed.has(spec.operationId));

/** Objects that a query or a body names are as hidden as those in a path. */
const hiddenFrom: Record<string, Caller> = { getContentByUrl: 'guest' };

/** The status for a permitted caller, where it is neither 200 nor the 400 for an invalid body. */
const answers: Record<string, number> = {
  // No worker makes PDFs here.
  getSpacePDF: 503,
  getChangeRequestPDF: 503,
  // Nothing was moved there.
  getSiteRedirectBySource: 404,
  // Takes files, not JSON.
  importTranslation: 415,
};

/** The required query of a read. */
const queries: Record<string, (scene: { api: TestApi; world: World }) => Record<string, string>> = {
  getContentByUrl: ({ api, world }) => ({
    url: `${api.config.api.appUrl}/s/${world.places['/spaces/:spaceId']}`,
  }),
  getEmbedByUrl: () => ({ url: 'https://example.org/page' }),
  getEmbedByUrlInSpace: () => ({ url: 'https://example.org/page' }),
  getSiteRedirectBySource: () => ({ source: '/nowhere' }),
  exportTranslationMemory: () => ({ source: 'en', target: 'es' }),
  searchSpaceContent: () => ({ query: 'word' }),
  searchOrganizationContent: () => ({ query: 'word' }),
};

const it = base
  .extend('world', { scope: 'file' }, ({ api }) =>
    buildWorld(
      api,
      routes.map(({ path }) => path),
    ),
  )
  .extend('tokens', { scope: 'file' }, async ({ world }) => {
    const tokens: Partial<Record<Caller, string>> = { admin: world.admin.token };
    for (const role of ['create', 'review', 'edit', 'comment', 'read'] as const)
      tokens[role] = (await buildMember(world.organization, role)).token;
    tokens.guest = (await buildMember(world.organization, null)).token;
    tokens.outsider = (await buildOrganization()).admin.token;
    return tokens;
  })
  /** A DELETE that will be done takes an object of its own. */
  .extend('urlFor', ({ api, world }) => async (route: Route, willDelete: boolean): Promise<string> => {
    const own = placesOf(route.path).at(-1);
    const query = new URLSearchParams(queries[route.spec.operationId]?.({ api, world })).toString();
    if (!willDelete || own === undefined || own !== route.path)
      return `/v1${fill(route.path, world.places)}?${query}`;
    return `/v1${fill(route.path, { ...world.places, [own]: await world.make(own) })}`;
  })
  /** The content token of a visitor of the site, and places that the site does not show. */
  .extend('visit', { scope: 'file' }, async ({ api, world }) => {
    const site = `/v1${fill('/orgs/:organizationId/sites/:siteId', world.places)}`;
    const ask = async (path: string, json: unknown) =>
      (await api.call('POST', path, { token: world.admin.token, json })).body;
    await ask(`${site}/site-spaces`, { spaceId: world.places['/spaces/:spaceId'] });
    const { urls } = await ask(`${site}/publish`, {});
    const found = await ask('/v1/urls/published', { url: urls.published });
    return { token: found.apiToken as string, elsewhere: await world.makeTwin() };
  });

function expectedStatus(route: Route, caller: Caller): number {
  const least = neededBy[route.spec.operationId] ?? needed[route.spec.permission];
  if (!least)
    throw new Error(
      `${route.spec.operationId} needs ${route.spec.permission}: say in \`needed\` who has that.`,
    );
  if (rank(caller) >= rank(least)) {
    if (route.kind === 'delete') return 204;
    return answers[route.spec.operationId] ?? (route.method === 'get' ? 200 : 400);
  }
  if (caller === 'nobody') return 401;
  const hidden = hiddenFrom[route.spec.operationId];
  if (hidden && rank(caller) <= rank(hidden)) return 404;
  const places = placesOf(route.path);
  if (mayMake.has(route.spec.operationId)) places.pop();
  const own = route.kind === 'delete' && route.path === places.at(-1) ? places.pop() : undefined;
  const sees = (place: string): boolean => {
    const above = placesOf(place).findLast((name) => seenBy[name]);
    if (!above) throw new Error(`Say in \`seenBy\` who sees ${place}.`);
    return rank(caller) >= rank(seenBy[above] as Caller);
  };
  if (!places.every(sees)) return 404;
  // A DELETE does not tell that there is something, and deletes nothing.
  return own && !sees(own) ? 204 : 403;
}

describe('permissions by role', () => {
  it.for(withTokens.map((route) => [route.spec.operationId, route] as const))(
    '%s',
    { timeout: 60_000 },
    async ([operationId, route], { api, tokens, urlFor }) => {
      const isRead = route.method === 'get';
      const least = neededBy[operationId] ?? needed[route.spec.permission] ?? 'nobody';
      const isAllowed = (caller: Caller) => rank(caller) >= rank(least);
      const found: Partial<Record<Caller, number>> = {};
      const ask = async (caller: Caller): Promise<void> => {
        const url = await urlFor(route, route.kind === 'delete' && isAllowed(caller));
        // Nothing shall happen: who may do it is told that this is no body.
        const { status, body, headers } = await api.call(route.method.toUpperCase(), url, {
          token: tokens[caller] ?? null,
          ...(!isRead && route.kind !== 'delete' && { json: [] }),
        });
        found[caller] = status;
        if (status === 401) expect(headers.get('www-authenticate')).toBe('Bearer');
        if (status === 403 && !neededBy[operationId])
          expect(body.error.message).toContain(route.spec.permission);
      };
      const before = await oplogPosition();
      for (const caller of callers.filter((name) => !isAllowed(name))) await ask(caller);
      if (!isRead)
        expect(await writesSince(before), 'somebody changed something without the right').toEqual([]);
      for (const caller of callers.filter(isAllowed)) await ask(caller);
      expect(found).toEqual(
        Object.fromEntries(callers.map((caller) => [caller, expectedStatus(route, caller)])),
      );
    },
  );
});

/** Operations on objects that the admin of the world made: docs/permissions.md shows those of others. */
const onOwnObjects = /^(user\.edit|(comment|reply)\.(edit|delete))$/;
const documented = new Map(permissionTable(routes).map((row) => [row.operationId, row.verdicts]));
const refusals: Record<number, string> = { 401: 'no token', 403: 'forbidden', 404: 'hidden' };

function nameInDocument(caller: Caller) {
  if (caller === 'outsider') return 'other organization';
  return caller === 'nobody' ? 'no token' : caller;
}

describe('docs/permissions.md matches the response of each operation', () => {
  const shown = withTokens.filter(
    ({ spec: { permission, operationId } }) =>
      !onOwnObjects.test(permission) && !hiddenFrom[operationId] && answers[operationId] !== 404,
  );
  it.for(shown.map((route) => [route.spec.operationId, route] as const))('%s', ([operationId, route]) => {
    for (const caller of callers) {
      const verdict = documented.get(operationId)?.[nameInDocument(caller)];
      const status = expectedStatus(route, caller);
      // A DELETE does not tell whether it was hidden.
      const isDeleted = route.kind === 'delete' && status === 204 && verdict === 'hidden';
      expect([caller, verdict]).toEqual([caller, isDeleted ? verdict : (refusals[status] ?? 'yes')]);
    }
  });
});

/** Callers for closed objects: guests with a grant; a member, with the role `create`, and a guest without. */
const grantedRoles = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const;
const strangers = ['member', 'guest'] as const;
type CallerOfClosed = 'owner' | (typeof grantedRoles)[number] | (typeof strangers)[number];

/** Where closed objects stand, and what only their readers see. */
const closedPlaces = [
  '/spaces/:spaceId',
  '/collections/:collectionId',
  '/orgs/:organizationId/translations/:translationId',
  '/org/:organizationId/imports/:importRunId',
  '/jobs/:jobId',
];

/** Permissions, and operations, that a grant does not give: they take a role in the organization. */
const neededInOrganization = ['translation.edit', 'duplicateSpace'];

function expectedOfClosed(route: Route, caller: CallerOfClosed): number {
  const own = placesOf(route.path).at(-1);
  const isOwn = route.kind === 'delete' && route.path === own;
  if (caller === 'member' || caller === 'guest') return isOwn && closedPlaces.includes(own ?? '') ? 204 : 404;
  const { permission, operationId } = route.spec;
  const least = neededBy[operationId] ?? needed[permission] ?? 'nobody';
  const isInOrganization = [permission, operationId].some((name) => neededInOrganization.includes(name));
  const isAllowed = caller === 'owner' || (!isInOrganization && rank(caller) >= rank(least));
  if (isAllowed) return answers[operationId] ?? (route.method === 'get' ? 200 : 400);
  return 403;
}

const itIfClosed = it.extend('closed', { scope: 'file' }, async ({ api }) => {
  const world = await buildWorld(
    api,
    routes.map(({ path }) => path),
  );
  const organization = world.organization._id;
  const tokens = { owner: world.admin.token } as Record<CallerOfClosed, string>;
  for (const role of grantedRoles) tokens[role] = (await grantEverywhere(world.organization, role)).token;
  tokens.member = (await buildMember(world.organization, 'create')).token;
  tokens.guest = (await buildMember(world.organization, null)).token;
  await Space.updateMany({ organization }, { $set: { defaultLevel: null } });
  await Collection.updateMany({ organization }, { $set: { defaultLevel: null } });
  const ids = [
    ...(await Space.distinct('_id', { organization })),
    ...(await Collection.distinct('_id', { organization })),
  ];
  await withTransaction((session) => refreshAccess(ids, session));
  return { world, tokens };
});

async function grantEverywhere(organization: OrganizationRecord, role: Role): Promise<TestUser> {
  const guest = await buildMember(organization, null);
  const filter = { organization: organization._id };
  for (const space of await Space.find(filter).lean<SpaceRecord[]>())
    await buildGrant({ space }, guest, role);
  for (const collection of await Collection.find(filter).lean<CollectionRecord[]>())
    await buildGrant({ collection }, guest, role);
  return guest;
}

describe('permissions by role for closed objects', () => {
  const ofClosed = withTokens.filter(({ path }) =>
    placesOf(path).some((place) => closedPlaces.includes(place)),
  );
  itIfClosed.for(ofClosed.map((route) => [route.spec.operationId, route] as const))(
    '%s',
    { timeout: 60_000 },
    async ([operationId, route], { api, closed: { world, tokens } }) => {
      const query = new URLSearchParams(queries[operationId]?.({ api, world })).toString();
      const found: Partial<Record<CallerOfClosed, number>> = {};
      const expected: typeof found = {};
      const before = await oplogPosition();
      for (const caller of [...strangers, ...grantedRoles, 'owner'] as const) {
        expected[caller] = expectedOfClosed(route, caller);
        const isDone = route.kind === 'delete' && expected[caller] === 400;
        if (isDone) found[caller] = 400;
        if (isDone) continue;
        const { status, text } = await api.call(
          route.method.toUpperCase(),
          `/v1${fill(route.path, world.places)}?${query}`,
          {
            token: tokens[caller],
            ...(route.method !== 'get' && route.kind !== 'delete' && { json: [] }),
          },
        );
        found[caller] = status;
        if (status === 404) expect(text).not.toContain(world.canary);
      }
      expect(found).toEqual(expected);
      if (route.method !== 'get') expect(await writesSince(before)).toEqual([]);
    },
  );
});

describe('a response about other objects', () => {
  const strangersRead = routes.filter(
    ({ admits, method, path }) =>
      admits !== 'everyone' &&
      method === 'get' &&
      !placesOf(path).some((place) => closedPlaces.includes(place)),
  );
  itIfClosed.for(strangersRead.map((route) => [route.spec.operationId, route] as const))(
    '%s names no closed object and no e-mail address to a guest',
    async ([operationId, route], { api, closed: { world, tokens } }) => {
      const query = new URLSearchParams(queries[operationId]?.({ api, world })).toString();
      const { text } = await api.call('GET', `/v1${fill(route.path, world.places)}?${query}`, {
        token: tokens.guest,
      });
      expect(text).not.toContain(world.admin.user.email);
      // Its own address stands in the URL.
      for (const place of closedPlaces)
        if (world.places[place] !== world.organization._id)
          expect(text).not.toContain(`"${world.places[place]}"`);
    },
  );

  itIfClosed.for(
    routes
      .filter(({ admits, method }) => admits !== 'everyone' && method === 'get')
      .map((route) => [route.spec.operationId, route] as const),
  )(
    '%s shows no e-mail address to a guest with a grant',
    async ([operationId, route], { api, closed: { world, tokens } }) => {
      if (operationId === 'streamJobEvents') return;
      const query = new URLSearchParams(queries[operationId]?.({ api, world })).toString();
      for (const caller of ['read', 'admin'] as const) {
        const { text } = await api.call('GET', `/v1${fill(route.path, world.places)}?${query}`, {
          token: tokens[caller],
        });
        expect([operationId, text]).toEqual([
          operationId,
          expect.not.stringContaining(world.admin.user.email ?? ''),
        ]);
      }
    },
  );
});

/** Operations open to visitors that are no GET. */
const sentByReaders = [
  'trackEventsInSiteById',
  'getComputedDocument',
  'getComputedRevision',
  'previewPageInChangeRequest',
  'searchSiteContent',
];

/** The status for visitors, where it differs from that for a member. */
const answersToVisitors: Record<string, number> = {
  // No page of the site shows anything of that specification.
  getLatestOpenAPISpecVersionContent: 404,
};

describe('a visitor with the content token of a site can call only the operations for readers', () => {
  it.for(routes.map((route) => [route.spec.operationId, route] as const))(
    '%s',
    async ([operationId, route], { api, world, visit: { token, elsewhere } }) => {
      const isRead = route.method === 'get';
      const before = await oplogPosition();
      const json = !isRead && route.kind !== 'delete' ? { json: [] } : {};
      const query = new URLSearchParams(queries[operationId]?.({ api, world })).toString();
      const { status, text } = await api.call(
        route.method.toUpperCase(),
        `/v1${fill(route.path, world.places)}?${query}`,
        {
          token,
          ...json,
        },
      );
      if (route.admits === 'users') {
        expect([operationId, status]).toEqual([operationId, 403]);
        expect(text).not.toContain(world.canary);
      }
      if (!isRead) expect(await writesSince(before)).toEqual([]);
      if (route.admits !== 'readers') return;
      // Readers send what they have seen, and questions that do not fit into a URL; everything else is a
      // read.
      expect([operationId, isRead]).toEqual([operationId, !sentByReaders.includes(operationId)]);
      const isUnpublished = route.path.includes('/change-requests/');
      const expected = isUnpublished
        ? 404
        : (answersToVisitors[operationId] ?? answers[operationId] ?? (isRead ? 200 : 400));
      expect([operationId, status]).toEqual([operationId, expected]);
      if (placesOf(route.path).every(isShared)) return;
      const other = await api.call(route.method.toUpperCase(), `/v1${fill(route.path, elsewhere)}?${query}`, {
        token,
        ...json,
      });
      expect([operationId, other.status]).toEqual([operationId, 404]);
      expect(other.text).not.toContain(world.canary);
    },
  );
});

it('every path answers other methods with 405 and an Allow header', async ({ api, world, tokens }) => {
  for (const [path, all] of Map.groupBy(routes, ({ path }) => `/v1${fill(path, world.places)}`)) {
    const { status, headers } = await api.call('PROPFIND', path, { token: tokens.admin ?? null });
    expect([path, status]).toEqual([path, 405]);
    const allowed = headers.get('allow') ?? '';
    for (const { method } of all) expect(allowed).toContain(method.toUpperCase());
  }
});
