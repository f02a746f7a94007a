import fc from 'fast-check';
import { expect } from 'vitest';
import type { TestApi } from '../../support/apiServer.ts';
import { buildSite, buildSpace } from '../../support/factories.ts';
import { it } from '../../support/it.ts';
import { expectWholeSite } from '../../support/stores/siteInvariants.ts';

// Random changes to the structure of a site, through the API, beside a model of it that fits on a page: after
// each, both say the same.

/** A site space: its id, and which of the spaces it shows. */
type Spot = { id: string; space: number };
type Section = { id: string; spots: Spot[]; first?: string };
type Group = { id: string; sections: Section[] };
/** `spots` and `first` are those of a site without sections; `first` is the default. */
type Model = { root: (Section | Group)[]; spots: Spot[]; first?: string; firstSection?: string };
type Real = { api: TestApi; site: string; path: string; token: string; spaces: string[] };
type Command = fc.AsyncCommand<Model, Real>;

const isGroup = (one: Section | Group): one is Group => 'sections' in one;
const sectionsOf = (model: Model) => model.root.flatMap((one) => (isGroup(one) ? one.sections : [one]));
const groupsOf = (model: Model) => model.root.filter(isGroup);
const placesOf = (model: Model): { spots: Spot[]; first?: string }[] =>
  sectionsOf(model).length > 0 ? sectionsOf(model) : [model];
const spotsOf = (model: Model) => placesOf(model).flatMap(({ spots }) => spots);
const pick = <T>(from: readonly T[], n: number): T | undefined => from[n % Math.max(1, from.length)];
const remove = <T extends { id: string }>(from: T[], id: string | undefined) =>
  from.splice(0, from.length, ...from.filter((one) => one.id !== id));

const nat = fc.nat({ max: 11 });
const send = async ({ api, path, token }: Real, method: string, end: string, json?: unknown) =>
  api.call(method, path + end, { token, ...(json !== undefined && { json }) });

/** @param act  says what the model expects, changes it, and calls the real thing */
const command = (name: string, act: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  run: async (model, real) => {
    await act(model, real);
    await compare(model, real);
  },
  toString: () => name,
});

const addSpace = fc.tuple(nat, nat, fc.boolean()).map(([n, at, named]) =>
  command(`space ${n} into ${named ? at : 'the default'}`, async (model, real) => {
    const space = n % real.spaces.length;
    const sections = sectionsOf(model);
    const section = named ? pick(sections, at) : sections.find(({ id }) => id === model.firstSection);
    const place = sections.length === 0 ? model : section;
    const sectionId = named ? (pick(sections, at)?.id ?? 'nothing') : undefined;
    const { status, body } = await send(real, 'POST', '/site-spaces', {
      spaceId: real.spaces[space],
      sectionId,
    });
    const isThere = place?.spots.some((spot) => spot.space === space);
    const expected = isThere ? 409 : 201;
    expect(status).toBe(sectionId === 'nothing' ? 400 : expected);
    if (status !== 201 || !place) return;
    place.spots.push({ id: body.id, space });
    place.first ??= body.id;
  }),
);

const addSection = nat.map((n) =>
  command(`section with ${n}`, async (model, real) => {
    const space = n % real.spaces.length;
    const { status, body } = await send(real, 'POST', '/sections', { spaceId: real.spaces[space] });
    expect(status).toBe(201);
    if (sectionsOf(model).length === 0 && model.spots.length > 0) {
      const { items } = (await send(real, 'GET', '/sections')).body;
      const gathered = items.find(({ id }: { id: string }) => id !== body.id);
      model.root.push({ id: gathered.id, spots: model.spots, ...(model.first && { first: model.first }) });
      model.firstSection = gathered.id;
      model.spots = [];
      delete model.first;
    }
    model.root.push({
      id: body.id,
      spots: [{ id: body.siteSpaces[0].id, space }],
      first: body.siteSpaces[0].id,
    });
    model.firstSection ??= body.id;
  }),
);

const removeSpot = nat.map((n) =>
  command(`remove site space ${n}`, async (model, real) => {
    const id = pick(spotsOf(model), n)?.id;
    expect((await send(real, 'DELETE', `/site-spaces/${id ?? 'nothing'}`)).status).toBe(204);
    for (const place of placesOf(model)) {
      const at = place.spots.findIndex((spot) => spot.id === id);
      if (at === -1) continue;
      place.spots.splice(at, 1);
      if (place.first !== id) continue;
      const next = place.spots[at] ?? place.spots[0];
      if (next) place.first = next.id;
      else delete place.first;
    }
  }),
);

