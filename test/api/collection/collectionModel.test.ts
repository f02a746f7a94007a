import type { Role } from '@bindery/contract';
import {
  Collection,
  Member,
  newMember,
  Space,
  type CollectionRecord,
  type SpaceRecord,
} from '@bindery/models';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { TestApi } from '../../support/apiServer.ts';
import { buildMember, buildMembership, buildOrganization, type TestUser } from '../../support/factories.ts';
import { it } from '../../support/it.ts';
import { isFull } from '../../support/resultTable.ts';
import {
  add,
  defaultRoles,
  live,
  move,
  newTree,
  people,
  placeOf,
  removeCollection,
  roleOf,
  roles,
  shownLevelOf,
  transfer,
  type Destination,
  type Node,
  type Person,
  type TreeModel,
} from '../../support/content/treeModel.ts';

// Random changes to the trees of two organizations, through the API, beside a model of them: after each, both
// say the same of what stands where, in which order, and of who may do what.

type Real = {
  api: TestApi;
  organizations: string[];
  ids: Map<number, string>;
  admin: TestUser;
  people: Record<Person, TestUser>;
};
type Command = fc.AsyncCommand<TreeModel, Real>;

const call = (real: Real, method: string, path: string, json?: unknown, { token } = real.admin) =>
  real.api.call(method, `/v1${path}`, { token, ...(json !== undefined && { json }) });
const idOf = (real: Real, n: number) => real.ids.get(n) ?? 'nothing';
const pathOf = (real: Real, n: number, { kind }: Node) => `/${kind}s/${idOf(real, n)}`;

/** @param act  says what the model expects, changes it, and calls the real thing */
const command = (name: string, act: (tree: TreeModel, real: Real) => Promise<unknown>): Command => ({
  check: () => true,
  run: async (tree, real) => {
    await act(tree, real);
    await compare(tree, real);
  },
  toString: () => name,
});

/** Counted from the newest, so that what was made last is changed most; beyond the oldest it begins again. */
const some = fc.nat({ max: 6 });
const pickFrom = (numbers: readonly number[], n: number): number | undefined =>
  numbers.at(-1 - (n % numbers.length));
const pick = (tree: TreeModel, n: number, of: (node: Node) => boolean = () => true): number | undefined =>
  pickFrom(
    [...tree.nodes].filter(([, node]) => of(node)).map(([number]) => number),
    n,
  );
const isCollection = ({ kind }: Node) => kind === 'collection';
const level = fc.constantFrom<Role | 'inherit' | null>('inherit', 'inherit', null, 'read', 'edit', 'create');

const mostly = (often: number, rarely: number) => fc.constantFrom(often, often, often, often, rarely);
const create = fc
  .tuple(fc.boolean(), mostly(0, 1), fc.option(some, { freq: 3 }))
  .map(([isSpace, organization, n]) =>
    command(
      `create a ${isSpace ? 'space' : 'collection'} in ${organization}, ${n ?? 'root'}`,
      async (tree, real) => {
        const parent =
          n === null
            ? undefined
            : pick(tree, n, (node) => isCollection(node) && (node.organization === organization || n === 0));
        const kind = isSpace ? 'space' : 'collection';
        const title = `${kind} ${tree.made}`;
        const isRight = parent === undefined || tree.nodes.get(parent)?.organization === organization;
        const json = { title, ...(parent !== undefined && { parent: idOf(real, parent) }) };
        const { status, body } = await call(
          real,
          'POST',
          `/orgs/${real.organizations[organization]}/${kind}s`,
          json,
        );
        expect(status).toBe(isRight ? 201 : 400);
        if (!isRight) return;
        const node: Node = {
          kind,
          organization,
          title,
          level: 'inherit',
          isDeleted: false,
          grants: new Map(),
          ...(parent !== undefined && { parent }),
        };
        real.ids.set(add(tree, node), body.id);
      },
    ),
  );

const change = fc.tuple(some, level).map(([n, to]) =>
  command(`level ${n} ${to}`, async (tree, real) => {
    const one = pick(tree, n);
    if (one === undefined) return;
    const node = tree.nodes.get(one) as Node;
    const { status } = await call(real, 'PATCH', pathOf(real, one, node), {
      defaultLevel: to,
      title: `${node.title}!`.slice(0, 50),
    });
    expect(status).toBe(node.isDeleted ? 404 : 200);
    if (!node.isDeleted) Object.assign(node, { level: to, title: `${node.title}!`.slice(0, 50) });
  }),
);

