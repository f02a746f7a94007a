import { mongoDatabase } from '@bindery/models';
import { newId } from '@bindery/runtime';
import type { Document } from 'mongodb';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import type { Route } from '../../apps/api/src/http/scope.ts';
import { routes } from '../../apps/api/src/routes.ts';
import { buildMember, buildTeam, type TestUser } from '../support/factories.ts';
import { indexEverything } from '../support/content/indexing.ts';
import { it as base } from '../support/it.ts';
import { buildWorld, fill, placesOf, type World } from '../support/world.ts';

// Every list, page by page and with each of its filters, as an admin, a member in two teams and a guest see
// it, while MongoDB writes down what it was asked and how it found it: along an index, in the order of that
// index, and with as many queries for many items as for few.

/** Values for filters that are neither a word of a list nor true or false. */
const values: Record<string, (world: World) => string> = {
  pageId: () => 'page',
  title: ({ canary }) => canary.slice(0, 8),
  search: ({ canary }) => canary.slice(0, 8),
  owner: ({ admin }) => admin.user._id,
  creator: ({ admin }) => admin.user._id,
  contributor: ({ admin }) => admin.user._id,
  requestedReviewer: ({ admin }) => admin.user._id,
  authors: ({ admin }) => admin.user._id,
  space: ({ places }) => places['/spaces/:spaceId'] ?? '',
  subject: ({ places }) => places['/spaces/:spaceId'] ?? '',
  targetPage: ({ places }) => places['/spaces/:spaceId/content/page/:pageId'] ?? '',
  shareKey: () => 'key',
  role: () => 'read',
  months: () => '24',
  kind: () => 'git-import',
  changeRequest: ({ places }) => places['/spaces/:spaceId/change-requests/:changeRequestId'] ?? '',
  site: ({ places }) => places['/orgs/:organizationId/sites/:siteId'] ?? '',
};

/** The required parameters of a list: in its query, or in the body of one that has a body. */
const required: Record<string, (world: World) => Record<string, string>> = {
  searchSpaceContent: ({ canary }) => ({ query: canary }),
  searchOrganizationContent: ({ canary }) => ({ query: canary }),
  searchSiteContent: ({ canary }) => ({ query: canary, mode: 'all' }),
};

/** Queries that may sort what they found, each with the reason: by operation and collection. */
const allowed: Record<string, string> = {
  'listOrganizationsForAuthenticatedUser organizations':
    'those of one person, found by their ids: there are few',
  'listTeamsForOrganizationMember teams': 'as above',
  'listSiteFeedback pageFeedback': 'sums of at most 24 records for each page of a site',
};

const roles = ['admin', 'create', 'review', 'edit', 'comment', 'read', null] as const;
const lists = routes.filter(({ kind }) => kind === 'list');

type Query = {
  op: string;
  ns: string;
  command: Document;
  planSummary?: string;
  hasSortStage?: boolean;
  keysExamined?: number;
};

