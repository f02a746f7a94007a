import { SiteSpace, type SiteRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildOrganization,
  buildSection,
  buildSite,
  buildSiteSpace,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('home', { scope: 'file' }, ({ api: _started }) => buildOrganization({ hostname: 'acme-publish' }))
  .extend('space', ({ organization }) => buildSpace(organization, { title: 'Guide' }))
  .extend(
    'send',
    ({ api, organization, admin }) =>
      (method: string, { _id }: Pick<SiteRecord, '_id'>, path: string, json?: unknown, { token } = admin) =>
        api.call(method, `/v1/orgs/${organization._id}/sites/${_id}${path}`, {
          token,
          ...(json !== undefined && { json }),
        }),
  )
  .extend(
    'getSpace',
    ({ api, reader, space }) =>
      async ({ _id } = space) =>
        (await api.call('GET', `/v1/spaces/${_id}`, { token: reader.token })).body,
  )
  .extend('appOrigin', ({ api }) => api.config.api.appUrl);

describe('publish and unpublish', () => {
  it('set the published state of a site, also twice', async ({
    organization,
    creator,
    reader,
    space,
    send,
    appOrigin,
  }) => {
    const site = await buildSite(organization, { title: 'Public docs', spaces: [space] });
    for (const path of ['/publish', '/publish']) {
      const { status, body } = await send('POST', site, path);
      expect([status, body]).toMatchObject([
        200,
        { published: true, urls: { published: `${appOrigin}/acme-publish/public-docs` } },
      ]);
    }
    expect((await send('GET', site, '', undefined, reader)).body).toMatchObject({ published: true });
    for (const path of ['/unpublish', '/unpublish']) {
      const { status, body } = await send('POST', site, path);
      expect([status, body.published, body.urls.published]).toEqual([200, false, undefined]);
    }
    for (const path of ['/publish', '/unpublish'])
      expect((await send('POST', site, path, undefined, creator)).status).toBe(403);
  });

  it('count as a change of the site', async ({ api, organization, admin, send }) => {
    const site = await buildSite(organization);
    const etag = (await send('GET', site, '')).headers.get('etag') ?? '';
    await send('POST', site, '/publish');
    const path = `/v1/orgs/${organization._id}/sites/${site._id}`;
    expect(
      (
        await api.call('PATCH', path, {
          token: admin.token,
          json: { title: 'New' },
          headers: { 'if-match': etag },
        })
      ).status,
    ).toBe(412);
  });
});

describe('the visibility of a space', () => {
  it('is the visibility of the most open published site that holds it', async ({
    organization,
    space,
    send,
    getSpace,
  }) => {
    const closed = await buildSite(organization, { spaces: [space], visibility: 'visitor-auth' });
    const unlisted = await buildSite(organization, { spaces: [space], visibility: 'unlisted' });
    expect(await getSpace()).toMatchObject({ visibility: 'private' });
    await send('POST', closed, '/publish');
    expect(await getSpace()).toMatchObject({
      visibility: 'visitor-auth',
      visitorAuth: { backend: 'custom' },
    });
    await send('POST', unlisted, '/publish');
    expect((await getSpace()).visibility).toBe('unlisted');
    await send('PATCH', unlisted, '', { visibility: 'share-link' });
    expect((await getSpace()).visibility).toBe('share-link');
    await send('PATCH', closed, '', { visibility: 'public' });
    expect((await getSpace()).visibility).toBe('public');
    await send('POST', closed, '/unpublish');
    expect((await getSpace()).visibility).toBe('share-link');
    await send('DELETE', unlisted, '');
    expect((await getSpace()).visibility).toBe('private');
  });

  it('follows the space as it is added to a published site, replaced and removed', async ({
    organization,
    space,
    send,
    getSpace,
  }) => {
    const site = await buildSite(organization, { isPublished: true });
    const other = await buildSpace(organization);
    const first = await buildSiteSpace(site, { space });
    expect((await getSpace()).visibility).toBe('public');
    await send('PATCH', site, `/site-spaces/${first._id}`, { spaceId: other._id });
    expect([(await getSpace()).visibility, (await getSpace(other)).visibility]).toEqual([
      'private',
      'public',
    ]);
    await send('DELETE', site, `/site-spaces/${first._id}`);
    expect((await getSpace(other)).visibility).toBe('private');
    const section = await buildSection(site, { space });
    await buildSection(site, { space });
    await send('DELETE', site, `/sections/${section._id}`);
    // It is still in the other section.
    expect((await getSpace()).visibility).toBe('public');
  });

  it('is correct after sites of one space are published and unpublished at once', async ({
    organization,
    space,
    send,
    getSpace,
  }) => {
    const sites: SiteRecord[] = [];
    for (const visibility of ['public', 'unlisted', 'share-link', 'visitor-auth'] as const)
      for (const isPublished of [true, false])
        sites.push(await buildSite(organization, { spaces: [space], visibility, isPublished }));
    await Promise.all(sites.map((site) => send('POST', site, site.isPublished ? '/unpublish' : '/publish')));
    expect((await getSpace()).visibility).toBe('public');
    await Promise.all(sites.slice(0, 6).map((site) => send('DELETE', site, '')));
    expect((await getSpace()).visibility).toBe('visitor-auth');
  });
});

describe('published URLs', () => {
  it('lead to the site, its sections and its variants, without a path for defaults', async ({
    organization,
    reader,
    space,
    send,
    getSpace,
    appOrigin,
  }) => {
    const site = await buildSite(organization, { title: 'Handbook', isPublished: true });
    const base = `${appOrigin}/acme-publish/handbook`;
    const other = await buildSpace(organization, { title: 'Référence' });
    const one = await buildSection(site, { space, title: 'One' });
    const two = await buildSection(site, { space: other, title: 'Zwei ü' });
    const variant = await buildSiteSpace(site, { space: other, section: one._id });
    const inTwo = await buildSiteSpace(site, { space, section: two._id });

    const { body } = await send('GET', site, '/structure', undefined, reader);
    const urls = body.structure.map(
      (section: { urls: object; siteSpaces: { id: string; urls: object }[] }) => [
        section.urls,
        ...section.siteSpaces.map((siteSpace) => siteSpace.urls),
      ],
    );
    expect(urls).toEqual([
      [{ published: base }, { published: base }, { published: `${base}/reference` }],
      [
        { published: `${base}/zwei-u` },
        { published: `${base}/zwei-u` },
        { published: `${base}/zwei-u/guide` },
      ],
    ]);
    // A section with the path of the variant would be what its URL leads to.
    await send('PATCH', site, `/sections/${two._id}`, { path: 'reference' });
    const [shown] = (await send('GET', site, `/site-spaces`)).body.items.filter(
      ({ id }: { id: string }) => id === variant._id,
    );
    expect(shown.urls.published).toBe(`${base}/one/reference`);
    await send('PATCH', site, `/site-spaces/${inTwo._id}`, { path: 'ü.x' });
    const moved = (await send('GET', site, `/site-spaces`)).body.items.at(-1);
    expect(moved.urls.published).toBe(`${base}/reference/%C3%BC.x`);
    // The space is at the root of the site too, where it was first.
    expect((await getSpace()).urls).toMatchObject({ published: base, public: base });
  });

  it('of a space come from its most open site, and are public only for a public site', async ({
    api,
    organization,
    reader,
    space,
    send,
    getSpace,
    appOrigin,
  }) => {
    const site = await buildSite(organization, {
      title: 'Quiet',
      spaces: [space],
      visibility: 'unlisted',
      isPublished: true,
    });
    const base = `${appOrigin}/acme-publish/${site.basename}`;
    expect((await getSpace()).urls).toMatchObject({ published: base });
    expect((await getSpace()).urls).not.toHaveProperty('public');
    await buildSite(organization, { spaces: [space], visibility: 'visitor-auth', isPublished: true });
    expect((await getSpace()).urls.published).toBe(base);
    const list = await api.call('GET', `/v1/orgs/${organization._id}/spaces`, { token: reader.token });
    expect(list.body.items.find(({ id }: { id: string }) => id === space._id).urls.published).toBe(base);
    await send('POST', site, '/unpublish');
    expect((await getSpace()).urls.published).not.toBe(base);
  });

  it('use the custom hostname, else the proxy, else the host of the platform', async ({
    api,
    organization,
    send,
    appOrigin,
  }) => {
    const site = await buildSite(organization, { title: 'Where', isPublished: true });
    const shown = async () => (await send('GET', site, '')).body.urls.published;
    await send('PATCH', site, '', { proxy: 'www.example.com/docs' });
    expect(await shown()).toBe('https://www.example.com/docs');
    const other = await buildSite(organization, {
      hostname: 'docs.acme.example.com',
      proxy: 'www.example.com/docs',
      isPublished: true,
    });
    expect((await send('GET', other, '')).body).toMatchObject({
      hostname: 'docs.acme.example.com',
      urls: { published: 'https://docs.acme.example.com' },
    });
    const nameless = await buildOrganization();
    const plain = await buildSite(nameless.organization, { title: 'Plain', isPublished: true });
    const { body } = await api.call('GET', `/v1/orgs/${nameless.organization._id}/sites/${plain._id}`, {
      token: nameless.admin.token,
    });
    expect(body.urls.published).toBe(`${appOrigin}/${nameless.organization._id}/plain`);
  });

  it('contain the key of a share link when it opens the site', async ({
    organization,
    space,
    send,
    appOrigin,
  }) => {
    const site = await buildSite(organization, {
      spaces: [space],
      visibility: 'share-link',
      isPublished: true,
    });
    const link = await send('POST', site, '/share-links', { name: 'Friends' });
    const key = String(link.body.urls.published).split('/').at(-1);
    const base = `${appOrigin}/acme-publish/${site.basename}`;
    const urlsWith = async (shareKey: string) => {
      const answers = [
        await send('GET', site, `/structure?shareKey=${shareKey}`),
        await send('GET', site, `/site-spaces?shareKey=${shareKey}`),
      ];
      return answers.map(({ body }) => (body.structure ?? body.items)[0].urls.published);
    };
    expect(await urlsWith(key ?? '')).toEqual([`${base}/${key}`, `${base}/${key}`]);
    for (const wrong of ['', 'wrong', 'x'.repeat(32)]) expect(await urlsWith(wrong)).toEqual([base, base]);
    await buildSection(site, { space });
    const { body } = await send('GET', site, `/sections?shareKey=${key}`);
    expect(body.items.map(({ urls }: { urls: { published: string } }) => urls.published)).toEqual([
      `${base}/${key}`,
      `${base}/${key}/guide`,
    ]);
    expect(await SiteSpace.countDocuments({ site: site._id })).toBe(2);
  });
});