const remove = some.map((n) =>
  command(`delete ${n}`, async (tree, real) => {
    const one = pick(tree, n);
    if (one === undefined) return;
    const node = tree.nodes.get(one) as Node;
    expect((await call(real, 'DELETE', pathOf(real, one, node))).status).toBe(204);
    if (isCollection(node)) removeCollection(tree, one);
    else node.isDeleted = true;
  }),
);

const restore = some.map((n) =>
  command(`restore ${n}`, async (tree, real) => {
    const one = pick(tree, n, ({ kind }) => kind === 'space');
    if (one === undefined) return;
    const node = tree.nodes.get(one) as Node;
    expect((await call(real, 'POST', `/spaces/${idOf(real, one)}/restore`)).status).toBe(
      node.isDeleted ? 200 : 409,
    );
    node.isDeleted = false;
  }),
);

const place = fc.constantFrom('keep', 'root', 'collection', 'collection', 'collection');
const relocate = fc
  .tuple(some, some, place, fc.option(some, { freq: 2 }), fc.option(some, { freq: 2 }))
  .map(([n, to, where, before, after]) =>
    command(`move ${n} to ${where} ${to} before ${before} after ${after}`, async (tree, real) => {
      const one = pick(tree, n);
      if (one === undefined) return;
      const node = tree.nodes.get(one) as Node;
      const wanted = where === 'root' ? undefined : pick(tree, to, isCollection);
      const parent = where === 'keep' ? node.parent : wanted;
      const siblings =
        tree.orders.get(
          placeOf({ organization: node.organization, ...(parent !== undefined && { parent }) }),
        ) ?? [];
      const destination: Destination = { ...(where !== 'keep' && { parent: parent ?? null }) };
      const position: Record<string, unknown> = {};
      for (const [name, at] of [
        ['before', before],
        ['after', after],
      ] as const) {
        const neighbour = at === null ? undefined : pickFrom(siblings, at);
        if (neighbour === undefined) continue;
        destination[name] = neighbour;
        const { kind } = tree.nodes.get(neighbour) as Node;
        position[name] = { type: kind, [kind]: idOf(real, neighbour) };
      }
      const json = {
        ...(where !== 'keep' && { parent: parent === undefined ? null : idOf(real, parent) }),
        position,
      };
      const { status } = await call(real, 'POST', `${pathOf(real, one, node)}/move`, json);
      expect(status).toBe(node.isDeleted ? 404 : move(tree, one, destination));
    }),
  );

const handOver = fc.tuple(some, mostly(1, 0)).map(([n, organization]) =>
  command(`transfer ${n} to ${organization}`, async (tree, real) => {
    const one = pick(tree, n);
    if (one === undefined) return;
    const node = tree.nodes.get(one) as Node;
    const { status } = await call(real, 'POST', `${pathOf(real, one, node)}/transfer`, {
      organization: real.organizations[organization],
    });
    const isSame = node.organization === organization;
    const expected = isSame ? 409 : 200;
    expect(status).toBe(node.isDeleted ? 404 : expected);
    if (!node.isDeleted && !isSame) transfer(tree, one, organization);
  }),
);

const grant = fc
  .tuple(some, fc.constantFrom(...people), fc.constantFrom<Role | null>(...roles, null))
  .map(([n, person, role]) =>
    command(`grant ${role} in ${n} to the ${person}`, async (tree, real) => {
      const one = pick(tree, n);
      if (one === undefined) return;
      const node = tree.nodes.get(one) as Node;
      const { status } = await call(real, 'POST', `${pathOf(real, one, node)}/permissions`, {
        role,
        users: [real.people[person].user._id],
      });
      const isStranger = person === 'guest' && node.organization === 1;
      const expected = isStranger ? 400 : 204;
      expect(status).toBe(node.isDeleted ? 404 : expected);
      if (node.isDeleted || isStranger) return;
      if (role) node.grants.set(person, role);
      else node.grants.delete(person);
    }),
  );

