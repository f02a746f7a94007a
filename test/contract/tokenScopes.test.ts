import { globSync, readFileSync } from 'node:fs';
import type { TokenScope } from '@bindery/contract';
import { describe, expect } from 'vitest';
import { routes } from '../../apps/api/src/routes.ts';
import type { Route } from '../../apps/api/src/http/scope.ts';
import { buildMembership, buildToken } from '../support/factories.ts';
import { it as base } from '../support/it.ts';
import { oplogPosition, writesSince } from '../support/stores/oplog.ts';
import { buildWorld, fill, placesOf } from '../support/world.ts';

// Every operation, called with tokens that hold or reach less than their user. The operations of each scope
// stand here once more, by hand.

/** Starts, cancels and retries jobs, and what belongs to git sync. */
const jobs = [
  ...[
    'importContent',
    'importContentInChangeRequest',
    'startImportRun',
    'importFolder',
    'cancelImportRun',
    'importGitRepository',
    'exportToGitRepository',
    'describeGitRemote',
    'setGitHook',
    'deleteGitHook',
    'rotateGitHookSecret',
  ],
  ...[
    'deleteLegacyGitInstallation',
    'createOpenAPISpec',
    'createOrUpdateOpenAPISpecBySlug',
    'refreshOpenAPISpecBySlug',
    'createTranslation',
    'updateTranslation',
  ],
  ...['runTranslation', 'cancelJob', 'retryJob', 'generateStorageUploadURL'],
];

/** Changes content and sites. */
const write = [
  ...['createCollection', 'duplicateSpace', 'createSpace', 'applyTemplateToSpace'],
  ...[
    'createSite',
    'updateSiteById',
    'sortSiteStructure',
    'addSpaceToSite',
    'deleteSiteSpaceById',
    'updateSiteSpaceById',
    'moveSiteSpace',
  ],
  ...[
    'addSectionToSite',
    'deleteSiteSectionById',
    'updateSiteSectionById',
    'moveSiteSection',
    'addSectionGroupToSite',
  ],
  ...[
    'deleteSiteSectionGroupById',
    'updateSiteSectionGroupById',
    'addSectionToGroup',
    'removeSectionFromGroup',
    'moveSiteSectionGroup',
  ],
  ...[
    'updateSiteCustomizationById',
    'overrideSiteSpaceCustomizationById',
    'deleteSiteSpaceCustomizationById',
  ],
  // Only those who may edit the site see it.
  'listSiteFeedback',
  // The URL that it gives opens a site that is not published.
  'getSitePublishingPreviewById',
  ...['createSiteRedirect', 'bulkUpsertSiteRedirects', 'updateSiteRedirectById', 'deleteSiteRedirectById'],
  ...[
    'createChangeRequest',
    'updateChangeRequestById',
    'updateChangeRequestContent',
    'mergeChangeRequest',
    'updateChangeRequest',
  ],
  ...[
    'postComment',
    'updateComment',
    'deleteComment',
    'postCommentReply',
    'updateCommentReply',
    'deleteCommentReply',
  ].flatMap((name) => [`${name}InSpace`, `${name}InChangeRequest`]),
  ...[
    'submitChangeRequestReview',
    'requestReviewersForChangeRequest',
    'removeRequestedReviewerFromChangeRequest',
  ],
  ...[
    'updateOpenAPISpecBySlug',
    'deleteOpenAPISpecBySlug',
    'deleteTranslation',
    'importTranslation',
    'updateGlossaryEntries',
  ],
  'updateTranslationSegment',
];

/** Reads although they are no GET. */
const readsByPost = [
  ...[
    'resolvePublishedContentByUrl',
    'trackEventsInSiteById',
    'searchSiteContent',
    'getComputedDocument',
    'getComputedRevision',
    'previewPageInChangeRequest',
    'getOpenAPIExcerpts',
  ],
];

/** Reads that show rights and secrets. */
const administrativeReads = [
  ...[
    'listOrganizationInviteLinks',
    'listSiteShareLinks',
    'getSitePublishingAuthById',
    'listSAMLProvidersInOrganizationById',
  ],
  ...[
    'getOrganizationSAMLProviderById',
    'listWebhooks',
    'getWebhookById',
    'listWebhookDeliveries',
    'getWebhookDeliveryById',
  ],
  'listPendingMembersInOrganization',
  // Has texts of spaces that only some members see.
  'exportTranslationMemory',
  ...['Space', 'Collection', 'Site'].flatMap((where) => [
    `listUserPermissionsIn${where}`,
    `listTeamPermissionsIn${where}`,
    `listPermissionsAggregateIn${where}`,
  ]),
];

