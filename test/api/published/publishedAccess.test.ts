import {
  Site,
  SiteSpace,
  Space,
  type SiteRecord,
  type SiteSpaceRecord,
  type SpaceRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { decodeJwt, SignJWT, type JWTPayload } from 'jose';
import { describe, expect, vi } from 'vitest';
import {
  buildOrganization,
  buildRevision,
  buildSection,
  buildSite,
  buildSiteSpace,
  buildSpace,
  writeStructure,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

// The stores of a test worker outlive a file.
const hostname = newId().toLowerCase();

const urlOf = (site: SiteRecord) => `http://api.test/${hostname}/${site.basename}`;

const it = base
  .extend('home', { scope: 'file' }, ({ api: _started }) => buildOrganization({ hostname }))
  .extend('guide', { scope: 'file' }, ({ organization }) => buildSpace(organization, { title: 'Guide' }))
  .extend('inside', { scope: 'file' }, ({ organization }) => buildSpace(organization, { title: 'Inside' }))
  .extend(
    'resolve',
    ({ api }) =>
      (url: string, more: object = {}) =>
        api.call('POST', '/v1/urls/published', { json: { url, ...more } }),
  )
  .extend(
    'siteCall',
    { scope: 'file' },
    ({ api, organization, admin }) =>
      (method: string, site: SiteRecord, path: string, json?: object) =>
        api.call(method, `/v1/orgs/${organization._id}/sites/${site._id}${path}`, {
          token: admin.token,
          json,
        }),
  )
  .extend(
    'published',
    ({ api, organization }) =>
      (site: SiteRecord, token: string, query = '') =>
        api.call('GET', `/v1/orgs/${organization._id}/sites/${site._id}/published${query}`, { token }),
  )
  /** A site whose visitors sign in, with the claims that they may have. */
  .extend('customers', { scope: 'file' }, async ({ organization, guide, inside, siteCall }) => {
    const spaces = [guide, inside];
    const site = await buildSite(organization, {
      title: 'Customers',
      spaces,
      visibility: 'visitor-auth',
      isPublished: true,
    });
    const { status } = await siteCall('PUT', site, '/adaptive-schema', {
      jsonSchema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          staff: { type: 'boolean', description: 'Works here' },
          unsigned: {
            type: 'object',
            description: 'Unsigned claims of the site visitor.',
            additionalProperties: false,
            properties: { beta: { type: 'boolean', description: 'Wants what is new' } },
          },
        },
      },
    });
    expect(status).toBe(200);
    const fallbackURL = 'https://acme.example/sign-in?from=docs';
    const { privateKey } = (await siteCall('PATCH', site, '/publishing/auth', { fallbackURL })).body;
    return { site, privateKey };
  })
  .extend(
    'sign',
    ({ customers }) =>
      (claims: JWTPayload, key = customers.privateKey) =>
        new SignJWT({ exp: Math.floor(Date.now() / 1000) + 600, ...claims })
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(key)),
  );

describe('a site that is opened by share links', () => {
  it('opens only to the key in the URL', async ({
    api,
    organization,
    guide,
    resolve,
    siteCall,
    published,
  }) => {
    const site = await buildSite(organization, {
      title: 'Shared',
      spaces: [guide],
      visibility: 'share-link',
      isPublished: true,
    });
    const link = (await siteCall('POST', site, '/share-links', { name: 'Friends' })).body;
    const key = link.urls.published.slice(urlOf(site).length + 1);
    const { status, body } = await resolve(`${link.urls.published}/page`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      shareKey: key,
      siteBasePath: `/${hostname}/${site.basename}/${key}`,
      pathname: '/page',
      canonicalUrl: `${link.urls.published}/page`,
    });
    const { apiToken } = body;
    const shown = await published(site, apiToken, `?shareKey=${key}`);
    expect(shown.body.site.urls.published).toBe(link.urls.published);
    expect(JSON.stringify(decodeJwt(apiToken))).not.toContain(key);

    const other = await buildSite(organization, {
      title: 'Other',
      spaces: [guide],
      visibility: 'share-link',
      isPublished: true,
    });
    const otherKey = (await siteCall('POST', other, '/share-links', { name: '' })).body.urls.published
      .split('/')
      .at(-1);
    for (const wrong of ['', `/${otherKey}`, `/${'x'.repeat(32)}`, '/page'])
      expect((await resolve(urlOf(site) + wrong)).status).toBe(404);
    const long = 'x'.repeat(300);
    const queries = [
      '',
      '?shareKey=',
      `?shareKey=${otherKey}`,
      `?shareKey=${key}&shareKey=${key}`,
      `?shareKey[]=${key}`,
      `?shareKey=${long}`,
    ];
    const messages = new Set<string>();
    for (const query of queries) {
      const answer = await published(site, apiToken, query);
      expect([query, answer.status]).toEqual([query, 404]);
      messages.add(answer.body.error.message);
    }
    expect(messages.size).toBe(1);

    await siteCall('PATCH', site, `/share-links/${link.id}`, { active: false });
    expect((await resolve(link.urls.published)).status).toBe(404);
    const revoked = await published(site, apiToken, `?shareKey=${key}`);
    expect([revoked.status, [revoked.body.error.message]]).toEqual([404, [...messages]]);
    expect(api.logLines.join('\n')).not.toContain(key);
  });
});

