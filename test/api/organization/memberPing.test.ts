import { createHmac } from 'node:crypto';
import { Member } from '@bindery/models';
import { loadConfig } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { buildOrganization, type TestUser } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const key = 'visitor-claims-key-of-this-test-0123456789';

const itHere = base.extend(
  'ping',
  ({ api, organization }) =>
    ({ token }: TestUser, json?: unknown) =>
      api.call('POST', `/v1/orgs/${organization._id}/ping`, { token, ...(json !== undefined && { json }) }),
);
// Without the key the API is the shared one, which ends when that with the key starts.
const environments: Record<string, string>[] = [{}, { BINDERY_VISITOR_CLAIMS_KEY: key }];
const its = environments.map(
  (environment) => [environment, itHere.extend('environment', { scope: 'file' }, environment)] as const,
);

describe.each(its)('POST /v1/orgs/{organizationId}/ping with %j', (environment, it) => {
  it('records when the caller was last seen, for any member', async ({ api, organization, guest, ping }) => {
    const before = Date.now();
    expect((await ping(guest)).status).toBe(200);
    const member = await Member.findOne({ organization: organization._id, user: guest.user._id }).lean();
    expect(member?.lastSeenAt?.getTime()).toBeGreaterThanOrEqual(before);
    const { body } = await api.call('GET', `/v1/orgs/${organization._id}/members/${guest.user._id}`, {
      token: guest.token,
    });
    expect(body.lastSeenAt).toBe(member?.lastSeenAt?.toISOString());
    // Nothing that `If-Match` is about has changed.
    expect(member?.version).toBe(1);
  });

  it('returns a visitor token when a key for it is configured', async ({ api, guest, ping }) => {
    const { body } = await ping(guest, { token: 'x' });
    if (!('BINDERY_VISITOR_CLAIMS_KEY' in environment)) {
      expect(body).toEqual({});
      return;
    }
    expect(body.gitbookVisitorClaims).toBe(body.docsVisitorClaims);
    const [header = '', claims = '', signature] = body.docsVisitorClaims.split('.');
    expect(signature).toBe(createHmac('sha256', key).update(`${header}.${claims}`).digest('base64url'));
    const [read, payload] = [header, claims].map((part) =>
      JSON.parse(Buffer.from(part, 'base64url').toString()),
    );
    expect(read).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(payload).toEqual({ sub: guest.user._id, iat: expect.any(Number), exp: expect.any(Number) });
    expect(payload.exp - payload.iat).toBe(3600);
    expect(api.logLines.join('\n')).not.toContain(body.docsVisitorClaims);
  });

  it('answers 404 to callers who are not members', async ({ ping }) => {
    expect((await ping((await buildOrganization()).admin)).status).toBe(404);
  });
});

itHere('a visitor key of fewer than 32 characters is refused', () => {
  const load = (BINDERY_VISITOR_CLAIMS_KEY: string) =>
    loadConfig({ ...process.env, BINDERY_VISITOR_CLAIMS_KEY });
  expect(() => load('x'.repeat(31))).toThrow('BINDERY_VISITOR_CLAIMS_KEY');
  expect(load('x'.repeat(32)).visitorClaims.key).toHaveLength(32);
});
