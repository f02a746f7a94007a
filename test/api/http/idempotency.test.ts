import {
  idempotencyCollection,
  jobCollection,
  Member,
  Organization,
  SamlProvider,
  Team,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { buildMember, buildOrganization } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { sentTwice } from '../../support/http/sentTwice.ts';

const teams = (title: string) => Team.countDocuments({ title });

const it = base.extend(
  'putTeam',
  ({ api, organization, admin }) =>
    (json: unknown, key: string | undefined, { token } = admin, place = organization) =>
      api.call('PUT', `/v1/orgs/${place._id}/teams`, {
        token,
        json,
        headers: key === undefined ? {} : { 'idempotency-key': key },
      }),
);

describe('the same request with the same key', () => {
  it('is carried out once, and answered the same each time', async ({ api, organization, admin }) => {
    const title = newId();
    await sentTwice(api, 'PUT', `/v1/orgs/${organization._id}/teams`, {
      token: admin.token,
      json: { title },
    });
    expect(await teams(title)).toBe(1);
    const label = newId().slice(0, 20);
    await sentTwice(api, 'POST', `/v1/orgs/${organization._id}/saml`, {
      token: admin.token,
      json: { label },
    });
    expect(await SamlProvider.countDocuments({ label })).toBe(1);
    await sentTwice(api, 'POST', '/v1/orgs', { token: admin.token, json: { title } });
    expect(await Organization.countDocuments({ title })).toBe(1);
  });

  it('starts a job once, and names it each time', async ({ api, admin, space }) => {
    const json = { url: 'https://me:pw-canary@git.example.org/r.git', ref: 'refs/heads/main' };
    for (const url of [json.url, 'https://git.example.org/r.git']) {
      const { headers } = await sentTwice(api, 'POST', `/v1/spaces/${space._id}/git/import`, {
        token: admin.token,
        json: { ...json, url },
      });
      expect(headers.get('x-job-id')).toEqual(expect.any(String));
    }
    expect(await jobCollection().countDocuments({ 'subject.id': space._id })).toBe(2);
  });

  it('is recognized whatever the order of its fields', async ({ putTeam }) => {
    const [title, key] = [newId(), newId()];
    const first = await putTeam({ title, members: [] }, key);
    expect((await putTeam({ members: [], title }, key)).body).toEqual(first.body);
    expect(await teams(title)).toBe(1);
  });

  it('is carried out once when it arrives twenty times at once', async ({ putTeam }) => {
    const [title, key] = [newId(), newId()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => putTeam({ title }, key)));
    expect(await teams(title)).toBe(1);
    const [made] = answers.filter(({ status }) => status === 201);
    for (const { status, body, headers } of answers) {
      if (status === 201) expect(body).toEqual(made?.body);
      else expect([status, body.error.type, headers.get('retry-after')]).toEqual([409, 'conflict', '1']);
    }
    expect((await putTeam({ title }, key)).body).toEqual(made?.body);
  });

  it('needs the permission each time', async ({ organization, putTeam }) => {
    const member = await buildMember(organization, 'admin');
    const [title, key] = [newId(), newId()];
    expect((await putTeam({ title }, key, member)).status).toBe(201);
    await Member.updateOne({ user: member.user._id }, { $set: { role: 'read' } });
    expect((await putTeam({ title }, key, member)).status).toBe(403);
  });
});

