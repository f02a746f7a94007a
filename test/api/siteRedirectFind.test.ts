import {
  Space,
  type OrganizationRecord,
  type SiteRecord,
  type SiteRedirectDestinationRecord,
  type SiteRedirectRecord,
  type SiteSpaceRecord,
  type SpaceRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signContentToken } from '../../apps/api/src/resources/published/contentToken.ts';
import { redirectPath } from '../../apps/api/src/resources/site-redirect/redirectPath.ts';
import { startApi, type TestApi } from '../support/apiServer.ts';
import {
  buildMember,
  buildOrganization,
  buildRevision,
  buildSection,
  buildShareLink,
  buildSite,
  buildSiteRedirect,
  buildSiteSpace,
  buildSpace,
  type TestUser,
} from '../support/factories.ts';

// Of all organizations there are.
const hostname = newId().toLowerCase();
let api: TestApi;
let organization: OrganizationRecord;
let reader: TestUser;
let site: SiteRecord;
let guide: SiteSpaceRecord;
let handbook: SiteSpaceRecord;
let guideSpace: SpaceRecord;
let handbookSpace: SpaceRecord;
const ids = { home: newId(), deep: newId(), secret: newId(), linked: newId() };
const pages = [
  { id: ids.home, title: 'Home', path: 'home' },
  { id: ids.deep, title: 'Deep', path: 'über uns/deep' },
  { id: ids.secret, title: 'Secret', path: 'secret', condition: 'visitor.claims.beta == true' },
];

beforeAll(async () => {
  api = await startApi();
  ({ organization } = await buildOrganization({ hostname }));
  reader = await buildMember(organization, 'read');
});
beforeEach(async () => {
  site = await buildSite(organization, { isPublished: true });
  guideSpace = await buildSpace(organization, { title: 'Guide' });
  handbookSpace = await buildSpace(organization, { title: 'Handbook' });
  await buildRevision(guideSpace, {
    pages,
    redirects: [
      { from: 'help', to: 'deep.md', page: ids.deep, anchor: 'top' },
      { from: '/with space/', to: 'home.md', page: ids.home },
      { from: 'away', to: 'https://example.org/away' },
      { from: 'lost', to: 'lost.md' },
      { from: 'evil', to: 'javascript:alert(1)' },
    ],
  });
  await buildRevision(handbookSpace, { pages, redirects: [{ from: 'help', to: 'home.md', page: ids.deep }] });
  guide = await buildSiteSpace(site, { space: guideSpace });
  handbook = await buildSiteSpace(site, { space: handbookSpace });
});
afterAll(() => api.close());

const url = () => `/v1/orgs/${organization._id}/sites/${site._id}/redirect`;
const find = async (source: string, { token = reader.token, shareKey }: { token?: string; shareKey?: string } = {}) => {
  const query = new URLSearchParams({ source, ...(shareKey !== undefined && { shareKey }) });
  const { status, body } = await api.call('GET', `${url()}?${query.toString()}`, { token });
  return { status, target: body.target as string | undefined, redirect: body.redirect };
};
const redirectTo = (source: string, destination: SiteRedirectDestinationRecord, fields: Partial<SiteRedirectRecord> = {}) =>
  buildSiteRedirect(site, { source, destination, ...redirectPath(source), ...fields });
const toPage = (pageId: string, siteSpaceId = guide._id) => ({ kind: 'site-page', siteSpaceId, pageId }) as const;
const visitorToken = (claims: Record<string, unknown> = {}, spaces = [guideSpace._id, handbookSpace._id]) =>
  signContentToken(api.config.secrets, {
    kind: 'site',
    organization: organization._id,
    site: site._id,
    siteSpace: guide._id,
    space: guideSpace._id,
    spaces,
    claims,
    visibility: site.visibility,
  });
const base = () => `${api.config.api.appUrl}/${hostname}/${site.basename}`;

