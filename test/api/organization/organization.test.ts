import { createOrganization, Member, newMember, Organization } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildMember, buildOrganization, buildUser, type TestUser } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base.extend(
  'create',
  ({ api }) =>
    (json: unknown, { token }: TestUser) =>
      api.call('POST', '/v1/orgs', { token, json }),
);

describe('POST /v1/orgs', () => {
  it('makes an organization with the caller as its admin', async ({ api, create }) => {
    const user = await buildUser();
    const { status, body } = await create({ title: '  Läden & Co  ' }, user);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      object: 'organization',
      title: 'Läden & Co',
      emailDomains: [],
      type: 'business',
      plan: 'enterprise_2024',
      defaultRole: 'read',
      inviteLinks: true,
      sso: false,
      ai: false,
      trial: { status: 'notapplicable', count: 0 },
      internal_isOnNewTrial: true,
      permissions: {
        view: true,
        access: true,
        admin: true,
        createContent: true,
        createOpenAPISpec: true,
        viewBilling: true,
        listMembers: true,
        ownTeam: false,
      },
      urls: { location: `http://api.test/v1/orgs/${body.id}`, app: `http://api.test/o/${body.id}` },
    });
    expect(await Member.findOne({ organization: body.id }).lean()).toMatchObject({
      user: user.user._id,
      role: 'admin',
    });
    expect((await api.call('GET', `/v1/orgs/${body.id}`, { token: user.token })).body).toEqual(body);
  });

  it('takes a title of 2 to 255 characters', async ({ api, create }) => {
    const user = await buildUser();
    expect((await create({ title: 'ab' }, user)).status).toBe(201);
    expect((await create({ title: '家'.repeat(255) }, user)).status).toBe(201);
    for (const title of ['a', 'x'.repeat(256), '   ', ' a ', 5, null, 'a\0b']) {
      const before = await Organization.countDocuments();
      expect((await create({ title }, user)).status, JSON.stringify(title)).toBe(400);
      expect(await Organization.countDocuments()).toBe(before);
    }
    expect((await create({}, user)).body.error.details).toEqual([
      { path: 'body.title', message: 'is required' },
    ]);
    expect((await api.call('POST', '/v1/orgs', { token: user.token })).status).toBe(400);
  });
});

describe('POST /v1/orgs?withDefaultSite=true', () => {
  it('makes a site with example pages too, once for one `Idempotency-Key`', async ({ api }) => {
    const user = await buildUser();
    const send = () =>
      api.call('POST', '/v1/orgs?withDefaultSite=true', {
        token: user.token,
        json: { title: 'Acme' },
        headers: { 'Idempotency-Key': 'acme' },
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect((await api.call('GET', '/v1/orgs', { token: user.token })).body.count).toBe(1);
    const sites = await api.call('GET', `/v1/orgs/${first.body.id}/sites`, { token: user.token });
    expect(sites.body.items).toMatchObject([{ title: 'Acme', published: false, siteSpaces: 1 }]);
    const without = await api.call('POST', '/v1/orgs', { token: user.token, json: { title: 'Bare' } });
    expect(
      (await api.call('GET', `/v1/orgs/${without.body.id}/sites`, { token: user.token })).body.count,
    ).toBe(0);
  });
});

describe('GET /v1/orgs', () => {
  it('lists the organizations of the caller, newest first, in pages', async ({ api }) => {
    const user = await buildUser();
    const own = [];
    for (const title of ['one', 'two', 'three'])
      own.push(await createOrganization({ title, userId: user.user._id }));
    const guestOf = (await buildOrganization({ title: 'guest' })).organization;
    await Member.create(newMember(user.user, { organization: guestOf._id, role: null }));
    await buildOrganization({ title: 'of others' });
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
    for (const [index, { _id }] of [...own, guestOf].entries())
      await Organization.updateOne({ _id }, { $set: { createdAt: at([2, 4, 1, 3][index] ?? 0) } });
    const titles: string[] = [];
    let page: string | undefined;
    do {
      const { status, body } = await api.call('GET', `/v1/orgs?limit=1${page ? `&page=${page}` : ''}`, {
        token: user.token,
      });
      expect([status, body.count]).toEqual([200, 4]);
      titles.push(...body.items.map(({ title }: { title: string }) => title));
      page = body.next?.page;
    } while (page);
    expect(titles).toEqual(['two', 'guest', 'one', 'three']);
  });

  it('is empty for a user without organizations', async ({ api }) => {
    const { body } = await api.call('GET', '/v1/orgs', { token: (await buildUser()).token });
    expect(body).toEqual({ items: [], count: 0 });
  });
});

describe('GET /v1/orgs/{organizationId}', () => {
  it('shows each member their permissions', async ({ api }) => {
    const { organization } = await buildOrganization();
    const permissions = async (role: Parameters<typeof buildMember>[1]) =>
      (
        await api.call('GET', `/v1/orgs/${organization._id}`, {
          token: (await buildMember(organization, role)).token,
        })
      ).body.permissions;
    expect(await permissions('create')).toMatchObject({
      createContent: true,
      createOpenAPISpec: true,
      admin: false,
      viewBilling: false,
      listMembers: true,
    });
    expect(await permissions('review')).toMatchObject({
      createContent: false,
      admin: false,
      listTeams: true,
    });
    expect(await permissions(null)).toMatchObject({ view: true, createContent: false, admin: false });
  });

  it('answers 404 to a user who is not a member', async ({ api }) => {
    const { organization } = await buildOrganization();
    const other = await buildUser();
    for (const id of [organization._id, 'nothing', '%00', 'x'.repeat(300)]) {
      expect((await api.call('GET', `/v1/orgs/${id}`, { token: other.token })).status).toBe(404);
    }
    const { body } = await api.call('GET', `/v1/orgs/${organization._id}`, { token: other.token });
    expect(body.error).toMatchObject({ code: 404, type: 'not_found', requestId: expect.any(String) });
  });
});
