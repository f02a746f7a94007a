import {
  ConsoleSession,
  CustomHostname,
  databaseNow,
  findConsoleSession,
  HostnameCertificate,
  OperatorAction,
  Space,
  startConsoleSession,
} from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildOrganization, buildSite, buildSpace, buildUser } from '../../support/factories.ts';
import { buildClaim } from '../../support/hostnameClaims.ts';
import { itAsOperator as it, signInOperator } from '../../support/operating.ts';

const hostile = `"><script>alert('x')</script>`;
const dayMs = 86_400_000;
/** The paths of the links behind a list. */
const furtherOf = (text: string, name: string) =>
  new RegExp(`<a href="([^"]+)">Further ${name}</a>`).exec(text)?.[1]?.replaceAll('&amp;', '&');

describe('the hostnames', () => {
  it('show claims with the state of their certificates, without keys', async ({ open }) => {
    const { organization } = await buildOrganization({ title: hostile });
    const site = await buildSite(organization, { title: hostile });
    const expiresAt = new Date('2031-02-03T04:05:06Z');
    await buildClaim({
      ...{ organization, site, hostname: 'a.operator.example' },
      certificate: {
        ...{ expiresAt, hasFailed: true, failures: 3, chain: 'SECRET CHAIN' },
        sealedKey: { keyId: 'k', nonce: 'n', tag: 't', ciphertext: 'SECRET KEY' } as never,
      },
    });
    const { text } = await open('/admin/hostnames?hostname=A.Operator.example');
    expect(text).toContain('a.operator.example');
    expect(text).toContain('2031-02-03 04:05:06');
    expect(text).toContain('3 failed orders');
    expect(text).toContain('served');
    expect(text).not.toMatch(/<script>|SECRET/);
    expect((await open('/admin/hostnames?hostname=b.operator.example')).text).toContain('There are none.');
  });

  it('come in pages, of all organizations or of one', async ({ open }) => {
    const [one, two] = [(await buildOrganization()).organization, (await buildOrganization()).organization];
    for (const [organization, letter] of [
      [one, 'c'],
      [two, 'd'],
    ] as const) {
      const site = await buildSite(organization);
      const names = Array.from({ length: 51 }, (_, n) =>
        `${letter}${n + 100}.${organization._id}.example`.toLowerCase(),
      );
      await CustomHostname.insertMany(
        names.map((hostname) => ({
          ...{ _id: `${hostname}/${organization._id}`, hostname, organization: organization._id },
          ...{ site: site._id, nextCheckAt: new Date(), createdBy: 'x', createdAt: new Date() },
        })),
      );
    }
    const seen = new Set<string>();
    let path: string | undefined = `/admin/hostnames?organization=${two._id}`;
    for (let pages = 0; path !== undefined && pages < 5; pages += 1) {
      const { text } = await open(path);
      for (const [name] of text.matchAll(/\b[cd]1\d\d\.\w+\.example/g)) seen.add(name);
      path = furtherOf(text, 'hostnames');
    }
    expect([...seen].filter((name) => name.startsWith('d'))).toHaveLength(51);
    expect([...seen].filter((name) => name.startsWith('c'))).toEqual([]);
    expect(furtherOf((await open('/admin/hostnames')).text, 'hostnames')).toBeDefined();
    await Promise.all([CustomHostname.deleteMany({}), HostnameCertificate.deleteMany({})]);
  });
});