describe('GET .../redirect', () => {
  it('finds the redirect of a path, and the URL that it leads to', async () => {
    const { _id } = await redirectTo('/old', toPage(ids.deep, handbook._id));
    const { status, target, redirect } = await find('/old');
    expect([status, target]).toEqual([200, `${base()}/handbook/%C3%BCber%20uns/deep`]);
    expect(redirect).toMatchObject({ object: 'site-redirect', id: _id, source: '/old', destination: toPage(ids.deep, handbook._id) });
  });

  it('knows the URL of each kind of destination', async () => {
    await redirectTo('/home', toPage(ids.home));
    await redirectTo('/space', { kind: 'site-space', siteSpaceId: handbook._id });
    await redirectTo('/out', { kind: 'external', url: 'https://example.org/x?y=z' });
    expect((await find('/home')).target).toBe(base());
    expect((await find('/space')).target).toBe(`${base()}/handbook`);
    expect((await find('/out')).target).toBe('https://example.org/x?y=z');
    const section = await buildSection(site, { space: await buildSpace(organization, { title: 'API' }), title: 'API' });
    await redirectTo('/section', { kind: 'site-section', siteSectionId: section._id });
    expect((await find('/section')).target).toBe(`${base()}/api`);
  });

  it.each(['/caf%C3%A9/x', '/caf%c3%a9/x', '/café/x', '/café/x', '/café/x/', '/café/x?y=z', '/café/x#y'])(
    'finds it for %s',
    async (source) => {
      await redirectTo('/caf%C3%A9/x', { kind: 'external', url: 'https://example.org' });
      expect((await find(source)).status).toBe(200);
    },
  );

  it.each(['/', '//', '/old/more', '/ol', '/OLD', '/%FF', '/%', '/*', '/__proto__', `/${'x'.repeat(2047)}`])(
    'finds nothing for %s',
    async (source) => {
      await redirectTo('/old', { kind: 'external', url: 'https://example.org' });
      expect((await find(source)).status).toBe(404);
    },
  );

  it.each(['', 'old', `/${'x'.repeat(2048)}`, '/a\0b'])('refuses to look for %j', async (source) => {
    expect((await find(source)).status).toBe(400);
  });

  it('needs a source', async () => {
    expect((await api.call('GET', url(), { token: reader.token })).status).toBe(400);
    expect((await api.call('GET', `${url()}?source=/a&source=/b`, { token: reader.token })).status).toBe(400);
  });

  it('prefers the very path, then the longest beginning, and adds what `*` stood for when asked to', async () => {
    const to = (name: string) => ({ kind: 'external', url: `https://example.org/${name}?q=1` }) as const;
    await redirectTo('/docs/*', to('all'), { captureWildcard: true });
    await redirectTo('/docs/v1*', to('v1'));
    await redirectTo('/docs/v1/start', to('start'));
    expect((await find('/docs/v1/start')).target).toBe('https://example.org/start?q=1');
    expect((await find('/docs/v1/other')).target).toBe('https://example.org/v1?q=1');
    expect((await find('/docs/v10')).target).toBe('https://example.org/v1?q=1');
    expect((await find('/docs/a/ü')).target).toBe('https://example.org/all/a/%C3%BC?q=1');
    // What is added never leads out of the destination.
    expect((await find('/docs/../../x')).target).toBe('https://example.org/all/x?q=1');
    expect((await find('/docs')).status).toBe(404);
  });

  it('does not follow drafts, nor redirects of other sites', async () => {
    await redirectTo('/draft', { kind: 'external', url: 'https://example.org' }, { isDraft: true });
    await buildSiteRedirect(await buildSite(organization), { source: '/theirs', path: '/theirs' });
    for (const source of ['/draft', '/theirs']) expect((await find(source)).status).toBe(404);
  });

  it('goes on to the next one where the destination is gone', async () => {
    await redirectTo('/old', toPage('gone'));
    expect((await find('/old')).status).toBe(404);
    await redirectTo('/o*', { kind: 'site-space', siteSpaceId: handbook._id });
    expect((await find('/old')).target).toBe(`${base()}/handbook`);
    await Space.updateOne({ _id: handbookSpace._id }, { $set: { isDeleted: true, deletedAt: new Date() } });
    await redirectTo('/deep', toPage(ids.deep, handbook._id));
    expect((await find('/deep')).status).toBe(404);
  });

  it('puts the key of a share link that opens the site into the URL, and no other', async () => {
    site = await buildSite(organization, { visibility: 'share-link', isPublished: true });
    guide = await buildSiteSpace(site, { space: guideSpace });
    const { key } = await buildShareLink(site);
    await redirectTo('/old', toPage(ids.deep));
    expect((await find('/old', { shareKey: key })).target).toBe(`${base()}/${key}/%C3%BCber%20uns/deep`);
    expect((await find('/old', { shareKey: 'x'.repeat(32) })).target).toBe(`${base()}/%C3%BCber%20uns/deep`);
  });
});