const removeSection = nat.map((n) =>
  command(`remove section ${n}`, async (model, real) => {
    const all = sectionsOf(model);
    const at = n % Math.max(1, all.length);
    const id = all[at]?.id;
    expect((await send(real, 'DELETE', `/sections/${id ?? 'nothing'}`)).status).toBe(204);
    for (const siblings of [model.root, ...groupsOf(model).map(({ sections }) => sections)])
      remove(siblings, id);
    if (model.firstSection !== id) return;
    const next = all[at + 1] ?? all.find((section) => section.id !== id);
    if (next) model.firstSection = next.id;
    else delete model.firstSection;
  }),
);

const addGroup = fc.uniqueArray(nat, { maxLength: 3 }).map((places) =>
  command(`group of ${places.join()}`, async (model, real) => {
    const chosen = [...new Set(places.flatMap((n) => pick(sectionsOf(model), n) ?? []))];
    const { status, body } = await send(real, 'POST', '/section-groups', {
      title: 'Group',
      sections: chosen.map(({ id }) => id),
    });
    expect(status).toBe(201);
    for (const { id } of chosen)
      for (const siblings of [model.root, ...groupsOf(model).map(({ sections }) => sections)])
        remove(siblings, id);
    model.root.push({ id: body.id, sections: chosen });
  }),
);

const removeGroup = nat.map((n) =>
  command(`remove group ${n}`, async (model, real) => {
    const group = pick(groupsOf(model), n);
    expect((await send(real, 'DELETE', `/section-groups/${group?.id ?? 'nothing'}`)).status).toBe(204);
    if (group) model.root.splice(model.root.indexOf(group), 1, ...group.sections);
  }),
);

const regroup = fc.tuple(nat, nat, fc.boolean()).map(([n, at, isOut]) =>
  command(`section ${n} ${isOut ? 'out of' : 'into'} group ${at}`, async (model, real) => {
    const [section, group] = [pick(sectionsOf(model), n), pick(groupsOf(model), at)];
    const path = `/section-groups/${group?.id ?? 'nothing'}/sections`;
    const { status } = isOut
      ? await send(real, 'DELETE', `${path}/${section?.id ?? 'nothing'}`)
      : await send(real, 'POST', path, { sectionId: section?.id ?? 'nothing' });
    const added = section ? 201 : 400;
    const expected = isOut ? 204 : added;
    expect(status).toBe(group ? expected : 404);
    const isIn = section && group?.sections.includes(section);
    if (!section || !group || isOut !== Boolean(isIn)) return;
    for (const siblings of [model.root, ...groupsOf(model).map(({ sections }) => sections)])
      remove(siblings, section.id);
    (isOut ? model.root : group.sections).push(section);
  }),
);

/** The lists in which something can be sorted, each with the type of each of its items. */
function ordersOf(model: Model): { type: string; id: string }[][] {
  const section = ({ id }: { id: string }) => ({ type: 'site-section', id });
  const root = model.root.map((one) =>
    isGroup(one) ? { type: 'site-section-group', id: one.id } : section(one),
  );
  const spots = placesOf(model).map((place) => place.spots.map(({ id }) => ({ type: 'site-space', id })));
  return [root, ...groupsOf(model).map(({ sections }) => sections.map(section)), ...spots].filter(
    (order) => order.length > 0,
  );
}

const sort = fc
  .tuple(nat, nat, nat, fc.constantFrom('before', 'after', 'between'))
  .map(([n, from, to, how]) =>
    command(`in order ${n}, ${from} ${how} ${to}`, async (model, real) => {
      const order = pick(ordersOf(model), n);
      const item = order && pick(order, from);
      if (!order || !item) return;
      const rest = order.filter((one) => one !== item);
      const neighbour = pick(order, to);
      const at = rest.findIndex((one) => one === neighbour) + (how === 'before' ? 0 : 1);
      const position = {
        ...(how !== 'after' && { before: rest[at] ?? neighbour }),
        ...(how !== 'before' && { after: rest[at - 1] ?? neighbour }),
      };
      const { status } = await send(real, 'PATCH', '/structure/sort', { item, position });
      const isRight = neighbour !== item && (how !== 'between' || rest[at] !== undefined);
      expect(status).toBe(isRight ? 200 : 400);
      if (!isRight) return;
      const ids = rest.toSpliced(at, 0, item).map(({ id }) => id);
      const lists: { id: string }[][] = [
        model.root,
        ...groupsOf(model).map(({ sections }) => sections),
        ...placesOf(model).map(({ spots }) => spots),
      ];
      for (const list of lists)
        if (list.some(({ id }) => id === item.id)) list.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
    }),
  );

