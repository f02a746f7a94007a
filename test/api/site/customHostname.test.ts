import {
  activateHostname,
  CustomHostname,
  HostnameCertificate,
  maxHostnamesPerOrganization,
  proveHostname,
  requestCertificate,
  Site,
  type CustomHostnameRecord,
  type SiteRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { buildOrganization, buildSite } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend(
    'environment',
    { scope: 'file' },
    {
      BINDERY_SITES_URL: 'https://sites.platform.example',
      BINDERY_SITE_CNAME: 'edge.platform.example',
      BINDERY_PROVEN_HOSTS: 'docs.sites.platform.example',
    },
  )
  .extend('site', ({ organization }) => buildSite(organization, { isPublished: true }))
  .extend('hostname', () => `docs.${newId().toLowerCase()}.example.org`)
  .extend('call', ({ api, admin, hostname }) => {
    /** Calls an operation on `hostname`, or on another one. */
    return async (method: string, { token = admin.token, at = hostname, json = undefined as unknown } = {}) =>
      api.call(method, `/v1/custom-hostnames/${encodeURIComponent(at)}`, {
        token,
        ...(json ? { json } : {}),
      });
  })
  .extend('put', ({ call, site }) => {
    return async (options: { token?: string; at?: string; target?: SiteRecord } = {}) =>
      call('PUT', { ...options, json: { target: { type: 'site', site: (options.target ?? site)._id } } });
  })
  .extend('claim', ({ hostname }) => async () => {
    return (await CustomHostname.findOne({ hostname }).lean<CustomHostnameRecord>())!;
  })
  .extend('activate', ({ claim }) => async () => {
    await proveHostname(await claim(), { insteadOf: undefined });
    await activateHostname(await claim());
  })
  .extend('show', ({ api, admin }) => async ({ organization, _id }: SiteRecord) => {
    const { body } = await api.call('GET', `/v1/orgs/${organization}/sites/${_id}`, { token: admin.token });
    return { hostname: body.hostname, published: body.urls.published };
  });

describe('PUT /v1/custom-hostnames/{hostname}', () => {
  it('claims the hostname for a site, which keeps its address until the hostname is active', async ({
    site,
    hostname,
    organization,
    put,
    call,
    show,
    activate,
  }) => {
    const before = await show(site);
    const { status, body } = await put();
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'custom-hostname',
      hostname,
      target: { type: 'site', site: site._id },
      isActive: false,
      createdAt: expect.any(String),
      verification: {
        status: 'pending',
        record: {
          type: 'TXT',
          name: `_bindery.${hostname}`,
          value: `bindery-organization=${organization._id}`,
        },
      },
      cname: 'edge.platform.example',
      urls: { location: expect.stringContaining(`/v1/custom-hostnames/${hostname}`) },
    });
    expect(await show(site)).toEqual(before);
    expect((await call('GET')).body).toEqual(body);

    await activate();
    expect(await show(site)).toEqual({ hostname, published: `https://${hostname}` });
    const { isActive, verification } = (await call('GET')).body;
    expect([isActive, verification.status]).toEqual([true, 'verified']);
  });

  it('takes a name in any case and script, and stores its DNS form', async ({ hostname, put, call }) => {
    const at = `Bücher.${hostname.toUpperCase()}`;
    expect((await put({ at })).body.hostname).toBe(`xn--bcher-kva.${hostname}`);
    expect((await call('GET', { at })).status).toBe(200);
  });

  it.for([
    'example.com',
    '*.docs.example.com',
    '10.20.30.40',
    'docs.example.com:80',
    'edge.platform.example',
    'sites.platform.example',
    'other.sites.platform.example',
    `${'a'.repeat(64)}.example.com`,
  ])('refuses %s', async (at, { put }) => {
    const { status, body } = await put({ at });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('path.hostname')]);
    expect(await CustomHostname.countDocuments({ hostname: at })).toBe(0);
  });

  it('takes a host that the operator has listed below a host of the platform', async ({ put }) => {
    expect((await put({ at: 'docs.sites.platform.example' })).status).toBe(201);
  });

  it('is refused to callers who are not admins of the site, and for unknown sites', async ({
    creator,
    reader,
    outsider,
    call,
    put,
    claim,
  }) => {
    expect((await put({ token: creator.token })).status).toBe(403);
    expect((await put({ token: reader.token })).status).toBe(403);
    expect((await put({ token: outsider.token })).status).toBe(400);
    expect((await call('PUT', { json: { target: { type: 'site', site: 'nothing' } } })).status).toBe(400);
    const toOrganization = { target: { type: 'organization', organization: 'x' } };
    expect((await call('PUT', { json: toOrganization })).status).toBe(400);
    expect(await claim()).toBeNull();
  });

  it('moves an active hostname to another site of the organization; a repeat changes nothing', async ({
    organization,
    site,
    hostname,
    put,
    show,
    activate,
    claim,
  }) => {
    await put();
    await activate();
    const before = await claim();
    expect((await put()).status).toBe(201);
    expect(await claim()).toEqual(before);
    const target = await buildSite(organization, { isPublished: true });
    expect((await put({ target })).body).toMatchObject({ isActive: true, target: { site: target._id } });
    expect((await show(target)).hostname).toBe(hostname);
    expect((await show(site)).hostname).toBeUndefined();
  });

  it('moves a hostname only for admins of both sites', async ({
    api,
    admin,
    organization,
    reader,
    site,
    hostname,
    put,
    show,
    activate,
  }) => {
    await put();
    await activate();
    const target = await buildSite(organization, { isPublished: true });
    const grant = async ({ _id }: SiteRecord) => {
      const { status } = await api.call('POST', `/v1/orgs/${organization._id}/sites/${_id}/permissions`, {
        token: admin.token,
        json: { role: 'admin', users: [reader.user._id] },
      });
      expect(status).toBe(204);
    };
    await grant(target);
    expect((await put({ token: reader.token, target })).status).toBe(403);
    expect([(await show(site)).hostname, (await show(target)).hostname]).toEqual([hostname, undefined]);
    await grant(site);
    expect((await put({ token: reader.token, target })).status).toBe(201);
    expect((await show(target)).hostname).toBe(hostname);
  });

  it('removes the earlier hostname of a site to which it moves an active one', async ({
    organization,
    hostname,
    put,
    call,
    show,
    activate,
  }) => {
    await put();
    await activate();
    const target = await buildSite(organization, { isPublished: true });
    const former = `former.${hostname}`;
    await put({ target, at: former });
    const record = (await CustomHostname.findOne({ hostname: former }).lean<CustomHostnameRecord>())!;
    await proveHostname(record, { insteadOf: undefined });
    await activateHostname(record);
    await requestCertificate(former);
    await put({ target });
    expect((await call('GET', { at: former })).status).toBe(404);
    expect(await HostnameCertificate.findById(former)).toBeNull();
    await call('DELETE', { at: former });
    expect((await show(target)).hostname).toBe(hostname);
  });

  it('leaves the claims of other organizations unchanged, proven or not', async ({
    site,
    hostname,
    put,
    call,
    show,
    activate,
  }) => {
    await put();
    await activate();
    const { organization: other, admin } = await buildOrganization();
    const target = await buildSite(other, { isPublished: true });
    const { status, body } = await put({ token: admin.token, target });
    expect([status, body.isActive, body.verification.status]).toEqual([201, false, 'pending']);
    expect((await show(site)).hostname).toBe(hostname);
    expect((await call('GET')).body.isActive).toBe(true);
    const waiting = await CustomHostname.findOne({ organization: other._id }).lean<CustomHostnameRecord>();
    expect(await proveHostname(waiting!, { insteadOf: undefined })).toBe(false);
    // One that never proves it does not stand in the way of the owner.
    await call('DELETE');
    expect(await proveHostname(waiting!, { insteadOf: undefined })).toBe(true);
  });

  it('gives a site one hostname: a new one replaces the earlier one once it is active', async ({
    site,
    hostname,
    put,
    call,
    show,
    activate,
  }) => {
    const old = `old.${hostname}`;
    await put({ at: old });
    const record = (await CustomHostname.findOne({ hostname: old }).lean<CustomHostnameRecord>())!;
    await proveHostname(record, { insteadOf: undefined });
    await activateHostname(record);
    await put();
    expect((await show(site)).hostname).toBe(old);
    await activate();
    expect((await show(site)).hostname).toBe(hostname);
    expect((await call('GET', { at: old })).status).toBe(404);
  });

  it('refuses more hostnames than an organization may have', async ({ api, hostname, put }) => {
    const { organization, admin } = await buildOrganization();
    const target = await buildSite(organization);
    const now = new Date();
    await CustomHostname.insertMany(
      Array.from({ length: maxHostnamesPerOrganization - 1 }, (_, i) => ({
        _id: `h${i}.${hostname}/${organization._id}`,
        hostname: `h${i}.${hostname}`,
        organization: organization._id,
        site: target._id,
        createdBy: 'x',
        createdAt: now,
        nextCheckAt: now,
      })),
    );
    expect((await put({ token: admin.token, target })).status).toBe(201);
    const { status, body } = await put({ token: admin.token, target, at: `more.${hostname}` });
    expect([status, body.error.action]).toEqual([412, expect.stringContaining('Delete')]);
    await api.call('DELETE', `/v1/orgs/${organization._id}/sites/${target._id}`, { token: admin.token });
    expect(await CustomHostname.countDocuments({ organization: organization._id })).toBe(0);
  });
});