describe('for a visitor GET .../redirect', () => {
  it('leads to what the visitor may see', async () => {
    await redirectTo('/old', toPage(ids.deep));
    await redirectTo('/secret-page', toPage(ids.secret));
    expect((await find('/old', { token: await visitorToken() })).target).toBe(`${base()}/%C3%BCber%20uns/deep`);
    expect((await find('/secret-page', { token: await visitorToken() })).status).toBe(404);
    expect((await find('/secret-page', { token: await visitorToken({ beta: true }) })).target).toBe(`${base()}/secret`);
  });

  it('tells nothing of parts of the site that are hidden', async () => {
    const inside = await buildSpace(organization, { title: 'Inside' });
    await buildRevision(inside, { pages, redirects: [{ from: 'help', to: 'x', page: ids.home }] });
    const hidden = await buildSiteSpace(site, { space: inside, condition: 'visitor.claims.staff' });
    await redirectTo('/in', { kind: 'site-space', siteSpaceId: hidden._id });
    await redirectTo('/in-page', toPage(ids.deep, hidden._id));
    const spaces = [guideSpace._id, inside._id];
    for (const source of ['/in', '/in-page', '/inside/help']) {
      expect([source, (await find(source, { token: await visitorToken({}, spaces) })).status]).toEqual([source, 404]);
      expect([source, (await find(source, { token: await visitorToken({ staff: true }, spaces) })).status]).toEqual([source, 200]);
      expect([source, (await find(source)).status]).toEqual([source, 200]);
    }
  });

  it('is of its own site only', async () => {
    await redirectTo('/old', { kind: 'external', url: 'https://example.org' });
    const token = await visitorToken();
    expect((await find('/old', { token })).status).toBe(200);
    site = await buildSite(organization, { isPublished: true });
    expect((await find('/old', { token })).status).toBe(404);
  });
});

describe('redirects that a repository brought along', () => {
  it('count below the URL of each site space that shows it', async () => {
    const { target, redirect } = await find('/help');
    expect(target).toBe(`${base()}/%C3%BCber%20uns/deep#top`);
    expect(redirect).toMatchObject({ source: '/help', destination: toPage(ids.deep), draft: false });
    expect(redirect.id).toMatch(/^[\w-]{20}$/);
    expect((await find('/help')).redirect.id).toBe(redirect.id);
    expect((await find('/handbook/help')).target).toBe(`${base()}/handbook/%C3%BCber%20uns/deep`);
    expect((await find('/guide/help')).target).toBe(target);
    expect((await find('/with%20space')).target).toBe(base());
    expect((await find('/away')).target).toBe('https://example.org/away');
  });

  it('come after those of the site', async () => {
    await redirectTo('/help', { kind: 'external', url: 'https://example.org/first' });
    expect((await find('/help')).target).toBe('https://example.org/first');
  });

  it.each(['/lost', '/evil', '/help/more', '/handbook', '/handbook/away', '/handbookhelp'])('do not lead on from %s', async (source) => {
    expect((await find(source)).status).toBe(404);
  });

  it('are not told to a member who may not read the space', async () => {
    await Space.updateOne({ _id: guideSpace._id }, { $set: { 'access.level': null, 'access.readers': [] } });
    expect((await find('/help')).status).toBe(404);
    expect((await find('/help', { token: await visitorToken() })).status).toBe(200);
  });
});
