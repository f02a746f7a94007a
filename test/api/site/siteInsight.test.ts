import { describe, expect } from 'vitest';
import { buildSite } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { oplogPosition, writesSince } from '../../support/stores/oplog.ts';

const event = {
  type: 'page_view',
  session: { visitorId: 'v', sessionId: 's', cookies: {}, userAgent: 'x', language: null, referrer: null },
  location: {
    url: 'https://example.org/a',
    siteSection: null,
    siteSpace: null,
    siteShareKey: null,
    page: null,
    space: null,
    revision: null,
  },
};

const it = base
  .extend('site', { scope: 'file' }, ({ organization }) => buildSite(organization))
  .extend(
    'url',
    ({ organization, site }) =>
      (path: string) =>
        `/v1/orgs/${organization._id}/sites/${site._id}/${path}`,
  )
  .extend(
    'post',
    ({ api, reader, url }) =>
      (json: unknown) =>
        api.call('POST', url('insights/events'), { token: reader.token, json }),
  );

describe('POST .../insights/events', () => {
  it('takes events and stores none of them', async ({ post }) => {
    const before = await oplogPosition();
    for (const events of [
      [],
      [event],
      [event, { ...event, type: 'search_type_query', query: 'x', timestamp: '2026-01-01T00:00:00Z' }],
    ])
      expect((await post({ events })).status).toBe(204);
    expect(await writesSince(before)).toEqual([]);
  });

  it.for([
    {},
    { events: {} },
    { events: [{ ...event, type: 'spy' }] },
    { events: [{ ...event, session: {} }] },
    { events: [{ ...event, location: {} }] },
    { events: [{ ...event, timestamp: 'yesterday' }] },
    { events: Array.from({ length: 1001 }, () => event) },
  ])('refuses a body that is not a list of valid events', async (json, { post }) => {
    expect((await post(json)).status).toBe(400);
  });
});

it('GET .../integration-scripts is an empty list', async ({ api, reader, url }) => {
  const { status, body } = await api.call('GET', url('integration-scripts'), { token: reader.token });
  expect([status, body]).toEqual([200, []]);
});