describe('the deleted spaces', () => {
  it('show when each is removed, and restore one', async ({ open, send, organization }) => {
    const deletedAt = new Date(databaseNow().getTime() - 2 * dayMs);
    const space = await buildSpace(organization, { title: hostile, isDeleted: true, deletedAt });
    const removal = new Date(deletedAt.getTime() + 7 * dayMs).toISOString();
    const { text } = await open('/admin/spaces');
    expect(text).toContain(`datetime="${removal}"`);
    expect(text).not.toContain('<script>');
    expect((await open(`/admin/spaces/${space._id}/restore`)).text).toContain('Restore the space');
    const foreign = { 'sec-fetch-site': 'cross-site' };
    expect((await send(`/admin/spaces/${space._id}/restore`, {}, foreign)).status).toBe(403);
    expect(await Space.exists({ _id: space._id, isDeleted: true })).not.toBeNull();
    expect((await send(`/admin/spaces/${space._id}/restore`)).status).toBe(303);
    expect(await Space.findById(space._id).lean()).toMatchObject({ isDeleted: false });
    expect(await OperatorAction.findOne({ target: space._id }).lean()).toMatchObject({
      ...{ action: 'restore space', outcome: 'done' },
    });
    expect((await send(`/admin/spaces/${space._id}/restore`)).status).toBe(404);
  });

  it('cannot be restored when their removal is due or has begun', async ({ open, send, organization }) => {
    const now = databaseNow().getTime();
    const late = await buildSpace(organization, { isDeleted: true, deletedAt: new Date(now - 7 * dayMs) });
    const begun = await buildSpace(organization, {
      ...{ isDeleted: true, deletedAt: new Date(now - dayMs), purgeStartedAt: new Date(now) },
    });
    const { text } = await open('/admin/spaces');
    for (const { _id } of [late, begun]) {
      expect(text).toContain(_id);
      expect(text).not.toContain(`/admin/spaces/${_id}/restore`);
      expect((await send(`/admin/spaces/${_id}/restore`)).status).toBe(404);
    }
    expect(text).toContain('is being removed');
  });

  it('come in pages in the order of their removal, by an index', async ({ open, organization }) => {
    const spaces = [];
    // Some were deleted in the same moment.
    for (let n = 0; n < 60; n += 1)
      spaces.push(
        await buildSpace(organization, {
          ...{ isDeleted: true, deletedAt: new Date(databaseNow().getTime() - dayMs - (n % 3)) },
        }),
      );
    const seen: string[] = [];
    let path: string | undefined = '/admin/spaces';
    for (let pages = 0; path !== undefined && pages < 10; pages += 1) {
      const { text } = await open(path);
      seen.push(...[...text.matchAll(/spaces\/(\w+)\/restore/g)].map(([, id = '']) => id));
      path = furtherOf(text, 'spaces');
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(spaces.filter(({ _id }) => !seen.includes(_id))).toEqual([]);
    const plan = JSON.stringify(
      await Space.find({ deletedAt: { $exists: true } })
        .sort({ deletedAt: 1, _id: 1 })
        .limit(51)
        .explain('queryPlanner'),
    );
    expect(plan).toContain('deletedAt_1__id_1');
    expect(plan).not.toContain('"SORT"');
    expect((await open('/admin/spaces?after=nonsense')).status).toBe(200);
    expect((await open('/admin/spaces?after=nonsense+x')).status).toBe(200);
  });
});

describe('the sessions', () => {
  it('are found by user, and end all at once', async ({ api, open, send }) => {
    const { user, token } = await buildUser({ isOperator: true, displayName: hostile });
    const from = { user: user._id, signedInWith: 'link', userAgent: `<b>${hostile}` } as const;
    const secrets = [await startConsoleSession(from), await startConsoleSession(from)];
    const other = await startConsoleSession({ ...from, user: (await buildUser()).user._id });
    const cookie = await signInOperator(api, token);
    for (const wanted of [user._id, user.email?.toUpperCase() ?? '']) {
      const { text } = await open(`/admin/sessions?user=${encodeURIComponent(wanted)}`);
      expect(text.match(/one-time link/g)).toHaveLength(2);
      expect(text).not.toMatch(/<script>|<b>/);
      for (const secret of secrets) expect(text).not.toContain(secret);
      for (const { _id } of await ConsoleSession.find({ user: user._id }).lean())
        expect(text).not.toContain(_id);
    }
    expect((await open('/admin/sessions')).text).toContain(user._id);
    expect((await open('/admin/sessions?user=nobody')).text).toContain('There are none.');
    expect((await open(`/admin/sessions/${user._id}/end`)).text).toContain('End the sessions');
    expect((await send(`/admin/sessions/${user._id}/end`)).status).toBe(303);
    for (const secret of secrets) expect(await findConsoleSession({ secret })).toBeUndefined();
    expect(await findConsoleSession({ secret: other })).toBeDefined();
    expect((await api.call('GET', '/admin/jobs', { headers: { cookie } })).status).toBe(303);
    expect(await OperatorAction.findOne({ target: user._id }).lean()).toMatchObject({
      ...{ action: 'end sessions', outcome: 'done' },
    });
  });
});
