import { Site, SiteSpace, Space, type SiteRecord, type SpaceRecord } from '@bindery/models';
import { SignJWT } from 'jose';
import { describe, expect } from 'vitest';
import {
  buildRevision,
  buildSite,
  buildSiteSpace,
  buildSpace,
  writeStructure,
} from '../../support/factories.ts';
import { contentTokenFor } from '../../support/http/contentTokenFor.ts';
import { it as base } from '../../support/it.ts';

// Caches may keep answers to visitors, and ask before they show them again: no visitor is shown content that
// they may no longer read.

const source =
  '# Page\n\nFor all. [Other](other.md)\n\n{% if visitor.claims.beta == true %}\nFor the brave.\n{% endif %}\n';

const it = base
  .extend('space', async ({ organization }) => {
    const space = await buildSpace(organization, { title: 'Guide' });
    await buildRevision(space, {
      pages: [
        { id: 'p', title: 'Page', path: 'page', source },
        { id: 'other', title: 'Other', path: 'other', source: 'Other.' },
      ],
    });
    return space;
  })
  .extend('siteWith', ({ organization, space }) => async (fields: Partial<SiteRecord> = {}) => {
    const site = await buildSite(organization, {
      title: 'Guide',
      spaces: [space],
      isPublished: true,
      ...fields,
    });
    await Site.updateOne({ _id: site._id }, { $set: fields });
    return { ...site, ...fields };
  })
  /** The paths that a reader requests to show a page. */
  .extend('paths', ({ organization, space }) => async (site: SiteRecord, key = '') => {
    const { revision } = (await Space.findById(space._id).lean<SpaceRecord>()) as SpaceRecord;
    const page = `/spaces/${space._id}/revisions/${revision}/page/p`;
    return [
      `/orgs/${organization._id}/sites/${site._id}/published${key}`,
      `/orgs/${organization._id}/sites/${site._id}/structure${key}`,
      `/spaces/${space._id}`,
      `/spaces/${space._id}/revisions/${revision}?metadata=true`,
      `/spaces/${space._id}/revisions/${revision}/pages`,
      `${page}/meta-links`,
      `${page}/document?evaluated=deterministic-only&dereferenced=reusable-contents`,
      `${page}?format=document`,
      `${page}?format=markdown&format.markdown.refs=stable`,
      `/spaces/${space._id}/revisions/${revision}/path/page`,
      `/spaces/${space._id}/embed?url=https%3A%2F%2Fexample.org`,
    ];
  })
  .extend('read', ({ api }) => async (path: string, token: string, tag?: string) => {
    const { status, text, headers } = await api.call('GET', `/v1${path}`, {
      token,
      headers: tag === undefined ? {} : { 'if-none-match': tag },
    });
    const [etag, caching, vary] = ['etag', 'cache-control', 'vary'].map((name) => headers.get(name));
    return { status, text, etag: etag ?? '', caching, vary };
  })
  /** The tag of each path, which is good for a 304. */
  .extend('tagsOf', ({ paths, read }) => async (site: SiteRecord, token: string, key = '') => {
    const tags: [string, string][] = [];
    for (const path of await paths(site, key)) {
      const { status, etag } = await read(path, token);
      expect([path, status, (await read(path, token, etag)).status]).toEqual([path, 200, 304]);
      tags.push([path, etag]);
    }
    return tags;
  });