async function compare(tree: TreeModel, real: Real): Promise<void> {
  const numberOf = new Map([...real.ids].map(([n, id]) => [id, n]));
  const lists = real.organizations.flatMap((id, organization) =>
    (['admin', ...people] as const).flatMap((person) =>
      // The guest is no member of the second one.
      person === 'guest' && organization === 1
        ? []
        : (['collection', 'space'] as const).map((kind) => ({ id, organization, person, kind })),
    ),
  );
  await Promise.all(
    lists.map(async ({ id, organization, person, kind }) => {
      const user = person === 'admin' ? real.admin : real.people[person];
      const { status, body } = await call(real, 'GET', `/orgs/${id}/${kind}s?limit=1000`, undefined, user);
      expect(status).toBe(200);
      const expected = [...tree.nodes].flatMap(([n, node]) => {
        const role = person === 'admin' ? 'admin' : roleOf(tree, node, person);
        return role && node.kind === kind && node.organization === organization && live(tree, n)
          ? [shownAs(tree, n, node, role)]
          : [];
      });
      const shown = body.items.map((one: Shown) => [
        numberOf.get(one.id),
        one.title,
        one.parent === undefined ? undefined : numberOf.get(one.parent),
        one.defaultLevel,
        ...booleansOf(kind, one.permissions),
      ]);
      expect(shown.toSorted(byNumber), `${kind}s of ${organization} as the ${person} sees them`).toEqual(
        expected.toSorted(byNumber),
      );
    }),
  );
  await compareOrders(tree, numberOf);
}

type Shown = {
  id: string;
  title: string;
  parent?: string;
  defaultLevel: Role | null;
  permissions: Record<string, boolean>;
};
const byNumber = (a: unknown[], b: unknown[]) => Number(a[0]) - Number(b[0]);
const includes = (role: Role, needed: Role) => roles.indexOf(role) >= roles.indexOf(needed);

function shownAs(tree: TreeModel, n: number, node: Node, role: Role): unknown[] {
  const needed: Role[] =
    node.kind === 'space'
      ? ['read', 'comment', 'edit', 'review', 'create', 'admin']
      : ['read', 'create', 'admin'];
  return [n, node.title, node.parent, shownLevelOf(tree, node), ...needed.map((one) => includes(role, one))];
}

function booleansOf(kind: Node['kind'], permissions: Record<string, boolean>): (boolean | undefined)[] {
  const names =
    kind === 'space'
      ? ['view', 'comment', 'edit', 'review', 'triggerGitSync', 'admin']
      : ['view', 'create', 'admin'];
  return names.map((name) => permissions[name]);
}

/** No list shows collections and spaces in their one order, so it is read where it stands. */
async function compareOrders(tree: TreeModel, numberOf: Map<string, number>): Promise<void> {
  const ids = [...numberOf.keys()];
  const records = [
    ...(await Collection.find({ _id: { $in: ids } }).lean<CollectionRecord[]>()),
    ...(await Space.find({ _id: { $in: ids } }).lean<SpaceRecord[]>()),
  ].toSorted((a, b) => (a.position < b.position ? -1 : 1));
  const stored = Map.groupBy(records, ({ siblingsOf }) => siblingsOf);
  expect([...stored.values()].flat().length).toBe(tree.nodes.size);
  const seen = new Set<string>();
  for (const found of stored.values()) {
    const numbers = found.map(({ _id }) => numberOf.get(_id) as number);
    const place = placeOf(tree.nodes.get(numbers[0] as number) as Node);
    seen.add(place);
    const expected = tree.orders.get(place) ?? [];
    expect(numbers.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
    const shown = (order: number[]) => order.filter((n) => live(tree, n));
    expect(shown(numbers), place).toEqual(shown(expected));
    // Between which of its neighbours a deleted one stands is nobody's business until it is restored.
    tree.orders.set(place, numbers);
  }
  for (const [place, order] of tree.orders) if (!seen.has(place)) expect(order, place).toEqual([]);
}

it(
  'the trees of two organizations match a model after random operations',
  { timeout: 60_000 },
  async ({ api }) => {
    const commands = fc.commands(
      [
        create,
        create,
        create,
        create,
        change,
        remove,
        restore,
        relocate,
        relocate,
        handOver,
        relocate,
        grant,
        grant,
      ],
      { maxCommands: 40, size: 'max' },
    );
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        await fc.asyncModelRun(async () => ({ model: newTree(), real: await build(api) }), sequence);
      }),
      { numRuns: isFull ? 24 : 6, endOnFailure: false, interruptAfterTimeLimit: 30_000 },
    );
  },
);

async function build(api: TestApi): Promise<Real> {
  const [first, second] = [
    await buildOrganization({ defaultRole: defaultRoles[0] ?? null }),
    await buildOrganization({ defaultRole: defaultRoles[1] ?? null }),
  ];
  await buildMembership(second.organization, first.admin, 'admin');
  const member = await buildMember(first.organization, 'read');
  await Member.create(newMember(member.user, { organization: second.organization._id, role: 'review' }));
  const guest = await buildMember(first.organization, null);
  return {
    api,
    organizations: [first.organization._id, second.organization._id],
    ids: new Map(),
    admin: first.admin,
    people: { member, guest },
  };
}