/** Operations of the user alone: tokens for some organizations or spaces cannot call them. */
const ofUser = [
  ...[
    'updateUserById',
    'createOrganization',
    'updateOrganizationMemberLastSeenAt',
    'joinOrganizationWithInvite',
    'joinOrganization',
  ],
  ...['listPendingMembershipsOfAuthenticatedUser', 'acceptPendingMembership', 'declinePendingMembership'],
];

/** Everything that is not named above and is no GET changes rights, secrets, lifetime or visibility. */
function neededFor({ method, kind, spec: { operationId } }: Route): TokenScope {
  if (jobs.includes(operationId)) return 'jobs';
  if (write.includes(operationId)) return 'write';
  if (administrativeReads.includes(operationId) || ofUser.includes(operationId)) return 'admin';
  return method === 'get' || kind === 'list' || readsByPost.includes(operationId) ? 'read' : 'admin';
}

const includes: Record<TokenScope, TokenScope[]> = {
  read: ['read'],
  write: ['read', 'write'],
  jobs: ['read', 'jobs'],
  admin: ['read', 'write', 'jobs', 'admin'],
};
const scopes = Object.keys(includes) as TokenScope[];

const withToken = routes.filter(({ admits }) => admits !== 'everyone');

/** Operations open to a token that reaches no organization: they are about its user, or public. */
const reachedByAll = new Set([
  'getApiInformation',
  'getCapabilities',
  'getAuthenticatedUser',
  'getEmbedByUrl',
  'listApiTokensOfAuthenticatedUser',
]);
/** Lists that are empty then. */
const empty = new Set(['listOrganizationsForAuthenticatedUser', 'getOrganizationsForEmailDomain']);

const it = base
  .extend('world', { scope: 'file' }, ({ api }) =>
    buildWorld(
      api,
      routes.map(({ path }) => path),
    ),
  )
  .extend('scoped', { scope: 'file' }, async ({ world: { admin } }) => {
    const tokens = await Promise.all(
      scopes.map(
        async (scope) => [scope, (await buildToken(admin.user, { scopes: [scope] })).token] as const,
      ),
    );
    return Object.fromEntries(tokens) as Record<TokenScope, string>;
  })
  /** Tokens of the admin of the world that reach another organization, or another space of the same one. */
  .extend('elsewhere', { scope: 'file' }, async ({ world, organization }) => {
    const { admin } = world;
    await buildMembership(organization, admin, 'admin');
    const own = await world.make('/spaces/:spaceId');
    const [ofOrganization, ofSpace] = await Promise.all([
      buildToken(admin.user, { organizations: [organization._id] }),
      buildToken(admin.user, { spaces: [own] }),
    ]);
    return { 'another organization': ofOrganization.token, 'another space': ofSpace.token };
  })
  .extend(
    'call',
    ({ api, world }) =>
      ({ method, path }: Route, token: string) =>
        api.call(method.toUpperCase(), `/v1${fill(path, world.places)}`, {
          token,
          ...(method !== 'get' && method !== 'delete' && { json: {} }),
        }),
  );

const outOfScope = /^Requires a token with the scope `(\w+)`/;

describe('an operation requires its scope', () => {
  it.for(withToken.map((route) => [route.spec.operationId, route] as const))(
    '%s',
    async ([, route], { scoped, call }) => {
      const needed = neededFor(route);
      for (const scope of scopes) {
        // Skips operations that delete or use up objects that the other scopes still need.
        if (
          (route.kind === 'delete' || route.spec.operationId === 'acceptPendingMembership') &&
          includes[scope].includes(needed)
        )
          continue;
        const { status, body } = await call(route, scoped[scope]);
        const refused = status === 403 ? outOfScope.exec(body.error.message)?.[1] : undefined;
        expect(
          [scope, refused],
          `the lists above say that ${route.spec.operationId} needs the scope ${needed}`,
        ).toEqual([scope, includes[scope].includes(needed) ? undefined : needed]);
      }
    },
  );
});

describe('a limited token cannot reach other organizations or spaces', () => {
  it.for(withToken.map((route) => [route.spec.operationId, route] as const))(
    '%s',
    async ([operationId, route], { world, elsewhere, call }) => {
      const before = await oplogPosition();
      for (const token of Object.values(elsewhere)) {
        const { status, text, body } = await call(route, token);
        expect(text).not.toContain(world.canary);
        if (reachedByAll.has(operationId)) continue;
        if (empty.has(operationId)) {
          expect((body.items ?? body.organizations).map(({ id }: { id: string }) => id)).not.toContain(
            world.organization._id,
          );
        } else if (
          operationId === 'createApiToken' ||
          operationId === 'putCustomHostname' ||
          (operationId === 'getContentByUrl' && status === 400)
        ) {
          expect([operationId, status]).toEqual([operationId, 400]);
        } else if (operationId === 'getUserById' || operationId === 'updateUserById') {
          // The user of the world is that of the token.
          expect(status).toBe(operationId === 'getUserById' ? 200 : 403);
        } else {
          // A DELETE of what is not there is done already; what stands above it must be there all the same.
          const isGone = route.kind === 'delete' && route.path === placesOf(route.path)[0];
          const expected = isGone ? 204 : 404;
          const isRefused = ofUser.includes(operationId) && status === 403;
          expect([operationId, status]).toEqual([operationId, isRefused ? 403 : expected]);
        }
      }
      expect(await writesSince(before)).toEqual([]);
    },
  );
});