const it = base
  /** A world with many of each object, and somebody of each kind who reads its lists. */
  .extend('world', { scope: 'file' }, async ({ api }) => {
    const paths = routes.map(({ path }) => path);
    // Another organization has the same, so that a query that forgets whose list it reads finds more than it
    // shows.
    await buildWorld(api, paths);
    const world = await buildWorld(api, paths);
    for (const place of Object.keys(world.places).filter((name) =>
      lists.some(({ path }) => isItemOf(name, path)),
    ))
      await world.make(place);
    const reader = await buildMember(world.organization, 'read');
    await buildTeam(world.organization, { members: [[reader, 'member']] });
    await buildTeam(world.organization, { members: [[reader, 'owner']] });
    const callers: [name: string, TestUser][] = [
      ['admin', world.admin],
      ['member', reader],
      ['guest', await buildMember(world.organization, null)],
    ];
    for (let i = 0; i < 60; i += 1) await buildMember(world.organization, roles[i % roles.length] ?? null);
    await indexEverything(api.config);
    await multiply();
    return {
      ...world,
      callers,
      places: { ...world.places, '/orgs/:organizationId/members/:userId': reader.user._id },
    };
  })
  /** What MongoDB was asked, from the moment when the world was there. */
  .extend('profile', { scope: 'file' }, async ({ world: _there }, { onCleanup }) => {
    const database = mongoDatabase();
    await database.createCollection('system.profile', { capped: true, size: 256 * 1024 * 1024 });
    await database.command({ profile: 2 });
    // It stays where it has read to. In a collection without an entry it would close; its own reading is
    // entered, too, and would never end.
    await database.collection('spaces').findOne();
    const entries = database
      .collection('system.profile')
      .find({ ns: { $not: /system\.profile$/ } }, { tailable: true });
    onCleanup(async () => {
      await entries.close();
      await database.command({ profile: 0 });
      await database.dropCollection('system.profile');
    });
    /** Has the entries since the last call. */
    return async () => {
      const found = [];
      for (let entry = await entries.tryNext(); entry; entry = await entries.tryNext())
        found.push(entry as unknown as Query);
      return found;
    };
  })
  .extend(
    'call',
    ({ api, world, profile }) =>
      async (route: Route, query: Record<string, string>, token: string) => {
        await profile();
        const needed = required[route.spec.operationId]?.(world);
        const isPost = route.method === 'post';
        const asked = new URLSearchParams({ ...query, ...(!isPost && needed) });
        const { status, body } = await api.call(
          route.method.toUpperCase(),
          `/v1${fill(route.path, world.places)}?${asked.toString()}`,
          {
            token,
            ...(isPost && { json: needed }),
          },
        );
        const queries = (await profile()).filter(
          ({ op, ns }) => ['query', 'command', 'getmore'].includes(op) && !ns.includes('system.'),
        );
        const text = new URLSearchParams({ ...query, ...(query['page'] && { page: '...' }) }).toString();
        return {
          status,
          query: text,
          queries,
          items: body.items?.length as number,
          next: body.next?.page as string | undefined,
        };
      },
  );

describe('a list uses indexes for filters and order', () => {
  it.for(lists.map((route) => [route.spec.operationId, route] as const))(
    '%s',
    // The first one makes the world.
    { timeout: 300_000 },
    async ([operationId, route], { world, call }) => {
      for (const [caller, { token }] of world.callers) {
        const pages = [];
        for (const filters of [{}, ...combinations(filtersOf(route, world))]) {
          const first = await call(route, { ...filters, limit: '1' }, token);
          // A guest is not let in everywhere.
          if (first.status === 404 || first.status === 403) break;
          expect([filters, first.status]).toEqual([filters, 200]);
          pages.push(first);
          if (first.next !== undefined)
            pages.push(await call(route, { ...filters, limit: '1', page: first.next }, token));
        }
        const problems = pages.flatMap(({ query, queries }) =>
          queries.flatMap((found) =>
            problemsOf(found, operationId).map((problem) => `as ${caller}, ?${query}: ${problem}`),
          ),
        );
        expect(problems.slice(0, 5)).toEqual([]);
      }
    },
  );
});

describe('a list sends as many queries for many items as for few', () => {
  it.for(lists.map((route) => [route.spec.operationId, route] as const))(
    '%s',
    async ([operationId, route], { world, call }) => {
      // Fills the caches of the process, so that neither of the two reads queries for them.
      await call(route, { limit: '20' }, world.admin.token);
      const few = await call(route, { limit: '1' }, world.admin.token);
      const many = await call(route, { limit: '20' }, world.admin.token);
      expect([operationId, many.queries.map(nameOf).toSorted()]).toEqual([
        operationId,
        few.queries.map(nameOf).toSorted(),
      ]);
      expect([operationId, many.items]).not.toEqual([operationId, 0]);
    },
  );
});

