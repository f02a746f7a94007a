import {
  addMembers,
  findOrCreateUsers,
  Member,
  PendingMember,
  User,
  withTransaction,
  type OrganizationRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { buildMember, buildOrganization, buildUser } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const newEmail = () => `${newId().toLowerCase()}@new.example`;

const it = base
  .extend('home', { scope: 'file' }, ({ api: _started }) => buildOrganization({ defaultRole: 'comment' }))
  .extend(
    'invite',
    ({ api, organization, admin }) =>
      (json: unknown, { token } = admin, { _id }: Pick<OrganizationRecord, '_id'> = organization) =>
        api.call('POST', `/v1/orgs/${_id}/invites`, { token, json }),
  )
  .extend(
    'memberOf',
    ({ organization }) =>
      async (email: string, { _id }: OrganizationRecord = organization) => {
        const user = await User.findOne({ email }).lean();
        return user && Member.findOne({ user: user._id, organization: _id }).lean();
      },
  );

describe('POST /v1/orgs/{organizationId}/invites', () => {
  it('adds unknown addresses as members, and asks existing users to accept', async ({
    api,
    organization,
    admin,
    invite,
    memberOf,
  }) => {
    const known = await buildUser({ displayName: 'Known' });
    const [email, unknown] = [known.user.email ?? '', newEmail()];
    const { status, body } = await invite({ emails: [email.toUpperCase(), unknown], role: 'edit' });
    expect(status).toBe(200);
    expect(body).toEqual({
      users: [known.user._id, expect.any(String)],
      invited: 2,
      pending: [known.user._id],
    });
    expect(await memberOf(email)).toBeNull();
    const member = await memberOf(unknown);
    expect(member).toMatchObject({ displayName: unknown.split('@')[0], email: unknown, role: 'edit' });
    expect(member?.sso ?? false).toBe(false);
    expect(await User.findById(member?.user).lean()).toMatchObject({ isOperator: false });
    expect((await api.call('GET', `/v1/orgs/${organization._id}`, { token: known.token })).status).toBe(404);
    await api.call('POST', `/v1/user/pending-memberships/${organization._id}/accept`, { token: known.token });
    expect(await memberOf(email)).toMatchObject({
      user: known.user._id,
      displayName: 'Known',
      role: 'edit',
      teams: [],
    });
    expect((await api.call('GET', `/v1/orgs/${organization._id}`, { token: known.token })).status).toBe(200);
    expect(
      (await api.call('GET', `/v1/orgs/${organization._id}/members/${body.users[1]}`, { token: admin.token }))
        .body.user,
    ).toMatchObject({
      displayName: unknown.split('@')[0],
      email: unknown,
    });
  });

  it('takes the role of the address, else of the invite, else the default role of the organization', async ({
    invite,
    memberOf,
  }) => {
    const [a, b, c, d] = [newEmail(), newEmail(), newEmail(), newEmail()];
    await invite({ emails: [{ email: a, role: 'admin' }, { email: b, role: null }, c], role: 'review' });
    await invite({ emails: [d] });
    const roles = await Promise.all([a, b, c, d].map(async (email) => (await memberOf(email))?.role));
    expect(roles).toEqual(['admin', null, 'review', 'comment']);
  });

  it('neither changes nor counts existing members', async ({ organization, invite, memberOf }) => {
    const creator = await buildMember(organization, 'create');
    const email = creator.user.email ?? '';
    const before = await memberOf(email);
    const fresh = newEmail();
    const { body } = await invite({
      emails: [email, fresh, { email: fresh.toUpperCase(), role: 'admin' }],
      role: 'read',
      sso: true,
    });
    expect(body).toMatchObject({ invited: 1 });
    expect(await memberOf(email)).toEqual(before);
    // If an address occurs twice, the first entry applies.
    expect(await memberOf(fresh)).toMatchObject({ role: 'read' });
    expect((await invite({ emails: [email, fresh] })).body).toEqual({ users: [], invited: 0 });
    expect((await invite({ emails: [] })).body).toEqual({ users: [], invited: 0 });
  });

  it('turns on single sign-on for new members of a proven e-mail domain, also for existing users', async ({
    invite,
    memberOf,
  }) => {
    const domain = `${newId().toLowerCase()}.example`;
    const { organization, admin } = await buildOrganization({
      emailDomains: [domain, 'unproven.example'],
      provenEmailDomains: [domain],
    });
    const elsewhere = await buildMember((await buildOrganization()).organization, 'read', {
      email: `ann@${domain}`,
    });
    const [theirs, known, fresh, outside] = [
      elsewhere.user.email ?? '',
      `known@${domain}`,
      `fresh@${domain}`,
      `${newId()}@unproven.example`.toLowerCase(),
    ];
    await buildUser({ email: known });
    const { body } = await invite(
      { emails: [theirs, known, fresh, outside], sso: true },
      admin,
      organization,
    );
    // No `failedSSOEmails` either: single sign-on holds all of them.
    expect(body).toEqual({ users: expect.any(Array), invited: 4 });
    const sso = [theirs, known, fresh, outside].map(
      async (email) => (await memberOf(email, organization))?.sso,
    );
    expect(await Promise.all(sso)).toEqual([true, true, true, false]);
  });

  it.for<[unknown, string]>([
    [{}, 'emails'],
    [undefined, 'emails'],
    [{ emails: 'a@b.example' }, 'emails'],
    [{ emails: ['nobody'] }, 'emails[0]'],
    [{ emails: ['ok@b.example', ''] }, 'emails[1]'],
    [{ emails: ['a@b'] }, 'emails[0]'],
    [{ emails: ['a b@c.example'] }, 'emails[0]'],
    [{ emails: ['Ann <a@b.example>'] }, 'emails[0]'],
    [{ emails: [`${'a'.repeat(250)}@b.example`] }, 'emails[0]'],
    [{ emails: ['a@b.example\0'] }, 'emails[0]'],
    [{ emails: [{ email: 'a@b.example' }] }, 'emails[0].role'],
    [{ emails: [{ email: 'a@b.example', role: 'owner' }] }, 'emails[0].role'],
    [{ emails: ['ok@b.example'], role: 'king' }, 'role'],
    [{ emails: ['ok@b.example'], sso: 'yes' }, 'sso'],
    [{ emails: Array.from({ length: 101 }, (_, i) => `a${i}@b.example`) }, 'emails'],
  ])('refuses the invalid body %$, and invites nobody', async ([json, path], { invite }) => {
    const before = await Promise.all([User.countDocuments(), Member.countDocuments()]);
    const { status, body } = await invite(json);
    expect(status).toBe(400);
    expect(body.error.details.map((problem: { path: string }) => problem.path)).toContain(`body.${path}`);
    expect(await Promise.all([User.countDocuments(), Member.countDocuments()])).toEqual(before);
  });

  it('repeats the first answer for the same `Idempotency-Key`', async ({ api, organization, admin }) => {
    const json = { emails: [newEmail()] };
    const send = () =>
      api.call('POST', `/v1/orgs/${organization._id}/invites`, {
        token: admin.token,
        json,
        headers: { 'Idempotency-Key': 'again' },
      });
    const first = await send();
    expect(first.body.invited).toBe(1);
    expect((await send()).body).toEqual(first.body);
  });

  it('takes a hundred at once', async ({ invite }) => {
    const { body } = await invite({ emails: Array.from({ length: 100 }, newEmail) });
    expect([body.invited, new Set(body.users).size]).toEqual([100, 100]);
  });

  it('is for admins only', async ({ organization, invite }) => {
    for (const role of ['create', 'read', null] as const) {
      const email = newEmail();
      expect(
        (await invite({ emails: [email], role: 'read' }, await buildMember(organization, role))).status,
      ).toBe(403);
      expect(await User.exists({ email })).toBeNull();
    }
    expect((await invite({ emails: [newEmail()] }, (await buildOrganization()).admin)).status).toBe(404);
  });
});

describe('many invites at the same time', () => {
  it('of one address make one user and one member', async ({ invite }) => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, i) =>
        invite({ emails: [i % 2 ? email : email.toUpperCase()], role: 'read' }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers.reduce((sum, { body }) => sum + body.invited, 0)).toBe(1);
    expect(await User.countDocuments({ email })).toBe(1);
    expect(await Member.countDocuments({ email })).toBe(1);
  });

  it('of one address into several organizations make one user', async ({ invite }) => {
    const email = newEmail();
    const orgs = await Promise.all(Array.from({ length: 8 }, () => buildOrganization()));
    const answers = await Promise.all(
      orgs.map(({ organization: own, admin: owner }) => invite({ emails: [email] }, owner, own)),
    );
    expect(new Set(answers.map(({ status, body }) => [status, body.invited].join()))).toEqual(
      new Set(['200,1']),
    );
    expect(await User.countDocuments({ email })).toBe(1);
    // The first makes the user and a member; the others ask.
    expect([await Member.countDocuments({ email }), await PendingMember.countDocuments({ email })]).toEqual([
      1, 7,
    ]);
  });

  it('make one user and one member also where nothing in the process serializes them', async ({
    organization,
  }) => {
    const email = newEmail();
    const join = () =>
      withTransaction(async (session) => {
        const user = (await findOrCreateUsers([email], session)).get(email)?.id ?? '';
        return addMembers(organization._id, [{ user, role: 'read' }], session);
      });
    const added = await Promise.all(Array.from({ length: 20 }, join));
    expect(added.flat()).toHaveLength(1);
    expect([await User.countDocuments({ email }), await Member.countDocuments({ email })]).toEqual([1, 1]);
  });
});