describe('the reach of a limited token', () => {
  it('includes its organization', async ({ api, world: { organization, admin, places } }) => {
    const { token } = await buildToken(admin.user, { organizations: [organization._id], scopes: ['write'] });
    const get = async (path: string) => (await api.call('GET', `/v1${path}`, { token })).status;
    expect([
      await get(`/orgs/${organization._id}`),
      await get(fill('/spaces/:spaceId', places)),
      await get(fill('/jobs/:jobId', places)),
    ]).toEqual([200, 200, 200]);
    const { body } = await api.call('GET', '/v1/orgs', { token });
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([organization._id]);
    expect(
      (await api.call('POST', `/v1/orgs/${organization._id}/spaces`, { token, json: { title: 'New' } }))
        .status,
    ).toBe(201);
  });

  it('includes its space, with the jobs, comments and change requests of the space', async ({
    api,
    world: { organization, admin, places },
  }) => {
    const space = places['/spaces/:spaceId'] ?? '';
    const { token } = await buildToken(admin.user, { spaces: [space] });
    const call = async (method: string, path: string, json?: unknown) =>
      (await api.call(method, `/v1${path}`, { token, ...(json !== undefined && { json }) })).status;
    expect(await call('GET', `/spaces/${space}`)).toBe(200);
    expect(await call('PATCH', `/spaces/${space}`, { title: 'Renamed' })).toBe(200);
    expect(await call('POST', `/spaces/${space}/comments`, { body: { markdown: 'Words' } })).toBe(200);
    expect(await call('POST', `/spaces/${space}/change-requests`, { subject: 'Change' })).toBe(201);
    expect(await call('GET', fill('/jobs/:jobId', places))).toBe(200);
    // Out of the space leads nothing.
    expect(await call('POST', `/spaces/${space}/duplicate`)).toBe(403);
    expect(
      await call('POST', `/spaces/${space}/move`, { parent: places['/collections/:collectionId'] }),
    ).toBe(400);
    expect(await call('POST', `/spaces/${space}/move`, { parent: null })).toBe(403);
    expect(await call('POST', `/spaces/${space}/transfer`, { organization: organization._id })).toBe(409);
    expect(await call('GET', `/orgs/${organization._id}/spaces`)).toBe(404);
  });

  it('also limits lookups by URL, and permissions that a command checks', async ({
    api,
    world: { places },
    elsewhere,
    scoped,
  }) => {
    const content = `/v1/urls/content?url=${encodeURIComponent(`${api.config.api.appUrl}/s/${places['/spaces/:spaceId']}`)}`;
    for (const token of Object.values(elsewhere))
      expect((await api.call('GET', content, { token })).status).toBe(404);
    expect((await api.call('GET', content, { token: scoped.read })).status).toBe(200);
    // The scope also holds for permissions that a command checks besides that of its route.
    const site = `/v1${fill('/orgs/:organizationId/sites/:siteId', places)}`;
    expect(
      (await api.call('PATCH', site, { token: scoped.write, json: { visibility: 'unlisted' } })).status,
    ).toBe(403);
    expect((await api.call('PATCH', site, { token: scoped.write, json: { title: 'Renamed' } })).status).toBe(
      200,
    );
  });

  it('is shown by the permissions in a response', async ({ api, world: { places }, scoped }) => {
    const shown = async (scope: TokenScope) =>
      (await api.call('GET', `/v1${fill('/spaces/:spaceId', places)}`, { token: scoped[scope] })).body
        .permissions;
    expect(await shown('read')).toMatchObject({ view: true, comment: false, edit: false, admin: false });
    expect(await shown('write')).toMatchObject({ view: true, edit: true, merge: true, admin: false });
    expect(await shown('admin')).toMatchObject({ view: true, edit: true, admin: true });
  });
});

base('only one module looks up the memberships of a caller', () => {
  const found = globSync('apps/api/src/**/*.ts').filter(
    (file) =>
      !file.endsWith('records/ownMember.ts') &&
      /\bMember(Model)?\s*\.\w+\([^;]*\bactor\b/.test(readFileSync(file, 'utf8')),
  );
  expect(found).toEqual([]);
});
