import { describe, expect } from 'vitest';
import type { Route } from '../../apps/api/src/http/scope.ts';
import { routes } from '../../apps/api/src/routes.ts';
import { it as base } from '../support/it.ts';
import { importWorker, samples } from '../support/http/requestSamples.ts';
import { oplogPosition, writesSince } from '../support/stores/oplog.ts';
import { buildWorld, fill, isShared, placesOf, type Places } from '../support/world.ts';

// Every operation that may change something, with `If-Match`: an old tag changes nothing, the present one
// lets it through. The nearest object of the path that shows a version counts.

const org = '/orgs/:organizationId';
const site = `${org}/sites/:siteId`;
const space = '/spaces/:spaceId';
const changeRequest = `${space}/change-requests/:changeRequestId`;

/** Where a read shows the version of what it names, in its `ETag`. */
const versioned = [
  org,
  `${org}/members/:userId`,
  `${org}/link-invites/:inviteId`,
  `${org}/teams/:teamId`,
  `${org}/saml/:samlProviderId`,
  `${org}/webhooks/:webhookId`,
  `${org}/openapi/:specSlug`,
  `${org}/translations/:translationId`,
  `${org}/translations/:translationId/segments/:segmentId`,
  site,
  `${site}/publishing/auth`,
  `${site}/site-spaces/:siteSpaceId`,
  `${site}/sections/:siteSectionId`,
  `${site}/section-groups/:siteSectionGroupId`,
  `${site}/redirects/:siteRedirectId`,
  '/custom-hostnames/:hostname',
  '/collections/:collectionId',
  space,
  `${space}/git/hook`,
  `${space}/comments/:commentId`,
  `${space}/comments/:commentId/replies/:commentReplyId`,
  changeRequest,
  `${changeRequest}/comments/:commentId`,
  `${changeRequest}/comments/:commentId/replies/:commentReplyId`,
];

/** The same object by another path. */
const aliases: Record<string, string> = {
  '/org/:organizationId': org,
  [`${org}/invites/:inviteId`]: `${org}/link-invites/:inviteId`,
};

/** Operations, each with a body, that change no object with a version: they refuse every tag. */
const withoutVersion: Record<string, object> = {
  updateUserById: { displayName: 'Another' },
  createApiToken: { label: 'Another' },
  revokeApiToken: {},
  createOrganization: { title: 'Another' },
  acceptPendingMembership: {},
  declinePendingMembership: {},
  cancelImportRun: {},
  cancelJob: {},
  retryJob: {},
  replayJobsInOrganizationById: {},
  describeGitRemote: { url: 'https://git.example.org/r.git' },
  importTranslation: {},
  importTranslationMemory: {},
};

/** The queries that their paths need. */
const queries: Record<string, string> = { importTranslationMemory: '?source=en&target=es' };

/**
 * Operations that no header makes conditional, whatever their method: they change nothing, or git hosts call
 * them.
 */
const onlyRead = new Set([
  'resolvePublishedContentByUrl',
  'trackEventsInSiteById',
  'searchSiteContent',
  'getComputedDocument',
  'getComputedRevision',
  'previewPageInChangeRequest',
  'getOpenAPIExcerpts',
  'receiveGitHookEvent',
]);

/** Operations that give something out and write nothing. */
const writesNothing = new Set(['generateStorageUploadURL']);

/**
 * Stored under its hash before the write that refers to it, where nobody sees it; or what workers say of
 * themselves.
 */
const unseen = /^(documents|nodes|blobs\.\w+|workers) /;
const changesSince = async (position: Parameters<typeof writesSince>[0]) =>
  (await writesSince(position)).filter((change) => !unseen.test(change));

const unsafe = routes.filter(({ method, spec }) => method !== 'get' && !onlyRead.has(spec.operationId));
const conditional = unsafe.filter(({ spec }) => !withoutVersion[spec.operationId]);

/** The path whose read shows the version that counts for an operation. */
function versionedPath({ path }: Route): string {
  const alias = Object.keys(aliases).find((prefix) => path.startsWith(prefix));
  const shown = alias === undefined ? path : path.replace(alias, aliases[alias] ?? '');
  const nearest = versioned
    .filter((place) => shown === place || shown.startsWith(`${place}/`))
    .toSorted((a, b) => b.length - a.length)[0];
  if (nearest === undefined)
    throw new Error(
      `Say in \`versioned\` or \`withoutVersion\` what \`If-Match\` is compared with at ${path}.`,
    );
  return nearest;
}

const it = base
  .extend('world', { scope: 'file' }, ({ api }) =>
    buildWorld(
      api,
      routes.map(({ path }) => path),
    ),
  )
  .extend('importing', { scope: 'file' }, ({ api }, { onCleanup }) => {
    const worker = importWorker(api);
    onCleanup(worker.stop);
    return worker;
  })
  /**
   * Where an operation is called: one that ends with an object gets an object of its own, which it may
   * remove.
   */
  .extend('placesFor', ({ world }) => async ({ path }: Route): Promise<Places> => {
    const own = placesOf(path).at(-1);
    if (own === undefined || isShared(own) || path.startsWith(`${site}/structure`)) return world.places;
    const id = await world.make(own);
    const alias = aliases[own];
    return { ...world.places, [own]: id, ...(alias !== undefined && { [alias]: id }) };
  })
  .extend('tagAt', ({ api, world }) => async (path: string, places: Places) => {
    const { headers } = await api.call('GET', `/v1${fill(path, places)}`, { token: world.admin.token });
    return headers.get('etag') ?? '';
  });