describe('a site whose visitors sign in', () => {
  it('redirects visitors without a valid token to the sign-in page', async ({
    customers: { site },
    resolve,
    sign,
  }) => {
    const redirect = `https://acme.example/sign-in?from=docs&location=${encodeURIComponent(`/${hostname}/${site.basename}/page?x=1`)}`;
    const expected = { target: 'external', site: site._id, redirect };
    const url = `${urlOf(site)}/page?x=1`;
    expect((await resolve(url)).body).toEqual(expected);
    const wrong = [
      await sign({ staff: true }, 'x'.repeat(64)),
      await sign({ staff: true, exp: Math.floor(Date.now() / 1000) - 60 }),
      'nonsense',
    ];
    for (const jwtToken of wrong)
      expect((await resolve(url, { visitor: { jwtToken } })).body).toEqual(expected);
  });

  it('admits visitors with a valid token, and shows each the spaces that their claims allow', async ({
    guide,
    inside,
    resolve,
    published,
    customers: { site },
    sign,
  }) => {
    await writeStructure(site, async () =>
      SiteSpace.updateOne(
        { site: site._id, space: inside._id },
        { $set: { condition: 'visitor.claims.staff' } },
      ),
    );
    const shownTo = async (claims: JWTPayload, unsignedClaims?: object) => {
      const visitor = { jwtToken: await sign(claims), ...(unsignedClaims && { unsignedClaims }) };
      const { status, body } = await resolve(urlOf(site), { visitor });
      expect(status).toBe(200);
      const { structure } = (await published(site, body.apiToken)).body.structure;
      return {
        spaces: structure.map(({ title }: { title: string }) => title),
        token: decodeJwt(body.apiToken),
        contextId: body.contextId,
      };
    };
    const customer = await shownTo({ staff: false, secret: 'x' });
    expect(customer.spaces).toEqual(['Guide']);
    expect(customer.token).toMatchObject({ spaces: [guide._id], claims: { staff: false } });
    const colleague = await shownTo({ staff: true });
    expect(colleague.spaces).toEqual(['Guide', 'Inside']);
    expect(colleague.contextId).not.toBe(customer.contextId);
    // Unsigned claims grant nothing.
    expect((await shownTo({}, { staff: true, unsigned: { staff: true }, beta: true })).token.claims).toEqual({
      unsigned: { beta: true },
    });
    expect(
      (await resolve(`${urlOf(site)}/inside`, { visitor: { jwtToken: await sign({}) } })).body,
    ).toMatchObject({
      space: guide._id,
      pathname: '/inside',
    });
  });

  it('rejects tokens of a replaced key, and answers 404 without a sign-in page', async ({
    resolve,
    siteCall,
    customers: { site },
    sign,
  }) => {
    const jwtToken = await sign({ staff: true });
    await siteCall('POST', site, '/publishing/auth/regenerate');
    expect((await resolve(urlOf(site), { visitor: { jwtToken } })).body).toMatchObject({
      target: 'external',
    });
    await siteCall('PATCH', site, '/publishing/auth', { fallbackURL: null });
    expect((await resolve(urlOf(site), { visitor: { jwtToken } })).status).toBe(404);
  });
});

