import { ShareLink, type ShareLinkRecord } from '@bindery/models';
import { findShareLink, newShareLink } from '@bindery/publishing';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { buildMember, buildOrganization, buildShareLink, buildSite } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

// Of all organizations there are.
const hostname = newId().toLowerCase();

const keyIn = (link: { urls: { published: string } }) => link.urls.published.split('/').at(-1) ?? '';

const it = base
  .extend('home', { scope: 'file' }, ({ api: _started }) => buildOrganization({ hostname }))
  .extend('site', ({ organization }) =>
    buildSite(organization, { visibility: 'share-link', isPublished: true }),
  )
  .extend(
    'find',
    ({ api }) =>
      (siteId: string, key: unknown) =>
        findShareLink(api.config.secrets, { site: siteId, key }),
  )
  .extend(
    'url',
    ({ organization, site }) =>
      (path = '') =>
        `/v1/orgs/${organization._id}/sites/${site._id}/share-links${path}`,
  )
  .extend(
    'call',
    ({ api, admin, url }) =>
      (method: string, path = '', json?: unknown, { token } = admin) =>
        api.call(method, url(path), { token, ...(json !== undefined && { json }) }),
  );

describe('POST .../share-links', () => {
  it('makes a link with a secret of 32 characters in its URL', async ({ site, call, find }) => {
    const { status, body } = await call('POST', '', { name: 'Partners' });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'share-link',
      id: expect.any(String),
      name: 'Partners',
      active: true,
      createdAt: expect.any(String),
      urls: { published: expect.stringMatching(/\/[a-z0-9]+\/site[-\d]*\/[0-9A-Za-z]{32}$/) },
    });
    expect(keyIn(body)).not.toBe(body.id);
    expect(await find(site._id, keyIn(body))).toMatchObject({ _id: body.id });
  });

  it('keeps the secret out of the log, and out of the database in plain text', async ({ api, call }) => {
    const { body } = await call('POST', '', { name: '' });
    const stored = await ShareLink.findById(body.id).lean();
    expect(JSON.stringify(stored)).not.toContain(keyIn(body));
    expect(api.logLines.join('')).not.toContain(keyIn(body));
  });

  it.for([[{}], [{ name: null }], [{ name: 'x'.repeat(51) }], [{ name: 5 }], [[]]] as const)(
    'refuses %j',
    async ([json], { call }) => {
      expect((await call('POST', '', json)).status).toBe(400);
      expect((await call('GET')).body.count).toBe(0);
    },
  );

  it('makes at most 100 links, also when many requests arrive at once', async ({ api, site, call }) => {
    await ShareLink.insertMany(
      Array.from({ length: 97 }, () =>
        newShareLink(api.config.secrets, site, { name: '', createdBy: 'nobody' }),
      ),
    );
    const answers = await Promise.all(Array.from({ length: 6 }, () => call('POST', '', { name: 'More' })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 201, 409, 409, 409,
    ]);
    expect((await call('GET')).body.count).toBe(100);
  });
});

describe('GET .../share-links', () => {
  it('lists the links of the site, newest first, in pages', async ({ organization, call }) => {
    const names = ['A', 'B', 'C'];
    for (const name of names) await call('POST', '', { name });
    await buildShareLink(await buildSite(organization));
    const first = (await call('GET', '?limit=2')).body;
    expect([first.count, first.items.map(({ name }: { name: string }) => name)]).toEqual([3, ['C', 'B']]);
    const second = (await call('GET', `?limit=2&page=${first.next.page}`)).body;
    expect(second.items.map(({ name }: { name: string }) => name)).toEqual(['A']);
    expect(second).not.toHaveProperty('next');
  });

  it('searches in names, literally', async ({ call }) => {
    for (const name of ['Partners', 'partly', 'a.*']) await call('POST', '', { name });
    expect((await call('GET', '?search=PART')).body.count).toBe(2);
    expect((await call('GET', `?search=${encodeURIComponent('.*')}`)).body.items).toMatchObject([
      { name: 'a.*' },
    ]);
  });
});