const chooseDefault = fc.tuple(nat, nat).map(([n, at]) =>
  command(`default section ${n}, in it ${at}`, async (model, real) => {
    const section = pick(sectionsOf(model), n);
    const place = section ?? model;
    const spot = pick(place.spots, at);
    const { status } = await send(real, 'PATCH', '', {
      defaultSiteSection: section?.id,
      defaultSiteSpace: spot?.id,
    });
    expect(status).toBe(200);
    if (section) model.firstSection = section.id;
    if (spot) place.first = spot.id;
  }),
);

const swap = fc.tuple(nat, nat).map(([n, to]) =>
  command(`site space ${n} shows ${to}`, async (model, real) => {
    const spot = pick(spotsOf(model), n);
    const space = to % real.spaces.length;
    const siblings = placesOf(model).find(({ spots }) => spot && spots.includes(spot))?.spots ?? [];
    const { status } = await send(real, 'PATCH', `/site-spaces/${spot?.id ?? 'nothing'}`, {
      spaceId: real.spaces[space],
    });
    const expected = siblings.some((one) => one !== spot && one.space === space) ? 409 : 200;
    expect(status).toBe(spot ? expected : 404);
    if (spot && status === 200) spot.space = space;
  }),
);

type Shown = {
  id: string;
  default: boolean;
  space: { id: string };
  siteSpaces: Shown[];
  sections?: Shown[];
  sectionGroup?: string;
};

async function compare(model: Model, real: Real): Promise<void> {
  const spots = ({ spots: own, first }: { spots: Spot[]; first?: string }) =>
    own.map(({ id, space }) => [id, real.spaces[space], id === first]);
  const section = (one: Section) => [one.id, one.id === model.firstSection, spots(one)];
  const hasSections = sectionsOf(model).length > 0;
  const expected = hasSections
    ? model.root.map((one) => (isGroup(one) ? [one.id, one.sections.map(section)] : section(one)))
    : spots(model);

  const shownSpots = (all: Shown[]) => all.map((one) => [one.id, one.space.id, one.default]);
  const shownSection = (one: Shown) => [one.id, one.default, shownSpots(one.siteSpaces)];
  const { body } = await send(real, 'GET', '/structure');
  const shown = hasSections
    ? body.structure.map((one: Shown) =>
        one.sections ? [one.id, one.sections.map(shownSection)] : shownSection(one),
      )
    : shownSpots(body.structure);
  expect([body.type, shown]).toEqual([hasSections ? 'sections' : 'siteSpaces', expected]);

  const [sections, siteSpaces, site] = await Promise.all(
    ['/sections', '/site-spaces', ''].map(async (path) => (await send(real, 'GET', path)).body),
  );
  expect(sections.items.map(shownSection)).toEqual(sectionsOf(model).map(section));
  expect(shownSpots(siteSpaces.items)).toEqual(placesOf(model).flatMap(spots));
  expect(site.siteSpaces).toBe(spotsOf(model).length);
  await expectWholeSite(real.site);
}

it(
  'the structure of a site behaves like its model',
  { timeout: 60_000 },
  async ({ api, organization, admin }) => {
    const spaces = await Promise.all(
      ['A', 'B', 'C', 'D'].map((title) => buildSpace(organization, { title })),
    );
    const some = [
      addSpace,
      addSpace,
      addSection,
      addSection,
      removeSpot,
      removeSection,
      addGroup,
      removeGroup,
      regroup,
      regroup,
    ];
    const commands = fc.commands([...some, sort, sort, sort, chooseDefault, swap], {
      maxCommands: 30,
      size: 'max',
    });
    await fc.assert(
      fc.asyncProperty(commands, async (run) => {
        const site = await buildSite(organization);
        const path = `/v1/orgs/${organization._id}/sites/${site._id}`;
        const real: Real = {
          api,
          site: site._id,
          path,
          token: admin.token,
          spaces: spaces.map(({ _id }) => _id),
        };
        await fc.asyncModelRun(() => ({ model: { root: [], spots: [] }, real }), run);
      }),
      { numRuns: 10, endOnFailure: false, interruptAfterTimeLimit: 25_000 },
    );
  },
);
