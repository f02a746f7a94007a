import { describe, expect } from 'vitest';
import { routes } from '../../apps/api/src/routes.ts';
import { it as base } from '../support/it.ts';
import { oplogPosition, writesSince } from '../support/stores/oplog.ts';
import { buildWorld, fill, isShared, placesOf, type Places } from '../support/world.ts';

// Two organizations with one of each object. The admin of the first calls every operation with ids of the
// second, and with ids of its own organization that belong to another parent: nothing is shown, nothing is
// changed.

/** Where an id of the same organization is right under each parent, with the reason. */
const rightEverywhere: Record<string, string> = {
  addMemberToOrganizationTeamById: 'every member of the organization may be added to every team',
};

/** A name that is not taken in the own organization is free, whoever else has it. */
const createsAtFreeName = new Set(['createOrUpdateOpenAPISpecBySlug', 'putCustomHostname']);

/** Operations open to people of other organizations, each with the reason. */
const openToOthers: Record<string, string> = {
  joinOrganization: 'it is how one becomes a member; whether one may depends on the address',
  joinOrganizationWithInvite: 'it is how one becomes a member; knowing the invite is what it takes',
  receiveGitHookEvent: 'git hosts have no token; the secret of the hook decides',
  getPublishedOpenAPISpec: 'it is public',
  getPublishedOpenAPISpecJSON: 'as above',
  getPublishedOpenAPISpecYAML: 'as above',
  getPublishedOpenAPISpecReference: 'as above',
};

type Attempt = { method: string; path: string; places: Places; mayBeGone: boolean };

const it = base
  /**
   * The own world, that of another organization, and objects of the own one once more: each has the wrong
   * parent where one of `own` is asked for.
   */
  .extend('worlds', { scope: 'file' }, async ({ api }) => {
    const paths = routes.map(({ path }) => path);
    const own = await buildWorld(api, paths);
    const other = await buildWorld(api, paths);
    return { own, other, twin: await own.makeTwin() };
  })
  .extend(
    'expectNothing',
    ({ api, worlds: { own, other } }) =>
      async ({ method, path, places, mayBeGone }: Attempt) => {
        const { status, text } = await api.call(method.toUpperCase(), `/v1${fill(path, places)}`, {
          token: own.admin.token,
          ...(method !== 'get' && method !== 'delete' && { json: {} }),
        });
        expect([fill(path, places), status]).toEqual([fill(path, places), mayBeGone ? 204 : 404]);
        expect(text).not.toContain(other.canary);
      },
  );

const withIds = routes.filter(({ path }) =>
  placesOf(path).some((place) => !isShared(place) || place === '/orgs/:organizationId'),
);

describe('ids of another organization in the path are not found', () => {
  const closed = withIds.filter(({ spec }) => !openToOthers[spec.operationId]);
  it.for(closed.map((route) => [route.spec.operationId, route] as const))(
    '%s',
    async ([operationId, { path, method, kind }], { worlds: { own, other }, expectNothing }) => {
      const named = placesOf(path).filter((place) => own.places[place] !== other.places[place]);
      const before = await oplogPosition();
      expect(named).not.toEqual([]);
      // Every mixture of own and foreign ids that has a foreign one.
      for (let mixture = 1; mixture < 2 ** named.length; mixture += 1) {
        const foreign = named.filter((_place, i) => (mixture >> i) & 1);
        const places = mix(own.places, other.places, foreign);
        if (createsAtFreeName.has(operationId) && foreign.length === 1 && foreign[0] === path) continue;
        await expectNothing({ method, path, places, mayBeGone: isOwnGone({ kind, path, foreign }) });
      }
      expect(await writesSince(before)).toEqual([]);
    },
  );
});

describe('ids of another parent in the path are not found', () => {
  const nested = withIds.filter(
    ({ path, spec }) => !rightEverywhere[spec.operationId] && placesOf(path).some(mayHaveWrongParent),
  );
  it.for(nested.map((route) => [route.spec.operationId, route] as const))(
    '%s',
    async ([, { path, method, kind }], { worlds: { own, twin }, expectNothing }) => {
      const before = await oplogPosition();
      for (const place of placesOf(path).filter(
        (name) => mayHaveWrongParent(name) && own.places[name] !== twin[name],
      )) {
        // From this place on everything belongs together, but not to what stands above it.
        const foreign = placesOf(path).filter((name) => name === place || name.startsWith(`${place}/`));
        await expectNothing({
          method,
          path,
          places: mix(own.places, twin, foreign),
          mayBeGone: isOwnGone({ kind, path, foreign }),
        });
      }
      expect(await writesSince(before)).toEqual([]);
    },
  );
});

/** A DELETE of what is not there is done already; what stands above it must be there all the same. */
function isOwnGone({ kind, path, foreign }: { kind: string; path: string; foreign: string[] }): boolean {
  return kind === 'delete' && foreign.length === 1 && foreign[0] === path;
}

function mayHaveWrongParent(place: string): boolean {
  const above = placesOf(place).slice(0, -1);
  return above.some((name) => !isShared(name));
}

function mix(ours: Places, theirs: Places, foreign: readonly string[]): Places {
  return { ...ours, ...Object.fromEntries(foreign.map((place) => [place, theirs[place] ?? ''])) };
}
