import { Member, mongoDatabase } from '@bindery/models';
import { describe, expect } from 'vitest';
import type { ApiAnswer } from '../../support/apiServer.ts';
import { buildMember, buildOrganization, buildUser } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

/**
 * The members beside the admin, in the order in which they joined. Ben and Dora were never seen; Ben and Cem
 * joined at the same moment.
 */
const people = [
  { name: 'Ämne Öst', email: 'anna@alpha.example', role: 'edit', joined: 1, seen: 9 },
  { name: 'Ben', email: 'ben+x@beta.example', role: 'read', joined: 2 },
  { name: 'Cem (50%)', email: 'cem@alpha.example', role: 'edit', joined: 2, seen: 5 },
  { name: 'Dora', email: 'dora_a@beta.example', role: null, joined: 3 },
  { name: 'Eve', email: 'eve@gamma.example', role: null, joined: 4, seen: 7 },
] as const;

const namesOf = ({ body }: ApiAnswer): string[] =>
  body.items.map(({ user }: { user: { displayName: string } }) => user.displayName.split(' ')[0]);

const it = base
  .extend(
    'list',
    ({ api, organization, admin }) =>
      (query = '', { token } = admin) =>
        api.call('GET', `/v1/orgs/${organization._id}/members${query}`, { token }),
  )
  /** All names, a page at a time. */
  .extend('namesByPages', ({ list }) => async (query: string, limit: number): Promise<string[]> => {
    const names: string[] = [];
    let page: string | undefined;
    do {
      const answer = await list(`?limit=${limit}&${query}${page ? `&page=${page}` : ''}`);
      expect(answer.status).toBe(200);
      names.push(...namesOf(answer));
      page = answer.body.next?.page;
    } while (page);
    return names;
  });

it.beforeAll(async ({ organization, admin }) => {
  await Member.updateOne({ user: admin.user._id }, { $set: { joinedAt: at(0), displayName: 'Admin' } });
  for (const { name: displayName, email, role, joined, ...more } of people) {
    const { user } = await buildMember(organization, role);
    const lastSeenAt = 'seen' in more ? { lastSeenAt: at(more.seen) } : {};
    await Member.updateOne(
      { user: user._id },
      { $set: { displayName, email, joinedAt: at(joined), ...lastSeenAt } },
    );
  }
  // Somebody of another organization is in no list.
  await buildMember((await buildOrganization()).organization, 'edit');
});

