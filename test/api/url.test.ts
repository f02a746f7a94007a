import type { CollectionRecord, OrganizationRecord, SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../support/apiServer.ts';
import {
  buildChangeRequest,
  buildCollection,
  buildMember,
  buildOrganization,
  buildRevision,
  buildSpace,
  type TestUser,
} from '../support/factories.ts';

let api: TestApi;
let organization: OrganizationRecord;
let reader: TestUser;
let space: SpaceRecord;
let closed: SpaceRecord;
let collection: CollectionRecord;

beforeAll(async () => {
  api = await startApi();
  ({ organization } = await buildOrganization());
  reader = await buildMember(organization, 'read');
  collection = await buildCollection(organization, { title: 'Manuals' });
  space = await buildSpace(organization, { title: 'Guide' });
  closed = await buildSpace(organization, { title: 'Closed', defaultLevel: null });
  await buildRevision(space, { pages: [{ id: 'page1', title: '入門', path: 'guides/入門 a', source: '# Hello' }] });
});
afterAll(() => api.close());

const ask = (operation: string, url: string, { token } = reader) =>
  api.call('GET', `/v1${operation}?url=${encodeURIComponent(url)}`, { token });

describe('GET /v1/urls/content', () => {
  it('leads from the URL of an object in the application back to it', async () => {
    expect((await ask('/urls/content', `http://api.test/c/${collection._id}`)).body).toMatchObject({ collection: { id: collection._id } });
    expect((await ask('/urls/content', `http://api.test/s/${space._id}`)).body).toMatchObject({ space: { id: space._id } });
    const content = await api.call('GET', `/v1/spaces/${space._id}/content`, { token: reader.token });
    const [page] = content.body.pages;
    const found = (await ask('/urls/content', page.urls.app)).body;
    expect(found).toMatchObject({ space: { id: space._id }, page: { id: 'page1', markdown: '# Hello' } });
    expect((await ask('/urls/content', `http://api.test/s/${space._id}/~/pages/page1`)).body).toEqual(found);
    expect((await ask('/urls/content', content.body.urls.app)).body).toEqual({ space: found.space });
  });

  it('knows change requests by their number and their id', async () => {
    const changeRequest = await buildChangeRequest(space);
    for (const name of [changeRequest._id, changeRequest.number]) {
      const { body } = await ask('/urls/content', `http://api.test/s/${space._id}/~/changes/${name}/~/pages/page1`);
      expect(body).toMatchObject({ changeRequest: { id: changeRequest._id }, page: { id: 'page1' } });
    }
    expect((await ask('/urls/content', `http://api.test/s/${space._id}/~/changes/77`)).status).toBe(404);
  });

  it('hides what the caller may not see, as if it was not there', async () => {
    const urls = [
      `http://api.test/s/${closed._id}`,
      'http://api.test/s/nothing',
      'http://api.test/c/nothing',
      `http://api.test/s/${space._id}/no/page`,
      `http://api.test/s/${space._id}/~/revisions/nothing/~/pages/page1`,
      'http://api.test/x/y',
      'http://api.test',
      `https://other.example/s/${space._id}`,
    ];
    for (const url of urls) expect([url, (await ask('/urls/content', url)).status]).toEqual([url, 404]);
    const outsider = (await buildOrganization()).admin;
    expect((await ask('/urls/content', `http://api.test/s/${space._id}`, outsider)).status).toBe(404);
    expect((await ask('/urls/content', 'no url')).status).toBe(400);
    expect((await api.call('GET', '/v1/urls/content', { token: reader.token })).status).toBe(400);
  });
});

describe('GET …/embed', () => {
  it('describes a URL without asking for it', async () => {
    const url = 'http://127.0.0.1:1/getting-started.html';
    const expected = { title: 'getting started', site: '127.0.0.1', type: 'link' };
    expect((await ask('/urls/embed', url)).body).toEqual(expected);
    expect((await ask(`/spaces/${space._id}/embed`, url)).body).toEqual(expected);
    expect((await ask(`/spaces/${closed._id}/embed`, url)).status).toBe(404);
    expect((await ask('/urls/embed', 'javascript:alert(1)')).status).toBe(400);
  });
});
