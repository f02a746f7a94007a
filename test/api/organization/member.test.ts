import { Member, Organization, User, type OrganizationRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import {
  buildMember,
  buildOrganization,
  buildTeam,
  buildUser,
  type TestUser,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend(
    'urlOf',
    ({ organization }) =>
      (one: TestUser | string, { _id }: Pick<OrganizationRecord, '_id'> = organization) =>
        `/v1/orgs/${_id}/members/${typeof one === 'string' ? one : one.user._id}`,
  )
  .extend(
    'get',
    ({ api, admin, urlOf }) =>
      (one: TestUser | string, { token } = admin) =>
        api.call('GET', urlOf(one), { token }),
  )
  .extend(
    'patch',
    ({ api, admin, urlOf }) =>
      (one: TestUser | string, json: unknown, { token } = admin, headers = {}) =>
        api.call('PATCH', urlOf(one), { token, json, headers }),
  )
  .extend(
    'post',
    ({ api, admin, urlOf }) =>
      (one: TestUser, { token } = admin) =>
        api.call('POST', `${urlOf(one)}/sso`, { token }),
  );

describe('GET /v1/orgs/{organizationId}/members/{userId}', () => {
  it('shows a member, by the id of the user, to every member', async ({ organization, get }) => {
    const member = await buildMember(organization, 'edit');
    await User.updateOne({ _id: member.user._id }, { $set: { photoURL: 'https://example.org/a.png' } });
    await buildTeam(organization, { members: [[member, 'owner']] });
    const { status, body, headers } = await get(member, await buildMember(organization, 'read'));
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'member',
      id: member.user._id,
      role: 'edit',
      user: {
        object: 'user',
        id: member.user._id,
        displayName: 'edit',
        email: member.user.email,
        photoURL: 'https://example.org/a.png',
        urls: { location: `http://api.test/v1/users/${member.user._id}` },
      },
      disabled: false,
      joinedAt: expect.stringMatching(/Z$/),
      sso: false,
      spaces: 0,
      teams: 1,
      sites: 0,
    });
    expect(headers.get('etag')).toMatch(/^"1\./);
  });

  it('answers 404 for users who are not members, and to callers outside of the organization', async ({
    api,
    reader,
    urlOf,
    get,
  }) => {
    const outsider = await buildUser();
    expect((await get(outsider)).status).toBe(404);
    expect((await get('nothing')).status).toBe(404);
    expect((await get('%00')).status).toBe(404);
    expect((await get(reader, outsider)).status).toBe(404);
    const other = await buildOrganization();
    expect(
      (await api.call('GET', urlOf(reader, other.organization), { token: other.admin.token })).status,
    ).toBe(404);
  });
});

describe('PATCH /v1/orgs/{organizationId}/members/{userId}', () => {
  it('changes the role with immediate effect', async ({ api, organization, get, patch }) => {
    const member = await buildMember(organization, 'read');
    const createSpace = () =>
      api.call('POST', `/v1/orgs/${organization._id}/spaces`, { token: member.token, json: {} });
    expect((await createSpace()).status).toBe(403);
    const { status, body } = await patch(member, { role: 'create' });
    expect([status, body.role, body.id]).toEqual([200, 'create', member.user._id]);
    expect((await get(member)).body.role).toBe('create');
    expect((await createSpace()).status).toBe(201);
  });

  it('makes a guest of a member with the role null, and a member of a guest', async ({
    organization,
    get,
    patch,
  }) => {
    const member = await buildMember(organization, 'review');
    expect((await patch(member, { role: null })).body).toMatchObject({ role: null });
    expect((await get(member)).body.role).toBeNull();
    expect((await patch(member, { role: 'comment' })).body.role).toBe('comment');
  });

  it('changes nothing without a role', async ({ api, admin, reader, urlOf, patch }) => {
    const { status, body } = await patch(reader, {});
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ id: reader.user._id, role: 'read', sso: false }),
    ]);
    for (const json of [{ id: 'x' }, { user: {} }, { spaces: 5 }, { sso: true }, { joinedAt: 'x' }])
      expect((await patch(reader, json)).status).toBe(400);
    expect((await api.call('PATCH', urlOf(reader), { token: admin.token })).status).toBe(200);
  });

  it.for(['owner', 'Admin', '', 5, [], {}, 'guest'])(
    'refuses the role %j',
    async (role, { reader, get, patch }) => {
      const { status, body } = await patch(reader, { role });
      expect([status, body.error.details[0].path]).toEqual([400, 'body.role']);
      expect((await get(reader)).body.role).toBe('read');
    },
  );

  it('is for admins', async ({ organization, reader, get, patch }) => {
    for (const role of ['create', 'read', null] as const) {
      const member = await buildMember(organization, role);
      expect((await patch(member, { role: 'admin' }, member)).status).toBe(403);
      expect((await patch(reader, { role: 'edit' }, member)).status).toBe(403);
    }
    const outsider = (await buildOrganization()).admin;
    expect((await patch(reader, { role: 'edit' }, outsider)).status).toBe(404);
    expect((await patch(outsider, { role: 'edit' })).status).toBe(404);
    expect((await get(reader)).body.role).toBe('read');
  });

  it('changes only the state that `If-Match` names', async ({
    api,
    organization,
    admin,
    urlOf,
    get,
    patch,
  }) => {
    const member = await buildMember(organization, 'read');
    const seen = (await get(member)).headers.get('etag') ?? '';
    const first = await patch(member, { role: 'edit' }, admin, { 'If-Match': seen });
    expect(first.status).toBe(200);
    expect(first.headers.get('etag')).toBe((await get(member)).headers.get('etag'));
    expect((await patch(member, { role: 'admin' }, admin, { 'If-Match': seen })).status).toBe(412);
    expect((await get(member)).body.role).toBe('edit');
    const { status } = await api.call('GET', urlOf(member), {
      token: admin.token,
      headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
    });
    expect(status).toBe(304);
  });
});

describe('POST /v1/orgs/{organizationId}/members/{userId}/sso', () => {
  it('turns on single sign-on for a member of a proven e-mail domain; a repeat changes nothing', async ({
    organization,
    get,
    post,
  }) => {
    const member = await buildMember(organization, 'edit');
    const domain = `${newId().toLowerCase()}.example`;
    await Organization.updateOne(
      { _id: organization._id },
      { $set: { emailDomains: [domain], provenEmailDomains: [domain] } },
    );
    await Member.updateOne({ user: member.user._id }, { $set: { email: `ann@${domain}` } });
    const { status, body } = await post(member);
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'member', id: member.user._id, sso: true, role: 'edit' });
    const etag = (await get(member)).headers.get('etag');
    expect((await post(member)).body).toEqual(body);
    expect((await get(member)).headers.get('etag')).toBe(etag);
  });

  it('is for admins only, and answers 404 for users who are not members', async ({
    organization,
    reader,
    post,
  }) => {
    expect((await post(reader, reader)).status).toBe(403);
    expect((await post(await buildUser())).status).toBe(404);
    expect(
      (await Member.findOne({ organization: organization._id, user: reader.user._id }).lean())?.sso,
    ).toBeUndefined();
  });
});
