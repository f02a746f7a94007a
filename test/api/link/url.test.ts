import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildCollection,
  buildOrganization,
  buildRevision,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('space', async ({ organization }) => {
    const space = await buildSpace(organization, { title: 'Guide' });
    await buildRevision(space, {
      pages: [{ id: 'page1', title: '入門', path: 'guides/入門 a', source: '# Hello' }],
    });
    return space;
  })
  .extend('closed', { scope: 'file' }, ({ organization }) =>
    buildSpace(organization, { title: 'Closed', defaultLevel: null }),
  )
  .extend('collection', { scope: 'file' }, ({ organization }) =>
    buildCollection(organization, { title: 'Manuals' }),
  )
  .extend(
    'ask',
    ({ api, reader }) =>
      (operation: string, url: string, { token } = reader) =>
        api.call('GET', `/v1${operation}?url=${encodeURIComponent(url)}`, { token }),
  );

describe('GET /v1/urls/content', () => {
  it('resolves the URL of an object in the application to that object', async ({
    api,
    reader,
    space,
    collection,
    ask,
  }) => {
    expect((await ask('/urls/content', `http://api.test/c/${collection._id}`)).body).toMatchObject({
      collection: { id: collection._id },
    });
    expect((await ask('/urls/content', `http://api.test/s/${space._id}`)).body).toMatchObject({
      space: { id: space._id },
    });
    const content = await api.call('GET', `/v1/spaces/${space._id}/content`, { token: reader.token });
    const [page] = content.body.pages;
    const found = (await ask('/urls/content', page.urls.app)).body;
    expect(found).toMatchObject({ space: { id: space._id }, page: { id: 'page1', markdown: '# Hello' } });
    expect((await ask('/urls/content', `http://api.test/s/${space._id}/~/pages/page1`)).body).toEqual(found);
    expect((await ask('/urls/content', content.body.urls.app)).body).toEqual({ space: found.space });
  });

  it('resolves change requests by their number and by their id', async ({ space, ask }) => {
    const changeRequest = await buildChangeRequest(space);
    for (const name of [changeRequest._id, changeRequest.number]) {
      const { body } = await ask(
        '/urls/content',
        `http://api.test/s/${space._id}/~/changes/${name}/~/pages/page1`,
      );
      expect(body).toMatchObject({ changeRequest: { id: changeRequest._id }, page: { id: 'page1' } });
    }
    expect((await ask('/urls/content', `http://api.test/s/${space._id}/~/changes/77`)).status).toBe(404);
  });

  it('answers 404 for content that the caller cannot view, as for unknown content', async ({
    api,
    reader,
    space,
    closed,
    ask,
  }) => {
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
  it('describes a URL without requesting it', async ({ space, closed, ask }) => {
    const url = 'http://127.0.0.1:1/getting-started.html';
    const expected = { title: 'getting started', site: '127.0.0.1', type: 'link' };
    expect((await ask('/urls/embed', url)).body).toEqual(expected);
    expect((await ask(`/spaces/${space._id}/embed`, url)).body).toEqual(expected);
    expect((await ask(`/spaces/${closed._id}/embed`, url)).status).toBe(404);
    expect((await ask('/urls/embed', '')).status).toBe(400);
  });

  it('returns a plain card for text that is not a web URL', async ({ space, ask }) => {
    for (const url of ['no url', './page.md', 'javascript:alert(1)'])
      expect((await ask(`/spaces/${space._id}/embed`, url)).body).toEqual({
        title: url,
        site: '',
        type: 'link',
      });
  });
});
