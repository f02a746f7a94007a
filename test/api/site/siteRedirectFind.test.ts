import {
  SiteSpace,
  Space,
  type SiteRecord,
  type SiteSpaceRecord,
  type SiteRedirectDestinationRecord,
  type SiteRedirectRecord,
} from '@bindery/models';
import { redirectPath, signContentToken } from '@bindery/publishing';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import {
  buildOrganization,
  buildRevision,
  buildSection,
  buildShareLink,
  buildSite,
  buildSiteRedirect,
  buildSiteSpace,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

// Of all organizations there are.
const hostname = newId().toLowerCase();

const ids = { home: newId(), deep: newId(), secret: newId(), linked: newId() };
const pages = [
  { id: ids.home, title: 'Home', path: 'home' },
  { id: ids.deep, title: 'Deep', path: 'über uns/deep' },
  { id: ids.secret, title: 'Secret', path: 'secret', condition: 'visitor.claims.beta == true' },
];

const siteSpaceAt = (site: SiteRecord, path: string) =>
  SiteSpace.findOne({ site: site._id, path }).orFail().lean<SiteSpaceRecord>();

const it = base
  .extend('home', { scope: 'file' }, ({ api: _started }) => buildOrganization({ hostname }))
  .extend('guideSpace', async ({ organization }) => {
    const space = await buildSpace(organization, { title: 'Guide' });
    const redirects = [
      { from: 'help', to: 'deep.md', page: ids.deep, anchor: 'top' },
      { from: '/with space/', to: 'home.md', page: ids.home },
      { from: 'away', to: 'https://example.org/away' },
      { from: 'lost', to: 'lost.md' },
      { from: 'evil', to: 'javascript:alert(1)' },
    ];
    await buildRevision(space, { pages, redirects });
    return space;
  })
  .extend('handbookSpace', async ({ organization }) => {
    const space = await buildSpace(organization, { title: 'Handbook' });
    await buildRevision(space, { pages, redirects: [{ from: 'help', to: 'home.md', page: ids.deep }] });
    return space;
  })
  .extend('site', ({ organization, guideSpace, handbookSpace }) =>
    buildSite(organization, { spaces: [guideSpace, handbookSpace], isPublished: true }),
  )
  .extend('guide', ({ site }) => siteSpaceAt(site, 'guide'))
  .extend('handbook', ({ site }) => siteSpaceAt(site, 'handbook'))
  .extend(
    'url',
    ({ organization, site }) =>
      ({ _id } = site) =>
        `/v1/orgs/${organization._id}/sites/${_id}/redirect`,
  )
  .extend(
    'find',
    ({ api, reader, url }) =>
      async (
        source: string,
        { token = reader.token, shareKey, on }: { token?: string; shareKey?: string; on?: SiteRecord } = {},
      ) => {
        const query = new URLSearchParams({ source, ...(shareKey !== undefined && { shareKey }) });
        const { status, body } = await api.call('GET', `${url(on)}?${query.toString()}`, { token });
        return { status, target: body.target as string | undefined, redirect: body.redirect };
      },
  )
  .extend(
    'redirectTo',
    ({ site }) =>
      (
        source: string,
        destination: SiteRedirectDestinationRecord,
        fields: Partial<SiteRedirectRecord> = {},
      ) =>
        buildSiteRedirect(site, { source, destination, ...redirectPath(source), ...fields }),
  )
  .extend(
    'toPage',
    ({ guide }) =>
      (pageId: string, siteSpaceId = guide._id) =>
        ({ kind: 'site-page', siteSpaceId, pageId }) as const,
  )
  .extend(
    'visitorToken',
    ({ api, organization, site, guide, guideSpace, handbookSpace }) =>
      (claims: Record<string, unknown> = {}, spaces = [guideSpace._id, handbookSpace._id]) =>
        signContentToken(api.config.secrets, {
          kind: 'site',
          organization: organization._id,
          site: site._id,
          siteSpace: guide._id,
          space: guideSpace._id,
          spaces,
          claims,
          visibility: site.visibility,
        }),
  )
  .extend('base', ({ api, site }) => `${api.config.api.appUrl}/${hostname}/${site.basename}`);

describe('GET .../redirect', () => {
  it('finds the redirect of a path, and the URL of its destination', async ({
    handbook,
    find,
    redirectTo,
    toPage,
    base,
  }) => {
    const { _id } = await redirectTo('/old', toPage(ids.deep, handbook._id));
    const { status, target, redirect } = await find('/old');
    expect([status, target]).toEqual([200, `${base}/handbook/%C3%BCber%20uns/deep`]);
    expect(redirect).toMatchObject({
      object: 'site-redirect',
      id: _id,
      source: '/old',
      destination: toPage(ids.deep, handbook._id),
    });
  });

  it('resolves the URL of each kind of destination', async ({
    organization,
    site,
    handbook,
    find,
    redirectTo,
    toPage,
    base,
  }) => {
    await redirectTo('/home', toPage(ids.home));
    await redirectTo('/space', { kind: 'site-space', siteSpaceId: handbook._id });
    await redirectTo('/out', { kind: 'external', url: 'https://example.org/x?y=z' });
    expect((await find('/home')).target).toBe(base);
    expect((await find('/space')).target).toBe(`${base}/handbook`);
    expect((await find('/out')).target).toBe('https://example.org/x?y=z');
    const section = await buildSection(site, {
      space: await buildSpace(organization, { title: 'API' }),
      title: 'API',
    });
    await redirectTo('/section', { kind: 'site-section', siteSectionId: section._id });
    expect((await find('/section')).target).toBe(`${base}/api`);
  });

  it.for(['/caf%C3%A9/x', '/caf%c3%a9/x', '/café/x', '/café/x', '/café/x/', '/café/x?y=z', '/café/x#y'])(
    'finds it for %s',
    async (source, { find, redirectTo }) => {
      await redirectTo('/caf%C3%A9/x', { kind: 'external', url: 'https://example.org' });
      expect((await find(source)).status).toBe(200);
    },
  );

  it.for(['/', '//', '/old/more', '/ol', '/OLD', '/%FF', '/%', '/*', '/__proto__', `/${'x'.repeat(2047)}`])(
    'finds nothing for %s',
    async (source, { find, redirectTo }) => {
      await redirectTo('/old', { kind: 'external', url: 'https://example.org' });
      expect((await find(source)).status).toBe(404);
    },
  );

  it.for(['', 'old', `/${'x'.repeat(2048)}`, '/a\0b'])('refuses the source %j', async (source, { find }) => {
    expect((await find(source)).status).toBe(400);
  });

  it('needs a source', async ({ api, reader, url }) => {
    expect((await api.call('GET', url(), { token: reader.token })).status).toBe(400);
    expect((await api.call('GET', `${url()}?source=/a&source=/b`, { token: reader.token })).status).toBe(400);
  });

  it('prefers the exact path, then the longest prefix, and appends the wildcard match when asked to', async ({
    find,
    redirectTo,
  }) => {
    const to = (name: string) => ({ kind: 'external', url: `https://example.org/${name}?q=1` }) as const;
    await redirectTo('/docs/*', to('all'), { captureWildcard: true });
    await redirectTo('/docs/v1*', to('v1'));
    await redirectTo('/docs/v1/start', to('start'));
    expect((await find('/docs/v1/start')).target).toBe('https://example.org/start?q=1');
    expect((await find('/docs/v1/other')).target).toBe('https://example.org/v1?q=1');
    expect((await find('/docs/v10')).target).toBe('https://example.org/v1?q=1');
    expect((await find('/docs/a/ü')).target).toBe('https://example.org/all/a/%C3%BC?q=1');
    // The added path never leads out of the destination.
    expect((await find('/docs/../../x')).target).toBe('https://example.org/all/x?q=1');
    expect((await find('/docs')).status).toBe(404);
  });

  it('does not follow drafts, nor redirects of other sites', async ({ organization, find, redirectTo }) => {
    await redirectTo('/draft', { kind: 'external', url: 'https://example.org' }, { isDraft: true });
    await buildSiteRedirect(await buildSite(organization), { source: '/theirs', path: '/theirs' });
    for (const source of ['/draft', '/theirs']) expect((await find(source)).status).toBe(404);
  });

  it('falls back to the next redirect when the destination is gone', async ({
    handbook,
    handbookSpace,
    find,
    redirectTo,
    toPage,
    base,
  }) => {
    await redirectTo('/old', toPage('gone'));
    expect((await find('/old')).status).toBe(404);
    await redirectTo('/o*', { kind: 'site-space', siteSpaceId: handbook._id });
    expect((await find('/old')).target).toBe(`${base}/handbook`);
    await Space.updateOne({ _id: handbookSpace._id }, { $set: { isDeleted: true, deletedAt: new Date() } });
    await redirectTo('/deep', toPage(ids.deep, handbook._id));
    expect((await find('/deep')).status).toBe(404);
  });

  it('adds the key of a share link to the URL only if it opens the site', async ({
    api,
    organization,
    guideSpace,
    find,
    toPage,
  }) => {
    const shared = await buildSite(organization, {
      spaces: [guideSpace],
      visibility: 'share-link',
      isPublished: true,
    });
    const base = `${api.config.api.appUrl}/${hostname}/${shared.basename}`;
    const { key } = await buildShareLink(shared);
    const destination = toPage(ids.deep, (await siteSpaceAt(shared, 'guide'))._id);
    await buildSiteRedirect(shared, { source: '/old', destination, ...redirectPath('/old') });
    expect((await find('/old', { on: shared, shareKey: key })).target).toBe(
      `${base}/${key}/%C3%BCber%20uns/deep`,
    );
    expect((await find('/old', { on: shared, shareKey: 'x'.repeat(32) })).target).toBe(
      `${base}/%C3%BCber%20uns/deep`,
    );
  });
});

describe('GET .../redirect for a visitor', () => {
  it('leads to pages that the visitor can view', async ({ find, redirectTo, toPage, visitorToken, base }) => {
    await redirectTo('/old', toPage(ids.deep));
    await redirectTo('/secret-page', toPage(ids.secret));
    expect((await find('/old', { token: await visitorToken() })).target).toBe(`${base}/%C3%BCber%20uns/deep`);
    expect((await find('/secret-page', { token: await visitorToken() })).status).toBe(404);
    expect((await find('/secret-page', { token: await visitorToken({ beta: true }) })).target).toBe(
      `${base}/secret`,
    );
  });

  it('answers 404 for hidden parts of the site', async ({
    organization,
    site,
    guideSpace,
    find,
    redirectTo,
    toPage,
    visitorToken,
  }) => {
    const inside = await buildSpace(organization, { title: 'Inside' });
    await buildRevision(inside, { pages, redirects: [{ from: 'help', to: 'x', page: ids.home }] });
    const hidden = await buildSiteSpace(site, { space: inside, condition: 'visitor.claims.staff' });
    await redirectTo('/in', { kind: 'site-space', siteSpaceId: hidden._id });
    await redirectTo('/in-page', toPage(ids.deep, hidden._id));
    const spaces = [guideSpace._id, inside._id];
    for (const source of ['/in', '/in-page', '/inside/help']) {
      expect([source, (await find(source, { token: await visitorToken({}, spaces) })).status]).toEqual([
        source,
        404,
      ]);
      expect([
        source,
        (await find(source, { token: await visitorToken({ staff: true }, spaces) })).status,
      ]).toEqual([source, 200]);
      expect([source, (await find(source)).status]).toEqual([source, 200]);
    }
  });

  it('covers only the site of the token', async ({ organization, find, redirectTo, visitorToken }) => {
    await redirectTo('/old', { kind: 'external', url: 'https://example.org' });
    const token = await visitorToken();
    expect((await find('/old', { token })).status).toBe(200);
    const other = await buildSite(organization, { isPublished: true });
    expect((await find('/old', { token, on: other })).status).toBe(404);
  });
});

describe('redirects from a repository', () => {
  it('apply below the URL of each site space that shows the space', async ({ find, toPage, base }) => {
    const { target, redirect } = await find('/help');
    expect(target).toBe(`${base}/%C3%BCber%20uns/deep#top`);
    expect(redirect).toMatchObject({ source: '/help', destination: toPage(ids.deep), draft: false });
    expect(redirect.id).toMatch(/^[\w-]{20}$/);
    expect((await find('/help')).redirect.id).toBe(redirect.id);
    expect((await find('/handbook/help')).target).toBe(`${base}/handbook/%C3%BCber%20uns/deep`);
    expect((await find('/guide/help')).target).toBe(target);
    expect((await find('/with%20space')).target).toBe(base);
    expect((await find('/away')).target).toBe('https://example.org/away');
  });

  it('include the earlier paths of pages', async ({ guideSpace, find, base, visitorToken }) => {
    const [home, deep, secret] = pages;
    const moved = [
      home!,
      { ...deep!, filePath: 'files/deep', oldPaths: ['was here', 'home'] },
      { ...secret!, oldPaths: ['was/secret'] },
    ];
    await buildRevision(guideSpace, { pages: moved });
    for (const from of ['/files/deep', '/was%20here', '/guide/was%20here'])
      expect([from, (await find(from)).target]).toEqual([from, `${base}/%C3%BCber%20uns/deep`]);
    expect((await find('/home')).status).toBe(404);
    for (const beta of [true, false])
      expect((await find('/was/secret', { token: await visitorToken({ beta }) })).status).toBe(
        beta ? 200 : 404,
      );
  });

  it('answer 404 when they lead in a circle, but not when they form a chain', async ({
    guideSpace,
    find,
    base,
  }) => {
    const to = (path: string) => `${base}/${path}`;
    await buildRevision(guideSpace, {
      pages,
      redirects: [
        { from: 'self', to: to('guide/self') },
        { from: 'a', to: to('guide/b') },
        { from: 'b', to: to('guide/a') },
        { from: 'into', to: to('guide/a') },
        { from: 'chain', to: to('guide/last') },
        { from: 'last', to: to('guide/home') },
      ],
    });
    for (const from of ['self', 'a', 'b', 'into'])
      expect((await find(`/guide/${from}`)).status, from).toBe(404);
    expect((await find('/guide/chain')).target).toBe(to('guide/last'));
    expect((await find('/guide/last')).target).toBe(to('guide/home'));
  });

  it('come after the redirects of the site', async ({ find, redirectTo }) => {
    await redirectTo('/help', { kind: 'external', url: 'https://example.org/first' });
    expect((await find('/help')).target).toBe('https://example.org/first');
  });

  it.for(['/lost', '/evil', '/help/more', '/handbook', '/handbook/away', '/handbookhelp'])(
    'do not apply to %s',
    async (source, { find }) => {
      expect((await find(source)).status).toBe(404);
    },
  );

  it('are hidden from a member who cannot view the space', async ({ guideSpace, find, visitorToken }) => {
    await Space.updateOne({ _id: guideSpace._id }, { $set: { 'access.level': null, 'access.readers': [] } });
    expect((await find('/help')).status).toBe(404);
    expect((await find('/help', { token: await visitorToken() })).status).toBe(200);
  });
});
