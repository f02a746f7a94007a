import type { Role } from '@bindery/contract';

/**
 * The users who view the trees besides the admin: a member of both organizations, and a guest of the first
 * one.
 */
export type Person = 'member' | 'guest';
export const people: readonly Person[] = ['member', 'guest'];
export const roles: readonly Role[] = ['read', 'comment', 'edit', 'review', 'create', 'admin'];

type Level = Role | 'inherit' | null;

/** A collection or a space. Everything is named by a number; only the real platform knows the ids. */
export type Node = {
  kind: 'collection' | 'space';
  organization: number;
  title: string;
  parent?: number;
  level: Level;
  isDeleted: boolean;
  grants: Map<Person, Role>;
};

/**
 * The content of two organizations, and all rules for changing it: a model, in a few maps, of the API's
 * transactions on many records.
 */
export type TreeModel = {
  nodes: Map<number, Node>;
  /** The content of each place, in order, deleted spaces included. */
  orders: Map<string, number[]>;
  made: number;
};

/** The role of each person in the two organizations; undefined is not a member. */
const memberships: Record<Person, readonly (Role | null | undefined)[]> = {
  member: ['read', 'review'],
  guest: [null, undefined],
};
export const defaultRoles: readonly Role[] = ['read', 'comment'];

export const newTree = (): TreeModel => ({ nodes: new Map(), orders: new Map(), made: 0 });

export const placeOf = ({ parent, organization }: Pick<Node, 'parent' | 'organization'>) =>
  parent === undefined ? `organization ${organization}` : `collection ${parent}`;

const orderIn = ({ orders }: TreeModel, place: string): number[] => {
  const order = orders.get(place) ?? [];
  orders.set(place, order);
  return order;
};

export const live = (tree: TreeModel, n: number): Node | undefined => {
  const node = tree.nodes.get(n);
  return node?.isDeleted ? undefined : node;
};

/** Returns the ancestor collections, nearest first. */
function above(tree: TreeModel, node: Node): Node[] {
  const parent = node.parent === undefined ? undefined : tree.nodes.get(node.parent);
  return parent ? [parent, ...above(tree, parent)] : [];
}

function levelOf(tree: TreeModel, node: Node): Level {
  const explicit = [node, ...above(tree, node)].find(({ level }) => level !== 'inherit');
  return explicit ? explicit.level : 'inherit';
}

export const shownLevelOf = (tree: TreeModel, node: Node): Role | null => {
  const level = levelOf(tree, node);
  return level === 'inherit' ? (defaultRoles[node.organization] ?? null) : level;
};

function grantOf(tree: TreeModel, node: Node, person: Person): Role | undefined {
  const granted = [node, ...above(tree, node)].flatMap(({ grants }) => grants.get(person) ?? []);
  return granted.toSorted((a, b) => roles.indexOf(b) - roles.indexOf(a))[0];
}

export function roleOf(tree: TreeModel, node: Node, person: Person): Role | null {
  const own = memberships[person][node.organization];
  if (own === undefined) return null;
  const granted = grantOf(tree, node, person);
  if (granted || own === null) return granted ?? null;
  const level = levelOf(tree, node);
  return level === 'inherit' ? own : level;
}

export function add(tree: TreeModel, node: Node): number {
  const n = tree.made;
  tree.made += 1;
  tree.nodes.set(n, node);
  orderIn(tree, placeOf(node)).push(n);
  return n;
}

function below(tree: TreeModel, n: number): number[] {
  return [...tree.nodes].flatMap(([child, { parent }]) =>
    parent === n ? [child, ...below(tree, child)] : [],
  );
}

/** Moves a node to the end of another place. */
function append(tree: TreeModel, n: number, to: Pick<Node, 'parent' | 'organization'>): void {
  const node = tree.nodes.get(n) as Node;
  const order = orderIn(tree, placeOf(node));
  order.splice(order.indexOf(n), 1);
  node.organization = to.organization;
  if (to.parent === undefined) delete node.parent;
  else node.parent = to.parent;
  orderIn(tree, placeOf(node)).push(n);
}

export function removeCollection(tree: TreeModel, n: number): void {
  const { organization } = tree.nodes.get(n) as Node;
  const gone = below(tree, n).toSorted((a, b) => a - b);
  for (const child of gone.filter((one) => tree.nodes.get(one)?.kind === 'space')) {
    const space = tree.nodes.get(child) as Node;
    // Access inherited from above becomes the space's own.
    const level = levelOf(tree, space);
    const grants = people.flatMap((person) => {
      const role = grantOf(tree, space, person);
      return role ? [[person, role] as const] : [];
    });
    append(tree, child, { organization });
    Object.assign(space, { isDeleted: true, level, grants: new Map(grants) });
  }
  const order = orderIn(tree, placeOf(tree.nodes.get(n) as Node));
  order.splice(order.indexOf(n), 1);
  for (const child of [n, ...gone].filter((one) => tree.nodes.get(one)?.kind === 'collection')) {
    tree.nodes.delete(child);
    tree.orders.delete(`collection ${child}`);
  }
}

export function transfer(tree: TreeModel, n: number, organization: number): void {
  append(tree, n, { organization });
  for (const child of [n, ...below(tree, n)]) {
    const node = tree.nodes.get(child) as Node;
    node.organization = organization;
    for (const person of people)
      if (memberships[person][organization] === undefined) node.grants.delete(person);
  }
}

/** The target of a move: `parent` undefined keeps the parent. */
export type Destination = { parent?: number | null; before?: number; after?: number };

/** Moves a node. @returns the status of the answer */
export function move(tree: TreeModel, n: number, { parent, before, after }: Destination): 200 | 400 | 409 {
  const node = tree.nodes.get(n) as Node;
  const to = parent === undefined ? node.parent : (parent ?? undefined);
  if (to !== undefined && to !== node.parent) {
    const collection = live(tree, to);
    if (collection?.kind !== 'collection' || collection.organization !== node.organization) return 400;
  }
  if (to !== undefined && [n, ...below(tree, n)].includes(to)) return 400;
  const place = placeOf({ organization: node.organization, ...(to !== undefined && { parent: to }) });
  const stays = place === placeOf(node);
  const full = orderIn(tree, place);
  const shown = full.filter((one) => one !== n && live(tree, one));
  for (const neighbour of [before, after])
    if (neighbour !== undefined && !shown.includes(neighbour)) return 400;
  const right = before ?? (after === undefined ? undefined : shown[shown.indexOf(after) + 1]);
  const left = after ?? (before === undefined ? undefined : shown[shown.indexOf(before) - 1]);
  if (before !== undefined && after !== undefined && shown[shown.indexOf(after) + 1] !== before) return 400;
  const at = (one: number | undefined, otherwise: number) =>
    one === undefined ? otherwise : full.indexOf(one);
  const asksNothing = before === undefined && after === undefined;
  const isThere =
    stays && (asksNothing || (at(left, -1) < full.indexOf(n) && full.indexOf(n) < at(right, full.length)));
  if (isThere) return 409;
  append(tree, n, { organization: node.organization, ...(to !== undefined && { parent: to }) });
  if (asksNothing) return 200;
  const order = orderIn(tree, place);
  order.pop();
  const beforeRight = right === undefined ? order.length : order.indexOf(right);
  order.splice(left === undefined ? beforeRight : order.indexOf(left) + 1, 0, n);
  return 200;
}