describe('another request with the same key', () => {
  it('is refused, and changes nothing', async ({ admin, putTeam }) => {
    const [title, key] = [newId(), newId()];
    const { organization: other } = await buildOrganization();
    await Member.create({
      ...(await Member.findOne({ user: admin.user._id }).lean()),
      _id: newId(),
      organization: other._id,
    });
    expect((await putTeam({ title }, key)).status).toBe(201);
    for (const answer of [
      await putTeam({ title: `${title}2` }, key),
      await putTeam({ title, members: [admin.user._id] }, key),
      await putTeam({ title }, key, admin, other),
    ])
      expect([answer.status, answer.body.error.type]).toEqual([422, 'idempotency_mismatch']);
    expect(await Team.countDocuments({ title: { $in: [title, `${title}2`] } })).toBe(1);
  });

  it('is carried out for another user and for another operation', async ({
    api,
    organization,
    admin,
    putTeam,
  }) => {
    const [title, key] = [newId(), newId()];
    const colleague = await buildMember(organization, 'admin');
    expect((await putTeam({ title }, key)).status).toBe(201);
    expect((await putTeam({ title }, key, colleague)).headers.get('idempotency-replayed')).toBeNull();
    expect(await teams(title)).toBe(2);
    const saml = await api.call('POST', `/v1/orgs/${organization._id}/saml`, {
      token: admin.token,
      json: { label: 'x' },
      headers: { 'idempotency-key': key },
    });
    expect(saml.status).toBe(201);
  });
});

describe('a refused request', () => {
  it('leaves its key free, for the same request and for a corrected one', async ({ putTeam }) => {
    const [title, key] = [newId(), newId()];
    const wrong = { title, members: ['nobody'] };
    for (let i = 0; i < 2; i += 1) expect((await putTeam(wrong, key)).status).toBe(400);
    expect((await putTeam({ title: '' }, key)).status).toBe(400);
    expect((await putTeam({ title }, key)).status).toBe(201);
    expect((await putTeam(wrong, key)).status).toBe(422);
    expect(await teams(title)).toBe(1);
  });
});

describe('a key', () => {
  it('is 1 to 255 visible characters of ASCII', async ({ putTeam }) => {
    for (const key of ['', ' ', 'a b', 'ä', 'x'.repeat(256), 'a, b']) {
      const { status, body } = await putTeam({ title: 'x' }, key);
      expect([status, body.error.details?.[0].path]).toEqual([400, 'headers.idempotency-key']);
    }
    for (const key of ['!', '~'.repeat(255), '"quoted"', '$where', '__proto__'])
      expect((await putTeam({ title: 'x' }, key)).status).toBe(201);
  });

  it('is ignored by operations that create nothing', async ({ api, organization, admin, putTeam }) => {
    const headers = { 'idempotency-key': newId() };
    const before = await idempotencyCollection().countDocuments();
    const { body: team } = await putTeam({ title: 'One' }, undefined);
    const path = `/v1/orgs/${organization._id}/teams/${team.id}`;
    for (const title of ['Two', 'Three'])
      expect(
        (await api.call('PATCH', path, { token: admin.token, json: { title }, headers })).body.title,
      ).toBe(title);
    expect((await api.call('GET', path, { token: admin.token, headers })).body.title).toBe('Three');
    expect(await idempotencyCollection().countDocuments()).toBe(before);
  });

  it('is kept for a day, with nothing of the request or its answer in plain text', async ({ putTeam }) => {
    const [title, key] = [newId(), newId()];
    const { body } = await putTeam({ title }, key);
    const records = await idempotencyCollection()
      .find({}, { promoteBuffers: true })
      .sort({ expireAt: -1 })
      .limit(1)
      .toArray();
    const hours = ((records[0]?.expireAt.getTime() ?? 0) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
    const stored = JSON.stringify(await idempotencyCollection().find().toArray());
    const bytes = Buffer.concat(records.map(({ answer }) => answer?.ciphertext ?? Buffer.alloc(0)));
    expect(bytes.length).toBeGreaterThan(100);
    for (const text of [title, key, body.id, 'pw-canary']) {
      expect(stored).not.toContain(text);
      expect(bytes.includes(text)).toBe(false);
    }
    const indexes = await idempotencyCollection().indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expireAt: 1 }, expireAfterSeconds: 0 }));
  });

  it('may be used again after that day', async ({ putTeam }) => {
    const [title, key] = [newId(), newId()];
    await putTeam({ title }, key);
    // A day later, before MongoDB has removed it.
    await idempotencyCollection().updateMany({}, { $set: { expireAt: new Date(Date.now() - 60_000) } });
    expect((await putTeam({ title: `${title}2` }, key)).status).toBe(201);
    expect((await putTeam({ title: `${title}2` }, key)).headers.get('idempotency-replayed')).toBe('true');
  });
});