describe('PATCH and DELETE .../share-links/{shareLinkId}', () => {
  it('changes the name, and leaves the secret as it is', async ({ call }) => {
    const { body: link } = await call('POST', '', { name: 'A' });
    const { status, body } = await call('PATCH', `/${link.id}`, { name: '' });
    expect([status, body]).toEqual([200, { ...link, name: '' }]);
    expect((await call('PATCH', `/${link.id}`)).body).toEqual(body);
    for (const json of [{ id: 'x' }, { urls: {} }, { activ: false }])
      expect((await call('PATCH', `/${link.id}`, json)).status).toBe(400);
  });

  it('switches a link off and on', async ({ site, call, find }) => {
    const { body: link } = await call('POST', '', { name: 'A' });
    expect((await call('PATCH', `/${link.id}`, { active: false })).body.active).toBe(false);
    expect(await find(site._id, keyIn(link))).toBeUndefined();
    await call('PATCH', `/${link.id}`, { active: true });
    expect(await find(site._id, keyIn(link))).toBeDefined();
  });

  it.for([{ name: null }, { name: 'x'.repeat(51) }, { active: 'false' }, { active: null }])(
    'PATCH refuses %j',
    async (json, { site, call }) => {
      const { _id } = await buildShareLink(site);
      expect((await call('PATCH', `/${_id}`, json)).status).toBe(400);
    },
  );

  it('DELETE removes it for good, also twice', async ({ site, call, find }) => {
    const { _id, key } = await buildShareLink(site);
    for (let i = 0; i < 2; i++) expect((await call('DELETE', `/${_id}`)).status).toBe(204);
    expect(await find(site._id, key)).toBeUndefined();
    expect((await call('PATCH', `/${_id}`, { active: true })).status).toBe(404);
  });

  it('do not reach a link of another site', async ({ organization, call }) => {
    const other = await buildShareLink(await buildSite(organization));
    expect((await call('PATCH', `/${other._id}`, { active: false })).status).toBe(404);
    expect((await call('DELETE', `/${other._id}`)).status).toBe(204);
    expect(await ShareLink.findById(other._id).lean<ShareLinkRecord>()).toMatchObject({ isActive: true });
  });
});

it('only admins of the site see and make links', async ({ organization, site, call }) => {
  const { _id } = await buildShareLink(site);
  const creator = await buildMember(organization, 'create');
  for (const [method, path] of [['GET'], ['POST'], ['PATCH', `/${_id}`], ['DELETE', `/${_id}`]] as const) {
    const { status, text } = await call(
      method,
      path,
      method === 'GET' || method === 'DELETE' ? undefined : { name: 'x' },
      creator,
    );
    expect([method, status]).toEqual([method, 403]);
    expect(text).not.toContain(_id);
  }
});

describe('the secret of a share link', () => {
  it('opens the site of the link, and no other', async ({ organization, site, find }) => {
    const { key, _id } = await buildShareLink(site);
    expect(await find(site._id, key)).toMatchObject({ _id });
    expect(await find((await buildSite(organization))._id, key)).toBeUndefined();
  });

  it.for(
    [undefined, null, '', 'x', 5, {}, [], 'a'.repeat(32), 'a'.repeat(33), `${'a'.repeat(31)}é`, '$ne'].map(
      (key) => [key],
    ),
  )('opens nothing when it is %j', async ([key], { site, find }) => {
    await buildShareLink(site);
    expect(await find(site._id, key)).toBeUndefined();
  });

  it('must match exactly, as a string', async ({ site, find }) => {
    const { key } = await buildShareLink(site);
    expect(await find(site._id, [key])).toBeUndefined();
    expect(await find(site._id, `${key} `)).toBeUndefined();
    expect(
      await find(site._id, key.toLowerCase() === key ? key.toUpperCase() : key.toLowerCase()),
    ).toBeUndefined();
  });

  it('stays valid after the key of the platform is rotated, until the old key is dropped', async ({
    api,
    site,
  }) => {
    const { key, _id } = await buildShareLink(site);
    const newKey = Buffer.from(newId().padEnd(32, 'x'));
    const rotated = { key: newKey, previousKey: api.config.secrets.key };
    expect(await findShareLink(rotated, { site: site._id, key })).toMatchObject({ _id });
    expect(
      await findShareLink({ key: newKey, previousKey: undefined }, { site: site._id, key }),
    ).toBeUndefined();
  });

  it('opens nothing when the site is deleted', async ({ api, admin, site, url, find }) => {
    const { key } = await buildShareLink(site);
    await api.call('DELETE', url().replace('/share-links', ''), { token: admin.token });
    expect(await find(site._id, key)).toBeUndefined();
    expect(await ShareLink.countDocuments({ site: site._id })).toBe(0);
  });
});
