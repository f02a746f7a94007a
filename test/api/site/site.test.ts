import {
  countFeedback,
  Grant,
  Organization,
  PageFeedback,
  ShareLink,
  Site,
  SiteRedirect,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
} from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildGrant,
  buildMember,
  buildOrganization,
  buildSection,
  buildSectionGroup,
  buildShareLink,
  buildSite,
  buildSiteRedirect,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('home', { scope: 'file' }, ({ api: _started }) => buildOrganization({ title: 'Acme' }))
  .extend('space', ({ organization }) => buildSpace(organization, { title: 'Handbook' }))
  .extend('sites', ({ organization }) => `/v1/orgs/${organization._id}/sites`)
  .extend(
    'create',
    ({ api, creator, sites }) =>
      (json?: unknown, { token } = creator) =>
        api.call('POST', sites, { token, ...(json !== undefined && { json }) }),
  )
  .extend(
    'call',
    ({ api, admin, sites }) =>
      (method: string, id: string, json?: unknown, { token } = admin) =>
        api.call(method, `${sites}/${id}`, { token, ...(json !== undefined && { json }) }),
  );

describe('POST /v1/orgs/{organizationId}/sites', () => {
  it('makes an empty site with defaults from an empty body, and from none', async ({ sites, create }) => {
    for (const body of [{}, undefined]) {
      const { status, body: site } = await create(body);
      expect(status).toBe(201);
      expect(site).toMatchObject({
        object: 'site',
        type: 'basic',
        appliedType: 'basic',
        title: 'Acme',
        visibility: 'public',
        published: false,
        siteSpaces: 0,
        agentsContext: 'included',
        defaultLevel: 'read',
        urls: {
          location: `http://api.test${sites}/${site.id}`,
          app: expect.stringContaining(`/sites/${site.id}`),
          preview: expect.stringContaining(site.id),
        },
        permissions: {
          view: true,
          access: true,
          edit: true,
          create: true,
          admin: false,
          viewAdaptiveSchema: true,
          editAdaptiveSchema: false,
        },
      });
      for (const absent of ['icon', 'hostname', 'proxy', 'adaptiveContent', 'ads'])
        expect(site).not.toHaveProperty(absent);
      expect(site.urls).not.toHaveProperty('published');
      expect(site.features).toHaveLength(28);
      expect(site.features[0]).toEqual({ id: 'sites-adaptive-content', plan: 'basic', frozen: false });
    }
  });

  it('keeps the given fields, and refuses unknown ones', async ({ creator, create, call }) => {
    const { body } = await create({
      type: 'premium',
      title: '  Docs  ',
      visibility: 'unlisted',
    });
    for (const field of ['id', 'organization', 'published', 'permissions', 'visibilty'])
      expect((await create({ [field]: 'share-link' })).body.error.details[0].path).toBe(`body.${field}`);
    expect(body).toMatchObject({
      type: 'premium',
      appliedType: 'premium',
      title: 'Docs',
      visibility: 'unlisted',
      published: false,
    });
    expect((await call('GET', body.id, undefined, creator)).body).toEqual(body);
  });

  it('shows spaces in the given order; the first is the default and gives the title', async ({
    organization,
    space,
    create,
    call,
  }) => {
    const other = await buildSpace(organization, { title: 'Handbook' });
    const { body: site } = await create({ spaces: [other._id, space._id] });
    expect(site).toMatchObject({ title: 'Handbook', siteSpaces: 2 });
    const { body } = await call('GET', `${site.id}/site-spaces`);
    expect(
      body.items.map((one: { space: { id: string }; path: string; default: boolean }) => [
        one.space.id,
        one.path,
        one.default,
      ]),
    ).toEqual([
      [other._id, 'handbook', true],
      [space._id, 'handbook-2', false],
    ]);
  });

  it.for(['x', ''])(
    'a first space with the title %j gives no title',
    async (title, { organization, create }) => {
      const short = await buildSpace(organization, { title });
      expect((await create({ spaces: [short._id] })).body.title).toBe(title === '' ? 'Untitled' : 'Acme');
    },
  );

  it('creates a space for the site: with one empty page, or with example pages', async ({
    api,
    reader,
    create,
    call,
  }) => {
    const pagesOf = async (spaces: string) => {
      const { status, body: site } = await create({ title: 'Fresh docs', spaces });
      expect([status, site.siteSpaces]).toEqual([201, 1]);
      const [siteSpace] = (await call('GET', `${site.id}/site-spaces`)).body.items;
      expect(siteSpace).toMatchObject({ title: 'Fresh docs', default: true });
      return (
        await api.call('GET', `/v1/spaces/${siteSpace.space.id}/content/pages`, { token: reader.token })
      ).body.pages;
    };
    expect(await pagesOf('empty')).toMatchObject([{ title: 'Fresh docs', path: 'readme', pages: [] }]);
    const pages = await pagesOf('sample');
    expect(pages[0]).toMatchObject({ type: 'document', title: 'Fresh docs', path: 'readme' });
    expect(pages.slice(1).map(({ type, path }: { type: string; path: string }) => [type, path])).toEqual([
      ['group', 'getting-started'],
      ['group', 'writing'],
    ]);
    expect(pages[1].pages[0]).toMatchObject({ title: 'Quickstart', path: 'getting-started/quickstart' });
  });

  it('gives each site of an organization its own basename, also when many are created at once', async ({
    create,
  }) => {
    const made = await Promise.all(Array.from({ length: 20 }, () => create({ title: 'Ünïque näme' })));
    const names = made.map(({ body }) => body.basename);
    expect(new Set(names).size).toBe(20);
    expect(names).toContain('unique-name');
    expect(names).toContain('unique-name-20');
    expect((await create({ title: '🎉🎉' })).body.basename).toMatch(/^site(-\d+)?$/);
  });

  it.for([
    [{ title: 'x' }, 'body.title'],
    [{ title: 'x'.repeat(129) }, 'body.title'],
    [{ title: ' x ' }, 'body.title'],
    [{ title: 5 }, 'body.title'],
    [{ type: 'gold' }, 'body.type'],
    [{ visibility: 'in-collection' }, 'body.visibility'],
    [{ spaces: 'full' }, 'body.spaces'],
    [{ spaces: [''] }, 'body.spaces'],
    [{ spaces: ['nothing'] }, 'body.spaces'],
  ] as const)('refuses %j', async ([body, path], { create }) => {
    const count = await Site.countDocuments();
    const { status, body: answer } = await create(body);
    expect([status, answer.error.details[0].path]).toEqual([400, expect.stringContaining(path)]);
    expect(await Site.countDocuments()).toBe(count);
  });

  it('refuses a space that is foreign, deleted, hidden from the caller, or named twice', async ({
    organization,
    admin,
    space,
    create,
  }) => {
    const elsewhere = await buildSpace((await buildOrganization()).organization);
    const deleted = await buildSpace(organization, { deletedAt: new Date() });
    const closed = await buildSpace(organization, { defaultLevel: null });
    for (const spaces of [[space._id, elsewhere._id], [deleted._id], [closed._id], [space._id, space._id]])
      expect((await create({ spaces })).status).toBe(400);
    expect((await create({ spaces: [closed._id] }, admin)).status).toBe(201);
  });
});