function problemsOf(found: Query, operationId: string): string[] {
  const collection = found.ns.slice(found.ns.indexOf('.') + 1);
  const shown = `${collection} ${JSON.stringify(found.command['filter'] ?? found.command['pipeline'] ?? found.command['query'])}`;
  // Of nothing there is nothing to sort: a guest without grants is in no list of readers.
  const sorts = found.hasSortStage && found.keysExamined !== 0 && !allowed[`${operationId} ${collection}`];
  return [
    ...(found.planSummary?.includes('COLLSCAN') ? [`reads all of ${shown}`] : []),
    ...(sorts
      ? [`sorts in memory (${found.planSummary}): ${JSON.stringify(found.command['sort'])} ${shown}`]
      : []),
  ];
}

function nameOf({ op, ns }: Query): string {
  return `${op} ${ns.slice(ns.indexOf('.') + 1)}`;
}

/**
 * With a handful of records every way to find them is as good as any other: MongoDB shows what it does once
 * there are more.
 */
async function multiply(): Promise<void> {
  for (const { collectionName } of await mongoDatabase().collections()) {
    if (single.has(collectionName)) continue;
    const collection = mongoDatabase().collection<Document & { _id: string }>(collectionName);
    const later = (value: unknown, i: number) =>
      value instanceof Date ? new Date(value.getTime() + i) : value;
    const copies = (await collection.find().toArray()).flatMap((record) =>
      Array.from({ length: 40 }, (_, i) => ({
        ...Object.fromEntries(Object.entries(record).map(([field, value]) => [field, later(value, i)])),
        _id: newId(),
      })),
    );
    // Of what has to be unique there stays one.
    if (copies.length > 0) await collection.insertMany(copies, { ordered: false }).catch(() => undefined);
  }
}

const single = new Set(['users', 'apiTokens', 'organizations', 'members']);

type Described = {
  type?: string;
  enum?: string[];
  items?: { enum?: string[]; $ref?: string };
  $ref?: string;
  allOf?: { $ref: string }[];
  $defs?: Record<string, { enum?: string[] }>;
};

/** Each filter of a list with the values that are tried. */
function filtersOf({ spec }: Route, world: World): [name: string, values: string[]][] {
  const { page: _page, limit: _limit, ...shape } = spec.query?.shape ?? {};
  const given = required[spec.operationId]?.(world) ?? {};
  const optional = Object.entries(shape).filter(([name]) => given[name] === undefined);
  return optional.map(([name, schema]) => {
    const { $defs = {}, ...described } = z.toJSONSchema(schema as z.ZodType, {
      io: 'input',
      unrepresentable: 'any',
    }) as Described;
    const target = described.$ref ?? described.allOf?.[0]?.$ref ?? described.items?.$ref ?? '';
    const words = described.enum ?? described.items?.enum ?? $defs[target.slice('#/$defs/'.length)]?.enum;
    const value = values[name]?.(world);
    const given = value === undefined ? undefined : [value];
    const known = words ?? (described.type === 'boolean' ? ['true', 'false'] : given);
    if (!known) throw new Error(`${spec.operationId} has the filter ${name}: give it a value in \`values\`.`);
    return [name, known];
  });
}

/** Each filter alone, and each two together. */
function combinations(filters: [name: string, values: string[]][]): Record<string, string>[] {
  const single = filters.flatMap(([name, some]) => some.map((value) => ({ [name]: value })));
  const pairs = single.flatMap((a, i) => single.slice(i + 1).map((b) => ({ ...a, ...b })));
  return [...single, ...pairs.filter((pair) => Object.keys(pair).length === 2)];
}

/** Whether what stands at the place is what a list below `path` shows. */
function isItemOf(place: string, path: string): boolean {
  return place.startsWith(`${path}/:`) && placesOf(place).length === placesOf(path).length + 1;
}