describe('GET /v1/orgs/{organizationId}/members', () => {
  it('lists the newest members first, to every member', async ({ list }) => {
    const answer = await list('', await buildMember((await buildOrganization()).organization, 'admin'));
    expect(answer.status).toBe(404);
    const { status, body } = await list();
    expect([status, body.count]).toEqual([200, 6]);
    expect(namesOf(await list()).toSorted()).toEqual(['Admin', 'Ben', 'Cem', 'Dora', 'Eve', 'Ämne']);
    expect(namesOf(await list()).filter((name) => !['Ben', 'Cem'].includes(name))).toEqual([
      'Eve',
      'Dora',
      'Ämne',
      'Admin',
    ]);
  });

  it.for([
    ['sort=joinedAt&order=asc&role=edit', ['Ämne', 'Cem']],
    ['role=edit', ['Cem', 'Ämne']],
    ['role=guest', ['Eve', 'Dora']],
    ['role=admin', ['Admin']],
    ['role=review', []],
    ['sort=lastSeenAt', ['Ämne', 'Eve', 'Cem']],
    ['sort=lastSeenAt&order=asc', ['Cem', 'Eve', 'Ämne']],
    ['sort=lastSeenAt&role=guest', ['Eve']],
    ['sort=lastSeenAt&role=read', []],
    ['sort=name&order=asc', ['Admin', 'Ben', 'Cem', 'Dora', 'Eve', 'Ämne']],
    ['sort=name', ['Ämne', 'Eve', 'Dora', 'Cem', 'Ben', 'Admin']],
    ['sort=name&order=asc&role=guest', ['Dora', 'Eve']],
    ['sort=name&order=asc&role=edit', ['Cem', 'Ämne']],
    ['sort=name&order=asc&search=beta.example', ['Ben', 'Dora']],
    ['sort=name&order=asc&search=BETA&role=read', ['Ben']],
    ['sort=lastSeenAt&search=alpha', ['Ämne', 'Cem']],
    ['sort=lastSeenAt&order=asc&search=alpha&role=edit', ['Cem', 'Ämne']],
  ] as const)('%s gives %j, in pages too', async ([query, expected], { list, namesByPages }) => {
    const answer = await list(`?${query}`);
    expect([answer.status, answer.body.count, namesOf(answer)]).toEqual([200, expected.length, expected]);
    expect(await namesByPages(query, 1)).toEqual(expected);
    expect(await namesByPages(query, 2)).toEqual(expected);
  });

  it('lists each member once, also those who joined at the same moment', async ({ namesByPages }) => {
    for (const query of ['', 'order=asc']) {
      const names = await namesByPages(query, 1);
      expect([...names].toSorted()).toEqual(['Admin', 'Ben', 'Cem', 'Dora', 'Eve', 'Ämne']);
    }
    expect(await namesByPages('order=asc', 1)).toEqual((await namesByPages('', 1)).toReversed());
  });

  it.for([
    ['ämne', ['Ämne']],
    ['ÖST', ['Ämne']],
    ['(50%)', ['Cem']],
    ['+x@', ['Ben']],
    ['_a@', ['Dora']],
    ['e@gamma.', ['Eve']],
    ['.*', []],
    ['%', ['Cem']],
    ['[', []],
    ['\\', []],
    ['(a+)+$', []],
    ['', ['Eve', 'Dora', 'Cem', 'Ben', 'Ämne', 'Admin']],
  ] as const)('searches for %j literally, in names and addresses', async ([search, expected], { list }) => {
    const answer = await list(`?search=${encodeURIComponent(search)}`);
    expect(answer.status).toBe(200);
    expect(namesOf(answer).toSorted()).toEqual([...expected].toSorted());
  });

  it.for([
    'role=owner',
    'role=null',
    'role=',
    'sort=id',
    'sort=',
    'order=up',
    'order=DESC',
    'search=%00',
    `search=${'x'.repeat(257)}`,
    'search=a&search=b',
    'limit=1001',
    'limit=-1',
    'limit=1e2',
    'limit=',
    'page=garbage',
  ])('refuses %s', async (query, { list }) => {
    expect((await list(`?${query}`)).status).toBe(400);
  });

  it('accepts a page token only with the same filters', async ({ list }) => {
    const { body } = await list('?limit=1');
    const page = body.next.page;
    expect((await list(`?limit=5&page=${page}`)).status).toBe(200);
    for (const query of [
      `order=asc&page=${page}`,
      `role=edit&page=${page}`,
      `search=e&page=${page}`,
      `sort=name&page=${page}`,
    ])
      expect((await list(`?${query}`)).status, query).toBe(400);
    const other = await buildUser();
    expect((await list(`?page=${page}`, other)).status).toBe(404);
  });

  it('returns only the count with the limit 0', async ({ list }) => {
    expect((await list('?limit=0&role=edit')).body).toEqual({ items: [], count: 2 });
  });

  it('limits find and count in MongoDB to five seconds', async ({ list }) => {
    const database = mongoDatabase();
    await database.command({ profile: 2 });
    await list('?search=a&limit=1');
    await database.command({ profile: 0 });
    const asked = await database
      .collection('system.profile')
      .find({ ns: `${database.databaseName}.members`, 'command.$db': database.databaseName })
      .toArray();
    const slow = asked
      .map(({ command }) => command)
      .filter(({ filter, pipeline }) => JSON.stringify(filter ?? pipeline).includes('$regex'));
    expect(slow.map(({ maxTimeMS }) => maxTimeMS)).toEqual([5_000, 5_000]);
    await database.dropCollection('system.profile');
  });
});
