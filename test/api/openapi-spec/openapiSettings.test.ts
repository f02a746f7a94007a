import { describe, expect } from 'vitest';
import { it as base } from '../../support/it.ts';

const none = { changeSeverities: {}, lintSeverities: {} };
const strict = {
  changeSeverities: { 'response-enum-value-added': 'breaking' },
  // A name with a dot.
  lintSeverities: { 'no-server-example.com': 'off', 'info-license': 'error' },
};

const it = base
  .extend('path', ({ organization }) => `/v1/orgs/${organization._id}/openapi-settings`)
  .extend(
    'call',
    ({ api, path }) =>
      (method: string, { token }: { token: string }, json?: unknown) =>
        api.call(method, path, { token, ...(json !== undefined && { json }) }),
  );

describe('/v1/orgs/{organizationId}/openapi-settings', () => {
  it('is empty at first, and is replaced as a whole', async ({ call, admin }) => {
    expect((await call('GET', admin)).body).toEqual(none);
    expect(await call('PUT', admin, strict)).toMatchObject({ status: 200, body: strict });
    expect((await call('GET', admin)).body).toEqual(strict);
    const { lintSeverities } = strict;
    await call('PUT', admin, { lintSeverities });
    expect((await call('GET', admin)).body).toEqual({ ...none, lintSeverities });
    await call('PUT', admin, {});
    expect((await call('GET', admin)).body).toEqual(none);
  });

  it('refuses rules and severities that do not exist, and changes nothing', async ({ call, admin }) => {
    await call('PUT', admin, strict);
    const cases = {
      'body.changeSeverities.no-such-rule': { changeSeverities: { 'no-such-rule': 'off' } },
      'body.changeSeverities.constructor': { changeSeverities: { constructor: 'off' } },
      'body.changeSeverities': JSON.parse('{"changeSeverities":{"__proto__":"off"}}'),
      'body.lintSeverities.no-such-rule': { lintSeverities: { 'no-such-rule': 'off' } },
      'body.lintSeverities.info-license': { lintSeverities: { 'info-license': 'breaking' } },
      'body.changeSeverities.response-enum-value-added': {
        changeSeverities: { 'response-enum-value-added': 'error' },
      },
    };
    for (const [path, json] of Object.entries(cases)) {
      const { status, body } = await call('PUT', admin, json);
      expect([status, body.error.details[0].path]).toEqual([400, path]);
    }
    expect((await call('GET', admin)).body).toEqual(strict);
  });

  it('is written by admins only, and hidden from other organizations', async ({
    call,
    admin,
    creator,
    reader,
    outsider,
  }) => {
    await call('PUT', admin, {});
    for (const member of [creator, reader]) {
      expect((await call('PUT', member, strict)).status).toBe(403);
      expect((await call('GET', member)).status).toBe(200);
    }
    expect((await call('GET', outsider)).status).toBe(404);
    expect((await call('PUT', outsider, strict)).status).toBe(404);
    expect((await call('GET', admin)).body).toEqual(none);
  });
});