describe('a preview', () => {
  it('shows a site that is not published', async ({ organization, guide, resolve, siteCall, published }) => {
    const site = await buildSite(organization, { title: 'Soon', spaces: [guide] });
    const { url } = (await siteCall('GET', site, '/publishing/preview')).body;
    const { status, body } = await resolve(`${url}/page`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ site: site._id, space: guide._id, preview: true, pathname: '/page' });
    expect((await published(site, body.apiToken)).body).toMatchObject({ site: { published: false } });
    const other = await buildSite(organization, { title: 'Elsewhere', spaces: [guide] });
    expect((await resolve(url.replace(site.basename, other.basename))).status).toBe(404);
    expect((await resolve(`${url}x`)).status).toBe(404);
    await Site.deleteOne({ _id: site._id });
    expect((await published(site, body.apiToken)).status).toBe(404);
  });

  it('expires an hour after its creation, however often it is opened', async ({
    organization,
    guide,
    resolve,
    siteCall,
  }) => {
    const site = await buildSite(organization, { title: 'Hour', spaces: [guide] });
    const madeSeconds = Date.now() / 1_000;
    const { url } = (await siteCall('GET', site, '/publishing/preview')).body;
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.advanceTimersByTime(50 * 60_000);
      const { exp = 0 } = decodeJwt((await resolve(url)).body.apiToken);
      expect(Math.abs(exp - madeSeconds - 3_600)).toBeLessThan(60);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a content token', () => {
  it('stays the same for ten minutes for the same claims, and is valid for fifty minutes after that', async ({
    customers: { site },
    resolve,
    sign,
    siteCall,
    published,
  }) => {
    const { privateKey } = (await siteCall('GET', site, '/publishing/auth')).body;
    vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / 600_000) * 600_000 });
    try {
      const tokenOf = async (claims: JWTPayload, path = '') =>
        (
          await resolve(`${urlOf(site)}${path}`, {
            visitor: { jwtToken: await sign({ ...claims, iat: Math.floor(Date.now() / 1_000) }, privateKey) },
          })
        ).body.apiToken as string;
      const first = await tokenOf({ staff: true, name: 'Ann' });
      vi.advanceTimersByTime(599_999);
      expect(await tokenOf({ name: 'Ben', staff: true }, '/a-page')).toBe(first);
      const others = [
        await tokenOf({ staff: false }),
        await tokenOf({}),
        await tokenOf({ staff: true }, '/inside/a-page'),
      ];
      vi.advanceTimersByTime(1);
      expect(new Set([first, ...others, await tokenOf({ staff: true })]).size).toBe(5);
      vi.advanceTimersByTime(3_000_000 - 1);
      expect((await published(site, first)).status).toBe(200);
      vi.advanceTimersByTime(1);
      expect((await published(site, first)).status).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });

  it('changes with each change of the content that the visitor sees', async ({
    organization,
    admin,
    guide,
    inside,
    api,
    resolve,
    siteCall,
  }) => {
    const site = await buildSite(organization, {
      title: 'Changes',
      spaces: [guide, inside],
      isPublished: true,
    });
    const siteSpaces = await SiteSpace.find({ site: site._id }).lean<SiteSpaceRecord[]>();
    const [first, second] = [guide, inside].map(
      ({ _id }) => siteSpaces.find(({ space }) => space === _id)?._id,
    );
    const tokens: string[] = [];
    const change = async (method: string, path: string, json: object) => {
      tokens.push((await resolve(urlOf(site))).body.apiToken);
      expect((await siteCall(method, site, path, json)).status).toBe(200);
    };
    await change('PATCH', '', { title: 'Changed' });
    await change('PUT', '/customization', { title: 'Look' });
    await change('PATCH', `/site-spaces/${first}/customization`, { title: 'Own look' });
    await change('PATCH', `/site-spaces/${second}`, { condition: 'visitor.claims.staff == true' });
    const before = (await resolve(urlOf(site))).body.apiToken;
    tokens.push(before);
    await buildRevision(guide, { pages: [{ id: 'p', title: 'Page', source: 'New.' }] });
    tokens.push((await resolve(urlOf(site))).body.apiToken);
    expect(new Set(tokens).size).toBe(tokens.length);
    // It does not see the other one.
    expect(
      (await api.call('PATCH', `/v1/spaces/${inside._id}`, { token: admin.token, json: { title: 'In' } }))
        .status,
    ).toBe(200);
    expect((await resolve(urlOf(site))).body.apiToken).toBe(tokens.at(-1));
  });

  it('loses access at once to a space that gets a condition, itself or through its section', async ({
    api,
    organization,
    guide,
    inside,
    resolve,
    siteCall,
  }) => {
    const site = await buildSite(organization, { title: 'Follows', isPublished: true });
    const [first, second] = [
      await buildSection(site, { space: guide, title: 'First' }),
      await buildSection(site, { space: inside, title: 'Second' }),
    ];
    const { apiToken } = (await resolve(urlOf(site))).body;
    const reach = async () =>
      (await api.call('GET', `/v1/spaces/${inside._id}/content`, { token: apiToken })).status;
    expect(await reach()).toBe(200);
    await siteCall('PATCH', site, `/sections/${second._id}`, { condition: 'visitor.claims.staff == true' });
    expect(await reach()).toBe(404);
    await siteCall('PATCH', site, `/sections/${second._id}`, { condition: null });
    expect(await reach()).toBe(200);
    await siteCall('PATCH', site, `/site-spaces/${second.defaultSiteSpace}`, {
      condition: 'visitor.claims.staff == true',
    });
    expect(await reach()).toBe(404);
    await buildSiteSpace(site, { space: inside, section: first._id });
    expect(await reach()).toBe(200);
  });

  it('hides links of the header whose condition the visitor does not meet', async ({
    organization,
    admin,
    guide,
    resolve,
    siteCall,
    published,
  }) => {
    const site = await buildSite(organization, { title: 'Links', spaces: [guide], isPublished: true });
    const link = (title: string, condition?: string) => ({
      title,
      to: null,
      links: [],
      ...(condition !== undefined && { condition }),
    });
    await siteCall('PUT', site, '/customization', {
      header: { links: [link('Open'), link('Staff', 'visitor.claims.staff == true')] },
    });
    const { apiToken } = (await resolve(urlOf(site))).body;
    type Look = { header: { links: { title: string }[] } };
    const titles = async (token: string) => {
      const { customizations } = (await published(site, token)).body;
      const looks: Look[] = [customizations.site, ...Object.values<Look>(customizations.siteSpaces)];
      return looks.map(({ header }) => header.links.map(({ title }) => title));
    };
    expect(await titles(apiToken)).toEqual([['Open'], ['Open']]);
    expect(await titles(admin.token)).toEqual([
      ['Open', 'Staff'],
      ['Open', 'Staff'],
    ]);
  });

  it('fits into a header, whatever the size of the site and of the claims', async ({
    api,
    organization,
    guide,
    resolve,
    siteCall,
    published,
  }) => {
    const site = await buildSite(organization, { title: 'Large', spaces: [guide], isPublished: true });
    const one = (await SiteSpace.findOne({ site: site._id }).lean<SiteSpaceRecord>()) as SiteSpaceRecord;
    const spaces = Array.from({ length: 300 }, () => newId());
    const space = (await Space.findById(guide._id).lean<SpaceRecord>()) as SpaceRecord;
    await Space.insertMany(spaces.map((_id) => ({ ...space, _id })));
    await writeStructure(site, async () =>
      SiteSpace.insertMany(
        spaces.map((id, i) => ({
          ...one,
          _id: newId(),
          space: id,
          path: `p${i}`,
          position: `${one.position}${i + 1}x`,
        })),
      ),
    );
    const text = { type: 'string', description: 'A text.' };
    const unsigned = {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      properties: { b: text },
      additionalProperties: false,
    };
    await siteCall('PUT', site, '/adaptive-schema', {
      jsonSchema: { type: 'object', properties: { a: text, unsigned }, additionalProperties: false },
    });
    const { privateKey } = (await siteCall('GET', site, '/publishing/auth')).body;
    const jwtToken = await new SignJWT({ a: 'x'.repeat(4000) })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(Buffer.from(privateKey));
    const { body } = await resolve(urlOf(site), {
      visitor: { jwtToken, unsignedClaims: { b: 'y'.repeat(4000) } },
    });
    expect(decodeJwt(body.apiToken)['claims']).toEqual({
      a: 'x'.repeat(4000),
      unsigned: { b: 'y'.repeat(4000) },
    });
    const shown = await published(site, body.apiToken);
    expect([shown.status, shown.body?.structure.structure.length]).toEqual([200, 301]);
    expect((await api.call('GET', `/v1/spaces/${spaces[299]}`, { token: body.apiToken })).status).toBe(200);
  });
});

