import { Member, User } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildMember, buildOrganization, buildUser, type TestUser } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend(
    'get',
    ({ api }) =>
      (one: TestUser | string, { token }: TestUser) =>
        api.call('GET', `/v1/users/${typeof one === 'string' ? one : one.user._id}`, { token }),
  )
  .extend(
    'patch',
    ({ api }) =>
      (one: TestUser, json: unknown, { token } = one) =>
        api.call('PATCH', `/v1/users/${one.user._id}`, { token, json }),
  );

describe('GET /v1/users/{userId}', () => {
  it('shows the caller, and users of the same organization', async ({ api, get }) => {
    const { organization, admin } = await buildOrganization();
    const guest = await buildMember(organization, null);
    const own = await get(guest, guest);
    expect(own.status).toBe(200);
    expect(own.body).toEqual({
      object: 'user',
      id: guest.user._id,
      displayName: 'guest',
      email: guest.user.email,
      urls: { location: `http://api.test/v1/users/${guest.user._id}` },
    });
    expect(own.body).toEqual((await api.call('GET', '/v1/user', { token: guest.token })).body);
    expect((await get(guest, admin)).body).toEqual(own.body);
    expect((await get(admin, guest)).status).toBe(200);
  });

  it('answers 404 for users without a common organization', async ({ get }) => {
    const [one, other] = [await buildUser(), (await buildOrganization()).admin];
    expect((await get(one, other)).status).toBe(404);
    expect((await get(other, one)).status).toBe(404);
    expect((await get('nothing', one)).status).toBe(404);
  });
});

describe('PATCH /v1/users/{userId}', () => {
  it('changes the name of the caller in all organizations at once', async ({ api, patch }) => {
    const [first, second] = [await buildOrganization(), await buildOrganization()];
    const user = await buildMember(first.organization, 'read');
    await Member.create({
      ...(await Member.findOne({ user: user.user._id }).lean())!,
      _id: `${user.user._id}x`,
      organization: second.organization._id,
    });
    const { status, body } = await patch(user, {
      displayName: '  Zoë Ünal ',
      photoURL: 'https://example.org/z.png',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: user.user._id,
      displayName: 'Zoë Ünal',
      photoURL: 'https://example.org/z.png',
      email: user.user.email,
    });
    expect((await api.call('GET', '/v1/user', { token: user.token })).body).toEqual(body);
    for (const { organization, admin } of [first, second]) {
      const found = await api.call('GET', `/v1/orgs/${organization._id}/members?search=zoë`, {
        token: admin.token,
      });
      expect(found.body.items).toMatchObject([
        { id: user.user._id, user: { displayName: 'Zoë Ünal', photoURL: 'https://example.org/z.png' } },
      ]);
    }
  });

  it('keeps fields that are not named, and removes the photo with null', async ({ patch }) => {
    const user = await buildUser({ displayName: 'Ann' });
    await patch(user, { photoURL: 'https://example.org/a.png' });
    expect((await patch(user, { displayName: 'Bob' })).body).toMatchObject({
      displayName: 'Bob',
      photoURL: 'https://example.org/a.png',
    });
    const { body } = await patch(user, { photoURL: null });
    expect(body).not.toHaveProperty('photoURL');
    for (const json of [{}, undefined]) expect((await patch(user, json)).body).toEqual(body);
    for (const json of [{ email: 'x@example.org' }, { isOperator: true }, { id: 'x' }, { version: 9 }])
      expect((await patch(user, json)).body.error.details).toEqual([
        { path: `body.${Object.keys(json)[0]}`, message: 'is not a known field' },
      ]);
    expect(await User.findById(user.user._id).lean()).toMatchObject({
      isOperator: false,
      email: user.user.email,
    });
  });

  it.for([
    ['displayName', ''],
    ['displayName', '   '],
    ['displayName', 'x'.repeat(65)],
    ['displayName', 'a\0'],
    ['displayName', '\ud800'],
    ['displayName', null],
    ['displayName', 5],
    ['photoURL', 'ftp://example.org/a'],
    ['photoURL', 'javascript:alert(1)'],
    ['photoURL', ''],
    ['photoURL', 'https://user:pw@example.org/'],
  ] as const)('refuses %s = %j', async ([field, value], { patch }) => {
    const user = await buildUser({ displayName: 'Ann' });
    const { status, body } = await patch(user, { [field]: value });
    expect([status, body.error.details[0].path]).toEqual([400, `body.${field}`]);
    expect((await User.findById(user.user._id).lean())?.displayName).toBe('Ann');
  });

  it('takes a name of 64 characters, however many bytes they have', async ({ patch }) => {
    const displayName = '😀'.repeat(64);
    expect((await patch(await buildUser(), { displayName })).body.displayName).toBe(displayName);
  });

  it('is for the user alone, not for admins of the same organization', async ({ get, patch }) => {
    const { organization, admin } = await buildOrganization();
    const member = await buildMember(organization, 'read');
    expect((await patch(member, { displayName: 'Mallory' }, admin)).status).toBe(403);
    expect((await patch(member, { displayName: 'Mallory' }, await buildUser())).status).toBe(404);
    expect((await get(member, admin)).body.displayName).toBe('read');
  });

  it('reaches also the organizations that the user creates at the same time', async ({ api, patch }) => {
    const user = await buildUser({ displayName: 'Old' });
    const titles = Array.from({ length: 12 }, (_, i) => `Org ${i}`);
    await Promise.all([
      ...titles.map((title) => api.call('POST', '/v1/orgs', { token: user.token, json: { title } })),
      ...[1, 2, 3].map((i) => patch(user, { displayName: `New ${i}` })),
    ]);
    const name = (await User.findById(user.user._id).lean())?.displayName;
    expect(name).toMatch(/^New /);
    expect(await Member.distinct('displayName', { user: user.user._id })).toEqual([name]);
  });
});
