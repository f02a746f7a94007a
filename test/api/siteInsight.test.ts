import type { OrganizationRecord, SiteRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../support/apiServer.ts';
import { buildMember, buildOrganization, buildSite, type TestUser } from '../support/factories.ts';
import { takeSnapshot } from '../support/snapshot.ts';

let api: TestApi;
let organization: OrganizationRecord;
let reader: TestUser;
let site: SiteRecord;

beforeAll(async () => {
  api = await startApi();
  ({ organization } = await buildOrganization());
  reader = await buildMember(organization, 'read');
  site = await buildSite(organization);
});
afterAll(() => api.close());

const url = (path: string) => `/v1/orgs/${organization._id}/sites/${site._id}/${path}`;
const post = (json: unknown) => api.call('POST', url('insights/events'), { token: reader.token, json });

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

describe('POST .../insights/events', () => {
  it('takes events and keeps nothing of them', async () => {
    const before = await takeSnapshot();
    for (const events of [[], [event], [event, { ...event, type: 'search_type_query', query: 'x', timestamp: '2026-01-01T00:00:00Z' }]])
      expect((await post({ events })).status).toBe(204);
    expect(await takeSnapshot()).toEqual(before);
  });

  it.each([
    {},
    { events: {} },
    { events: [{ ...event, type: 'spy' }] },
    { events: [{ ...event, session: {} }] },
    { events: [{ ...event, location: {} }] },
    { events: [{ ...event, timestamp: 'yesterday' }] },
    { events: Array.from({ length: 1001 }, () => event) },
  ])('refuses what is no list of events', async (json) => {
    expect((await post(json)).status).toBe(400);
  });
});

it('GET .../integration-scripts is an empty list', async () => {
  const { status, body } = await api.call('GET', url('integration-scripts'), { token: reader.token });
  expect([status, body]).toEqual([200, []]);
});