describe('content that a visitor reads', () => {
  it('is cached publicly with revalidation where all visitors see the same', async ({
    api,
    siteWith,
    paths,
    read,
  }) => {
    for (const visibility of ['public', 'unlisted'] as const) {
      const site = await siteWith({ visibility });
      const token = await contentTokenFor(api, site);
      for (const path of await paths(site)) {
        const { status, etag, caching, vary } = await read(path, token);
        expect([path, status, caching, vary]).toEqual([path, 200, 'public, no-cache', 'Authorization']);
        expect([path, await read(path, token, etag)]).toEqual([
          path,
          { status: 304, text: '', etag, caching, vary },
        ]);
      }
    }
  });

  it('is cached privately for members, and where claims, a preview or a sign-in matter', async ({
    api,
    admin,
    siteWith,
    paths,
    read,
  }) => {
    const site = await siteWith({ visibility: 'public' });
    const tokens = [
      admin.token,
      await contentTokenFor(api, site, { claims: { beta: true } }),
      await contentTokenFor(api, site, { preview: true }),
      await contentTokenFor(api, await siteWith({ visibility: 'visitor-auth', title: 'Signed' })),
    ];
    for (const [i, token] of tokens.entries())
      for (const path of (await paths(site)).slice(i === 3 ? 2 : 0)) {
        const { status, caching, vary } = await read(path, token);
        expect([path, status, caching, vary]).toEqual([path, 200, 'private, no-cache', 'Authorization']);
      }
  });

  it('has another ETag for other claims, and after a change', async ({ api, space, siteWith, read }) => {
    const site = await siteWith();
    const [token, brave] = [
      await contentTokenFor(api, site),
      await contentTokenFor(api, site, { claims: { beta: true } }),
    ];
    for (const path of ['/page/p/document', '/page/p?format=document', '/page/p?format=markdown'].map(
      (end) => `/spaces/${space._id}/content${end}`,
    )) {
      const { etag } = await read(path, token);
      const other = await read(path, brave, etag);
      expect([path, other.status, other.text.includes('For the brave.')]).toEqual([path, 200, true]);
    }
    const path = `/spaces/${space._id}/content/page/p/document`;
    const { etag } = await read(path, token);
    await buildRevision(space, {
      pages: [{ id: 'p', title: 'Page', path: 'page', source: `${source}\nMore.\n` }],
    });
    expect(await read(path, token, etag)).toMatchObject({
      status: 200,
      text: expect.stringContaining('More.'),
    });
  });

  it('has another ETag once a space that it links to is not shown any more', async ({
    api,
    organization,
    space,
    siteWith,
    read,
  }) => {
    const linked = await buildSpace(organization, { title: 'Linked' });
    await buildRevision(linked, { pages: [{ id: 'far', title: 'Far', path: 'far', source: 'Far.' }] });
    const link = `[Far](https://app.gitbook.com/s/${linked._id}/far)`;
    await buildRevision(space, {
      pages: [{ id: 'p', title: 'Page', path: 'page', source: `${source}\n${link}\n` }],
    });
    const site = await siteWith({ visibility: 'public' });
    const shown = await buildSiteSpace(site, { space: linked, path: 'linked' });
    for (const format of ['document', 'markdown']) {
      const path = `/spaces/${space._id}/content/page/p?format=${format}`;
      const before = await read(path, await contentTokenFor(api, site));
      expect([format, before.text.includes(linked._id)]).toEqual([format, true]);
      await writeStructure(site, async () => SiteSpace.deleteOne({ _id: shown._id }));
      const after = await read(path, await contentTokenFor(api, site), before.etag);
      expect([format, after.status, after.text.includes(`spaces/${linked._id}/pages/far`)]).toEqual([
        format,
        200,
        false,
      ]);
      await writeStructure(site, async () => SiteSpace.create(shown));
    }
  });
});

describe('a reader who has lost access gets no 304', () => {
  it('after the site is unpublished or requires a sign-in', async ({
    api,
    admin,
    organization,
    siteWith,
    tagsOf,
    read,
  }) => {
    for (const change of [
      async (site: SiteRecord) =>
        api.call('POST', `/v1/orgs/${organization._id}/sites/${site._id}/unpublish`, {
          token: admin.token,
          json: {},
        }),
      async (site: SiteRecord) =>
        api.call('PATCH', `/v1/orgs/${organization._id}/sites/${site._id}`, {
          token: admin.token,
          json: { visibility: 'visitor-auth' },
        }),
    ]) {
      const site = await siteWith({ visibility: 'public' });
      const token = await contentTokenFor(api, site);
      const tags = await tagsOf(site, token);
      expect((await change(site)).status).toBe(200);
      for (const [path, tag] of tags)
        expect([path, (await read(path, token, tag)).status]).toEqual([path, 404]);
    }
  });

  it('after the share link is revoked or the key is replaced', async ({
    api,
    admin,
    organization,
    siteWith,
    tagsOf,
    read,
  }) => {
    const call = async (method: string, site: SiteRecord, path: string, json?: object) =>
      api.call(method, `/v1/orgs/${organization._id}/sites/${site._id}${path}`, { token: admin.token, json });
    const resolve = async (json: object) =>
      (await api.call('POST', '/v1/urls/published', { json })).body.apiToken as string;

    const shared = await siteWith({ visibility: 'share-link' });
    const link = (await call('POST', shared, '/share-links', { name: 'Ann' })).body;
    const opened = await resolve({ url: link.urls.published });
    const ofShared = await tagsOf(shared, opened, `?shareKey=${link.urls.published.split('/').at(-1)}`);
    expect((await call('DELETE', shared, `/share-links/${link.id}`)).status).toBe(204);
    for (const [path, tag] of ofShared)
      expect([path, (await read(path, opened, tag)).status]).toEqual([path, 404]);

    const signed = await siteWith({ visibility: 'visitor-auth' });
    const { privateKey } = (await call('GET', signed, '/publishing/auth')).body;
    const jwtToken = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(Buffer.from(privateKey));
    const { urls } = (await call('GET', signed, '')).body;
    const token = await resolve({ url: urls.published, visitor: { jwtToken } });
    const ofSigned = await tagsOf(signed, token);
    expect((await call('POST', signed, '/publishing/auth/regenerate', {})).status).toBe(200);
    for (const [path, tag] of ofSigned)
      expect([path, (await read(path, token, tag)).status]).toEqual([path, 404]);
  });
});