describe('GET /v1/orgs/{organizationId}/sites/{siteId}', () => {
  it('answers 404 to guests and other organizations, and under the wrong organization', async ({
    api,
    organization,
    reader,
    call,
  }) => {
    const site = await buildSite(organization);
    const guest = await buildMember(organization, null);
    const other = await buildOrganization();
    expect((await call('GET', site._id, undefined, guest)).status).toBe(404);
    expect((await call('GET', site._id, undefined, other.admin)).status).toBe(404);
    expect(
      (
        await api.call('GET', `/v1/orgs/${other.organization._id}/sites/${site._id}`, {
          token: other.admin.token,
        })
      ).status,
    ).toBe(404);
    expect((await call('DELETE', site._id, undefined, other.admin)).status).toBe(404);
    expect((await call('GET', site._id, undefined, reader)).body.permissions).toEqual({
      view: true,
      access: true,
      edit: false,
      create: false,
      admin: false,
      installIntegration: false,
      viewAdaptiveSchema: true,
      editAdaptiveSchema: false,
    });
  });

  it('answers 304 to a caller who has the current state', async ({
    api,
    organization,
    admin,
    sites,
    call,
  }) => {
    const site = await buildSite(organization);
    const etag = (await call('GET', site._id)).headers.get('etag') ?? '';
    const again = (path: string) =>
      api.call('GET', path, { token: admin.token, headers: { 'if-none-match': etag } });
    expect((await again(`${sites}/${site._id}`)).status).toBe(304);
    await call('PATCH', site._id, { title: 'Other' });
    expect((await again(`${sites}/${site._id}`)).status).toBe(200);
  });
});

describe('DELETE /v1/orgs/{organizationId}/sites/{siteId}', () => {
  it('removes the site with its structure; its spaces stay and become private', async ({
    api,
    organization,
    creator,
    reader,
    space,
    call,
  }) => {
    const shown = await buildSpace(organization);
    const site = await buildSite(organization, { spaces: [shown], isPublished: true });
    const section = await buildSection(site, { space });
    await buildSectionGroup(site, { sections: [section] });
    await buildShareLink(site);
    await buildSiteRedirect(site);
    const siteSpace = site.defaultSiteSpace!;
    await countFeedback([{ site: site._id, siteSpace, page: 'x', rating: 'ok' }], new Date());
    await Organization.updateOne(
      { _id: organization._id },
      { $set: { defaultContent: { type: 'site', site: site._id } } },
    );
    const get = () => api.call('GET', `/v1/spaces/${shown._id}`, { token: reader.token });
    expect((await get()).body.visibility).toBe('public');

    expect((await call('DELETE', site._id, undefined, creator)).status).toBe(403);
    expect((await call('DELETE', site._id)).status).toBe(204);

    expect((await call('GET', site._id)).status).toBe(404);
    for (const model of [SiteSpace, SiteSection, SiteSectionGroup, ShareLink, SiteRedirect, PageFeedback])
      expect(await (model as typeof SiteSpace).countDocuments({ site: site._id })).toBe(0);
    expect(await Grant.countDocuments({ target: site._id })).toBe(0);
    expect((await Organization.findById(organization._id).lean())?.defaultContent).toBeUndefined();
    expect((await get()).body.visibility).toBe('private');
    expect((await call('DELETE', site._id)).status).toBe(204);
    expect((await call('DELETE', 'nothing')).status).toBe(204);
  });
});

it('a user with a role on a site has its permissions there, also a guest', async ({
  api,
  organization,
  sites,
  call,
}) => {
  const site = await buildSite(organization);
  const guest = await buildMember(organization, null);
  await buildGrant({ site }, guest, 'create');
  expect((await call('GET', site._id, undefined, guest)).body.permissions).toMatchObject({
    view: true,
    edit: true,
    admin: false,
  });
  expect((await call('PATCH', site._id, { title: 'By a guest' }, guest)).status).toBe(200);
  expect((await api.call('GET', sites, { token: guest.token })).body).toMatchObject({
    count: 1,
    items: [{ id: site._id }],
  });
});