describe('an operation with `If-Match` refuses an old tag and accepts the current one', () => {
  it.for(conditional.map((route) => [route.spec.operationId, route] as const))(
    '%s',
    async ([operationId, route], { api, world, importing, placesFor, tagAt }) => {
      const fresh = await placesFor(route);
      const sample = await samples[operationId]?.({
        api,
        world,
        places: fresh,
        startImporting: importing.start,
      });
      if (!sample)
        throw new Error(
          `${operationId} may change something: add a request to \`samples\` of test/support/http/requestSamples.ts.`,
        );
      const { at, ...call } = sample;
      const places = { ...fresh, ...at };
      const send = (tag: string) =>
        api.call(route.method.toUpperCase(), `/v1${fill(route.path, places)}`, {
          token: world.admin.token,
          ...call,
          headers: { 'if-match': tag },
        });
      const tag = await tagAt(versionedPath(route), places);
      await importing.settle();
      const before = await oplogPosition();
      const refused = await send(`"999999.${tag.split('.')[1]}`);
      expect([refused.status, refused.body?.error?.type]).toEqual([412, 'precondition_failed']);
      expect(
        await changesSince(before),
        `${operationId} must write in \`singleWrite\` or \`withTransaction\`, which also check \`If-Match\``,
      ).toEqual([]);
      const done = await send(tag);
      expect(
        done.status,
        `with the tag ${tag} of ${versionedPath(route)}; an object with a tag of its own stands in \`versioned\`: ${done.text}`,
      ).toBeLessThan(300);
      // Else the sample would not show that anything is held back.
      if (!writesNothing.has(operationId)) expect(await writesSince(before)).not.toEqual([]);
    },
  );
});

describe('an operation on an object without a version refuses every tag', () => {
  it.for(
    unsafe
      .filter(({ spec }) => withoutVersion[spec.operationId])
      .map((route) => [route.spec.operationId, route] as const),
  )('%s', async ([, route], { api, world, importing }) => {
    const { method, path, spec } = route;
    await importing.settle();
    const before = await oplogPosition();
    const { status, body } = await api.call(
      method.toUpperCase(),
      `/v1${fill(path, world.places)}${queries[spec.operationId] ?? ''}`,
      {
        token: world.admin.token,
        ...(method !== 'delete' && { json: withoutVersion[spec.operationId] }),
        headers: { 'if-match': '"1.x"' },
      },
    );
    expect([status, body?.error?.type]).toEqual([412, 'precondition_failed']);
    expect(await changesSince(before)).toEqual([]);
  });
});

type Call = [method: string, below: string, json?: unknown];

describe('only one of two concurrent requests with the same tag is carried out', () => {
  const rounds = 8;
  const collection = '/collections/:collectionId';
  it.for<[string, string, (places: Places) => [Call, Call]]>([
    [
      'a deletion and a change of a space',
      space,
      () => [
        ['DELETE', ''],
        ['PATCH', '', { title: 'Other' }],
      ],
    ],
    [
      'two moves of a space',
      space,
      (places) => [
        ['POST', '/move', { parent: places[collection] }],
        ['POST', '/move', { parent: places[collection] }],
      ],
    ],
    [
      'a deletion and a change of a comment',
      `${space}/comments/:commentId`,
      () => [
        ['DELETE', ''],
        ['PUT', '', { resolved: true }],
      ],
    ],
    [
      'a deletion and a change of a webhook',
      `${org}/webhooks/:webhookId`,
      () => [
        ['DELETE', ''],
        ['PATCH', '', { enabled: true }],
      ],
    ],
    [
      'a deletion of a site and its publication',
      site,
      () => [
        ['DELETE', ''],
        ['POST', '/publish', {}],
      ],
    ],
    [
      'a removal of a member and a change of its role',
      `${org}/members/:userId`,
      () => [
        ['DELETE', ''],
        ['PATCH', '', { role: 'edit' }],
      ],
    ],
  ])('%s', async ([, place, callsOf], { api, world, tagAt }) => {
    for (let round = 0; round < rounds; round += 1) {
      const places = { ...world.places, [place]: await world.make(place) };
      const tag = await tagAt(place, places);
      const statuses = await Promise.all(
        callsOf(places).map(async ([method, below, json]) => {
          const { status } = await api.call(method, `/v1${fill(place, places)}${below}`, {
            token: world.admin.token,
            headers: { 'if-match': tag },
            ...(json !== undefined && { json }),
          });
          return status;
        }),
      );
      // The other one finds a newer state, or nothing any more.
      expect(statuses.filter((status) => status < 300).length, String(statuses)).toBe(1);
      for (const status of statuses) expect([200, 204, 404, 412]).toContain(status);
    }
  });
});