describe('the other operations on a custom hostname', () => {
  it('PATCH schedules a check, at the earliest ten seconds after the last one', async ({
    put,
    call,
    claim,
  }) => {
    await put();
    const later = new Date(Date.now() + 3_600_000);
    const set = async (fields: Partial<CustomHostnameRecord>) =>
      CustomHostname.updateOne({ _id: (await claim())._id }, { $set: fields });
    await set({ nextCheckAt: later });
    const startedAt = Date.now();
    expect((await call('PATCH')).status).toBe(204);
    expect((await claim()).nextCheckAt.getTime()).toBeLessThan(startedAt + 5_000);
    const checkedAt = new Date();
    await set({ nextCheckAt: later, checkedAt });
    await call('PATCH');
    expect((await claim()).nextCheckAt.getTime()).toBe(checkedAt.getTime() + 10_000);
  });

  it('DELETE gives the site its own address again, and answers 204 when repeated', async ({
    site,
    put,
    call,
    show,
    activate,
  }) => {
    const before = await show(site);
    await put();
    await activate();
    expect((await call('DELETE')).status).toBe(204);
    expect(await show(site)).toEqual(before);
    expect((await call('DELETE')).status).toBe(204);
    expect((await call('GET')).status).toBe(404);
  });

  it('are refused to members who may not change the site, and hidden from other organizations', async ({
    reader,
    outsider,
    put,
    call,
    claim,
  }) => {
    await put();
    expect((await call('GET', { token: reader.token })).status).toBe(200);
    expect((await call('PATCH', { token: reader.token })).status).toBe(403);
    expect((await call('DELETE', { token: reader.token })).status).toBe(403);
    expect((await call('GET', { token: outsider.token })).status).toBe(404);
    expect((await call('PATCH', { token: outsider.token })).status).toBe(404);
    expect((await call('DELETE', { token: outsider.token })).status).toBe(204);
    expect(await claim()).not.toBeNull();
  });

  it('find no claim after the site is deleted', async ({
    site,
    organization,
    api,
    admin,
    put,
    claim,
    activate,
  }) => {
    await put();
    await activate();
    await api.call('DELETE', `/v1/orgs/${organization._id}/sites/${site._id}`, { token: admin.token });
    expect([await claim(), await Site.findById(site._id)]).toEqual([null, null]);
  });
});