describe('a site whose key is replaced', () => {
  it('rejects tokens of the old key at once, and no other tokens', async ({
    organization,
    guide,
    resolve,
    siteCall,
    published,
  }) => {
    for (const visibility of ['visitor-auth', 'public'] as const) {
      const site = await buildSite(organization, {
        title: 'Keys',
        spaces: [guide],
        visibility,
        isPublished: true,
      });
      const signedWith = async (key: string) =>
        resolve(urlOf(site), {
          visitor: {
            jwtToken: await new SignJWT({ exp: Math.floor(Date.now() / 1000) + 600 })
              .setProtectedHeader({ alg: 'HS256' })
              .sign(new TextEncoder().encode(key)),
          },
        });
      const { privateKey } = (await siteCall('GET', site, '/publishing/auth')).body;
      const signed = (await signedWith(privateKey)).body.apiToken;
      const unsigned = visibility === 'public' ? (await resolve(urlOf(site))).body.apiToken : undefined;
      expect((await published(site, signed)).status).toBe(200);
      const { body } = await siteCall('POST', site, '/publishing/auth/regenerate', {});
      expect((await published(site, signed)).status).toBe(404);
      expect((await published(site, (await signedWith(body.privateKey)).body.apiToken)).status).toBe(200);
      if (unsigned !== undefined) expect((await published(site, unsigned)).status).toBe(200);
    }
  });
});
