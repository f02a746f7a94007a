import type { OrganizationRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { buildOrganization, type TestUser } from './factories.ts';
import { makers, needs, type WorldApi } from './worldMakers.ts';

/**
 * One of each object in an organization, for tests of all operations.
 *
 * An object is found by its **place**: the path of its routes up to its id,
 * `/spaces/:spaceId/comments/:commentId`. Add new kinds of objects in worldMakers.ts.
 */
export type World = {
  organization: OrganizationRecord;
  admin: TestUser;
  /** A text in every object that can contain one, which other organizations must never see. */
  canary: string;
  /** Id by place. */
  places: Places;
  /** Makes another object at a place, with the same parents; for tests that destroy it. */
  make(place: string): Promise<string>;
  /**
   * Makes the same objects again in the same organization, so that each object of one has the wrong parent in
   * the other.
   */
  makeTwin(): Promise<Places>;
};

export type Places = Readonly<Record<string, string>>;

/** @param only  the paths of the tested routes: objects that no path needs are not made */
export async function buildWorld(api: WorldApi, only: readonly string[]): Promise<World> {
  const canary = `canary${newId()}`;
  const { organization, admin } = await buildOrganization({ title: `${canary} org` });
  const wanted = new Set<string>();
  const want = (place: string) => {
    if (wanted.has(place)) return;
    wanted.add(place);
    [...placesOf(place), ...(needs[place] ?? [])].forEach(want);
  };
  only.flatMap(placesOf).forEach(want);
  const run = async (place: string, places: Places): Promise<string> => {
    const maker = makers[place];
    if (!maker)
      throw new Error(`Nothing is made at ${place}: add it to \`makers\` of test/support/worldMakers.ts.`);
    return maker({
      api,
      organization,
      admin,
      canary,
      at: (name) => {
        if (places[name] === undefined)
          throw new Error(`${place} needs ${name}: add it to \`needs\` of test/support/worldMakers.ts.`);
        return places[name];
      },
      send: async (method, path, json) => {
        const { status, body } = await api.call(method, `/v1${fill(path, places)}`, {
          token: admin.token,
          ...(json !== undefined && { json }),
        });
        if (status >= 300)
          throw new Error(`To make ${place}, ${method} ${path} answered ${status}: ${JSON.stringify(body)}`);
        return body;
      },
    });
  };
  const makeAll = async (places: Record<string, string>): Promise<Places> => {
    for (const place of Object.keys(makers))
      if (wanted.has(place) && places[place] === undefined) places[place] = await run(place, places);
    return places;
  };
  const places = await makeAll({});
  return {
    organization,
    admin,
    canary,
    places,
    make: (place) => run(place, { ...places }),
    makeTwin: () => makeAll(Object.fromEntries(Object.entries(places).filter(([place]) => isShared(place)))),
  };
}

/** Lists the places of a path, from the outermost; each ends in an id. */
export function placesOf(path: string): string[] {
  return [...path.matchAll(/[:*]\w+/g)].map(({ index, 0: name }) => path.slice(0, index + name.length));
}

/** Fills in the id for each place of a path. */
export function fill(path: string, places: Places): string {
  return placesOf(path).reduceRight((text, place) => {
    const id = places[place];
    if (id === undefined)
      throw new Error(`Nothing stands at ${place}: add it to \`makers\` of test/support/worldMakers.ts.`);
    const start = Math.max(place.lastIndexOf(':'), place.lastIndexOf('*'));
    return text.slice(0, start) + encodeURIComponent(id) + text.slice(place.length);
  }, path);
}

/** Whether a place has no parent other than the organization, so that the parent cannot be wrong. */
export function isShared(place: string): boolean {
  return [
    '/orgs/:organizationId',
    '/org/:organizationId',
    '/users/:userId',
    '/email-domains/:emailDomain',
  ].includes(place);
}
