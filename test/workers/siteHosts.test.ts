import {
  Organization,
  Site,
  SiteHost,
  upgradeRecords,
  type OrganizationRecord,
  type SiteHostRecord,
  type SiteRecord,
} from '@bindery/models';
import { createOutbound } from '@bindery/outbound';
import { createLogger, newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import {
  checkSiteHosts,
  createFindProof,
  startSiteHostChecks,
} from '../../apps/worker-maintenance/src/checkSiteHosts.ts';
import { startContentServer } from '../support/content/contentServer.ts';
import { buildOrganization, buildSite, buildSpace, buildUser, type TestUser } from '../support/factories.ts';
import { it as base } from '../support/it.ts';
import { startDns } from '../support/lab/dns.ts';
import { until } from '../support/until.ts';

type Home = { organization: OrganizationRecord; admin: TestUser };

const challenge = '/.well-known/bindery-challenge';

const it = base
  .extend('environment', { scope: 'file' }, { BINDERY_PROVEN_HOSTS: 'listed.example.com,Second.example.com' })
  .extend('names', { scope: 'file' }, {} as Record<string, { texts: string[] } | 'SERVFAIL'>)
  .extend('server', { scope: 'file' }, async ({ api: _started }, { onCleanup }) => {
    const server = await startContentServer();
    onCleanup(server.close);
    return server;
  })
  .extend('findProof', { scope: 'file' }, async ({ api, names, server }, { onCleanup }) => {
    const outbound = createOutbound({ allow: [server.hostPort], refused: [] });
    onCleanup(() => outbound.close());
    const dns = await startDns('127.0.0.1', names, 0);
    const { provenHosts } = api.config.api;
    return createFindProof({
      outbound,
      provenHosts,
      dnsServers: [dns.server],
      originOf: (host) => `${server.origin}/${host}`,
    });
  })
  // A host of the test's own, under which others are found by no mistake.
  .extend('host', () => `${newId().toLowerCase()}.example.org`)
  .extend('other', () => buildOrganization())
  .extend('check', ({ api, findProof }) => async () => {
    await SiteHost.updateMany({ nextCheckAt: { $exists: true } }, { $set: { nextCheckAt: new Date(0) } });
    const signal = new AbortController().signal;
    const logger = createLogger({ ...api.config, log: { level: 'silent' } }, { app: 'test' });
    // One claim of each organization at a time.
    for (
      let claims = await SiteHost.countDocuments({ nextCheckAt: { $exists: true } });
      claims > 0;
      claims -= 1
    )
      if (!(await checkSiteHosts({ findProof, logger, signal }))) break;
  })
  .extend('resolve', ({ api }) => async (url: string): Promise<string | undefined> => {
    const { status, body } = await api.call('POST', '/v1/urls/published', { json: { url } });
    expect([200, 404]).toContain(status);
    return body.site;
  })
  .extend(
    'patch',
    ({ api }) =>
      async ({ admin }: Pick<Home, 'admin'>, { organization, _id }: SiteRecord, proxy: string | null) => {
        const { status, body } = await api.call('PATCH', `/v1/orgs/${organization}/sites/${_id}`, {
          token: admin.token,
          json: { proxy },
        });
        expect(status).toBe(200);
        return body;
      },
  )
  .extend('proveInDns', ({ names, host }) => ({ organization }: Pick<Home, 'organization'>) => {
    names[`_bindery.${host}`] = { texts: ['v=spf1 -all', proofOf(organization)] };
  })
  .extend('proveDomain', ({ names, host }) => ({ organization }: Pick<Home, 'organization'>) => {
    names[`_bindery.${host}`] = { texts: ['v=spf1 -all', domainProofOf(organization)] };
  });

const proofOf = ({ _id }: OrganizationRecord) => `bindery-organization=${_id}`;
const domainProofOf = ({ _id }: OrganizationRecord) => `bindery-email-domain=${_id}`;

async function publishedSite({ organization }: Pick<Home, 'organization'>): Promise<SiteRecord> {
  return buildSite(organization, {
    title: 'Site',
    spaces: [await buildSpace(organization)],
    isPublished: true,
  });
}

describe('the host of a proxy', () => {
  it('serves nothing until it is proven, and the site shows its editors how to prove it', async ({
    api,
    home,
    reader,
    host,
    patch,
    check,
    resolve,
    proveInDns,
  }) => {
    const site = await publishedSite(home);
    const { proxy, urls } = await patch(home, site, `${host}/docs`);
    expect(proxy).toMatchObject({
      origin: `${host}/docs`,
      verification: {
        status: 'pending',
        record: { type: 'TXT', name: `_bindery.${host}`, value: proofOf(home.organization) },
        url: `https://${host}${challenge}`,
      },
    });
    expect(urls.published).toBe(proxy.target);
    await check();
    expect(await resolve(`https://${host}/docs`)).toBeUndefined();

    proveInDns(home);
    await check();
    expect(await resolve(`https://${host}/docs/page`)).toBe(site._id);
    const get = async (token: string) =>
      (await api.call('GET', `/v1/orgs/${site.organization}/sites/${site._id}`, { token })).body;
    const shown = await get(home.admin.token);
    expect([shown.proxy.verification.status, shown.urls.published]).toEqual([
      'verified',
      `https://${host}/docs`,
    ]);
    expect((await get(reader.token)).proxy).toEqual({ origin: `${host}/docs`, target: proxy.target });
  });

  it('is proven by a page below it, not by a redirect, an error or a page that only holds the value', async ({
    home,
    host,
    server,
    patch,
    check,
    resolve,
  }) => {
    const site = await publishedSite(home);
    await patch(home, site, `${host}/docs`);
    const value = proofOf(home.organization);
    const path = `/${host}${challenge}`;
    server.put('/elsewhere', { body: value });
    for (const content of [
      { status: 302, headers: { location: `${server.origin}/elsewhere` } },
      { status: 404, body: value },
      { body: `<p>${value}</p>` },
      { body: `${value}\n`.padEnd(20_000, 'x\n') },
    ]) {
      server.put(path, content);
      await check();
      expect(await resolve(`https://${host}/docs`)).toBeUndefined();
    }
    server.put(path, { body: `bindery-organization=other\r\n${value}\r\n` });
    await check();
    expect(await resolve(`https://${host}/docs`)).toBe(site._id);
    expect(server.requests).not.toContain('/elsewhere');
  });

  it('belongs to one organization with all its paths, as long as its proof exists', async ({
    home,
    other,
    host,
    names,
    server,
    patch,
    check,
    resolve,
    proveInDns,
  }) => {
    const [site, second, foreign] = [
      await publishedSite(home),
      await publishedSite(home),
      await publishedSite(other),
    ];
    await patch(other, foreign, `${host}/docs/api`);
    await patch(home, site, `${host}/docs`);
    proveInDns(home);
    await check();
    expect(await resolve(`https://${host}/docs/api`)).toBe(site._id);
    // The other one has a way to put a page there, too.
    names[`_bindery.${host}`] = { texts: [proofOf(home.organization), proofOf(other.organization)] };
    await check();
    expect(await resolve(`https://${host}/docs/api`)).toBe(site._id);
    expect((await patch(other, foreign, `${host}/docs/api`)).proxy.verification.status).toBe('pending');
    // Paths that the organization adds there need no further proof.
    expect((await patch(home, second, `${host}/docs/api`)).proxy.verification.status).toBe('verified');
    expect(await resolve(`https://${host}/docs/api`)).toBe(second._id);

    // Nobody loses a host because DNS or the page does not answer.
    server.put(`/${host}${challenge}`, { body: proofOf(other.organization) });
    names[`_bindery.${host}`] = 'SERVFAIL';
    await check();
    expect(await resolve(`https://${host}/docs/api`)).toBe(second._id);
    names[`_bindery.${host}`] = { texts: [proofOf(other.organization)] };
    server.put(`/${host}${challenge}`, { status: 503, body: '' });
    await check();
    expect(await resolve(`https://${host}/docs/api`)).toBe(second._id);
    server.put(`/${host}${challenge}`, { status: 404, body: '' });
    proveInDns(other);
    await check();
    expect(await resolve(`https://${host}/docs/api`)).toBe(foreign._id);
    expect(await resolve(`https://${host}/docs`)).toBeUndefined();
  });

  it('is free for others when the last site of the organization gives it up', async ({
    api,
    home,
    other,
    host,
    patch,
    check,
    resolve,
    proveInDns,
  }) => {
    const [site, second, foreign] = [
      await publishedSite(home),
      await publishedSite(home),
      await publishedSite(other),
    ];
    await patch(home, site, `${host}/a`);
    await patch(home, second, `${host}/b`);
    proveInDns(home);
    await check();
    await patch(other, foreign, `${host}/c`);
    await patch(home, site, null);
    expect(await resolve(`https://${host}/a`)).toBeUndefined();
    expect(await resolve(`https://${host}/b`)).toBe(second._id);
    await api.call('DELETE', `/v1/orgs/${second.organization}/sites/${second._id}`, {
      token: home.admin.token,
    });
    expect(await SiteHost.distinct('organization', { host })).toEqual([other.organization._id]);
    proveInDns(other);
    await check();
    expect(await resolve(`https://${host}/c`)).toBe(foreign._id);
    await patch(home, site, `${host}/a`);
    await check();
    expect(await resolve(`https://${host}/a`)).toBeUndefined();
  });

  it('belongs at once to the first organization that uses it when the operator has listed it', async ({
    home,
    other,
    patch,
    check,
    resolve,
  }) => {
    const [site, foreign] = [await publishedSite(home), await publishedSite(other)];
    expect((await patch(home, site, 'Listed.example.com/docs')).urls.published).toBe(
      'https://listed.example.com/docs',
    );
    expect((await patch(other, foreign, 'listed.example.com/docs/api')).proxy.verification.status).toBe(
      'pending',
    );
    await check();
    expect(await resolve('https://listed.example.com/docs/api')).toBe(site._id);
    expect((await patch(other, foreign, 'below.listed.example.com/docs')).proxy.verification.status).toBe(
      'pending',
    );
  });

  it('is found by the worker when the operator lists it later', async ({
    api,
    home,
    host,
    patch,
    resolve,
  }) => {
    const site = await publishedSite(home);
    await patch(home, site, `${host}/docs`);
    const config = {
      ...api.config,
      log: { level: 'silent' as const },
      api: { ...api.config.api, provenHosts: [host] },
    };
    // The worker asks the DNS servers of this machine, which the hosts of the other cases do not concern.
    await SiteHost.deleteMany({ host: { $ne: host } });
    const stop = startSiteHostChecks({ config, logger: createLogger(config, { app: 'test' }) });
    try {
      expect(await until('the site is found below its host', () => resolve(`https://${host}/docs`))).toBe(
        site._id,
      );
    } finally {
      await stop();
    }
  });

  it('goes to one of two organizations that claim it at the same moment', async ({ home, other, patch }) => {
    const [site, foreign] = [await publishedSite(home), await publishedSite(other)];
    await Promise.all([
      patch(home, site, 'second.example.com/docs'),
      patch(other, foreign, 'second.example.com/docs'),
    ]);
    expect(await Site.countDocuments({ proxy: 'second.example.com/docs' })).toBe(1);
    expect(await Site.countDocuments({ pendingProxy: 'second.example.com/docs' })).toBe(1);
  });

  it('is checked less and less often, at once after a change or publishing, never twice within seconds', async ({
    api,
    home,
    host,
    patch,
    check,
  }) => {
    const site = await buildSite(home.organization, {
      title: 'Draft',
      spaces: [await buildSpace(home.organization)],
    });
    const claim = async () => (await SiteHost.findOne({ host }).lean<SiteHostRecord>())!;
    const pauseMs = ({ checkedAt, nextCheckAt }: SiteHostRecord) =>
      nextCheckAt!.getTime() - checkedAt!.getTime();
    const ago = (ms: number) => new Date(Date.now() - ms);
    await patch(home, site, `${host}/docs`);
    await check();
    expect(Math.round(pauseMs(await claim()) / 10_000)).toBe(1);
    for (const [waitedMs, wantedMs] of [
      [3_600_000, 3_600_000],
      [90 * 86_400_000, 86_400_000],
    ] as const) {
      await SiteHost.updateOne({ host }, { $set: { claimedAt: ago(waitedMs) } });
      await check();
      expect(Math.round(pauseMs(await claim()) / 60_000)).toBe(Math.round(wantedMs / 60_000));
    }
    await patch(home, site, `${host}/docs`);
    expect(pauseMs(await claim())).toBe(10_000);
    await SiteHost.updateOne({ host }, { $set: { checkedAt: ago(3_600_000), nextCheckAt: ago(-3_600_000) } });
    await api.call('POST', `/v1/orgs/${site.organization}/sites/${site._id}/publish`, {
      token: home.admin.token,
    });
    expect((await claim()).nextCheckAt!.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  });
});

it('an organization can have 50 unproven hosts, and any number of proven ones', async ({
  api,
  host,
  check,
  patch,
  proveInDns,
}) => {
  const home = await buildOrganization();
  const site = await publishedSite(home);
  const open = (name: string) => ({
    _id: `${name}/${site.organization}`,
    host: name,
    organization: site.organization,
    sites: ['other'],
    claimedAt: new Date(),
  });
  await SiteHost.insertMany(Array.from({ length: 49 }, (_, i) => open(`h${i}.${host}`)));
  await SiteHost.insertMany(
    Array.from({ length: 9 }, (_, i) => ({ ...open(`p${i}.${host}`), provenAt: new Date() })),
  );
  const change = async (proxy: string) =>
    api.call('PATCH', `/v1/orgs/${site.organization}/sites/${site._id}`, {
      token: home.admin.token,
      json: { proxy },
    });
  await patch(home, site, `${host}/docs`);
  // The same host once more, also for another site, is no further one.
  await patch(home, site, `${host}/other`);
  await patch(home, await publishedSite(home), `${host}/second`);
  const refused = await change(`more.${host}/docs`);
  expect([refused.status, refused.body.error.message]).toEqual([
    412,
    'The organization has 50 hosts that wait for a proof, which is the limit.',
  ]);
  expect(await Site.findById(site._id).lean()).toMatchObject({ pendingProxy: `${host}/other` });
  proveInDns(home);
  await check();
  expect((await change(`more.${host}/docs`)).status).toBe(200);
  await SiteHost.deleteMany({ organization: site.organization });
});

it.for([
  ['however long others have been due', 10_000],
  ['however many new claims there are', undefined],
] as const)(
  'the claim that was checked longest ago comes first, %s',
  async ([, checkedAt], { api, findProof, host }) => {
    await SiteHost.deleteMany({});
    const ago = (ms: number) => new Date(Date.now() - ms);
    const claim = (name: string, organization: string, fields: object) => ({
      _id: `${name}/${organization}`,
      ...{ host: name, organization, sites: ['any'], claimedAt: ago(0), ...fields },
    });
    // More organizations than a turn has looks. Each asks for looks again and again.
    const looked = checkedAt && { checkedAt: ago(checkedAt) };
    const others = Array.from({ length: 30 }, (_, i) =>
      claim(`h.${host}`, `busy${i}`, { ...looked, nextCheckAt: ago(60_000) }),
    );
    await SiteHost.insertMany([
      ...others,
      claim(`h.${host}`, 'waits', { checkedAt: ago(86_400_000), nextCheckAt: ago(1_000) }),
    ]);
    const logger = createLogger({ ...api.config, log: { level: 'silent' } }, { app: 'test' });
    await checkSiteHosts({ findProof, logger, signal: new AbortController().signal });
    const waiting = await SiteHost.findOne({ organization: 'waits' }).lean<SiteHostRecord>();
    expect(waiting!.checkedAt!.getTime()).toBeGreaterThan(Date.now() - 60_000);
    await SiteHost.deleteMany({ sites: 'any' });
  },
);

describe('a proxy of an earlier version', () => {
  const oldSite = ({ organization }: Pick<Home, 'organization'>, proxy: string, isPublished = true) =>
    buildSite(organization, { title: 'Old', proxy, isPublished });

  it('stays when all published sites with its host belong to one organization', async ({
    home,
    other,
    host,
    resolve,
  }) => {
    const [site, second] = [await oldSite(home, `${host}/a`), await oldSite(home, `${host}/b`, false)];
    const draft = await oldSite(other, `${host}/a/c`, false);
    await Promise.all([upgradeRecords(), upgradeRecords()]);
    await upgradeRecords();
    expect(await Site.findById(site._id).lean()).toMatchObject({ proxy: `${host}/a` });
    expect(await Site.findById(second._id).lean()).toMatchObject({ proxy: `${host}/b` });
    expect(await Site.findById(draft._id).lean()).toMatchObject({ pendingProxy: `${host}/a/c` });
    expect(await SiteHost.distinct('organization', { host, provenAt: { $exists: true } })).toEqual([
      home.organization._id,
    ]);
    expect(await resolve(`https://${host}/a/c`)).toBeUndefined();
  });

  it('must be proven when several organizations use its host, or one has it already', async ({
    home,
    other,
    host,
    patch,
    proveInDns,
    check,
    resolve,
  }) => {
    const [site, foreign] = [await oldSite(home, `${host}/a`), await oldSite(other, `${host}/b`)];
    await upgradeRecords();
    for (const { _id } of [site, foreign])
      expect(await Site.findById(_id).lean()).not.toHaveProperty('proxy');
    proveInDns(other);
    await check();
    const late = await oldSite(home, `${host}/late`);
    await upgradeRecords();
    expect(await Site.findById(foreign._id).lean()).toMatchObject({ proxy: `${host}/b` });
    expect(await Site.findById(late._id).lean()).toMatchObject({ pendingProxy: `${host}/late` });
    // A process of the earlier version may write these during the upgrade.
    const [shown, stray] = [await publishedSite(other), await publishedSite(home)];
    await patch(other, shown, `${host}/c`);
    await Site.updateOne({ _id: stray._id }, { $set: { proxy: `${host}/c/below` } });
    expect(await resolve(`https://${host}/c/below`)).toBe(shown._id);
  });
});

describe('an e-mail domain of an organization', () => {
  const itOf = it
    .extend('change', ({ api }) => async ({ admin, organization }: Home, emailDomains: string[]) => {
      const { status, body } = await api.call('PATCH', `/v1/orgs/${organization._id}`, {
        token: admin.token,
        json: { emailDomains },
      });
      expect(status).toBe(200);
      return body;
    })
    .extend('join', ({ api }) => async ({ organization }: Pick<Home, 'organization'>, email: string) => {
      const { token } = await buildUser({ email });
      return (await api.call('POST', `/v1/orgs/${organization._id}/join`, { token })).status;
    })
    .extend('statuses', ({ api }) => async ({ admin, organization }: Home) => {
      const { body } = await api.call('GET', `/v1/orgs/${organization._id}`, { token: admin.token });
      return body.emailDomainVerification.map(({ status }: { status: string }) => status);
    });

  itOf(
    'has no effect until DNS proves it, and admins see how to prove it',
    async ({ api, home, reader, host, server, names, change, join, check, statuses }) => {
      const { emailDomains, emailDomainVerification } = await change(home, [host.toUpperCase()]);
      expect(emailDomains).toEqual([host]);
      expect(emailDomainVerification).toEqual([
        {
          domain: host,
          status: 'pending',
          record: { type: 'TXT', name: `_bindery.${host}`, value: domainProofOf(home.organization) },
        },
      ]);
      const shownToReader = (
        await api.call('GET', `/v1/orgs/${home.organization._id}`, { token: reader.token })
      ).body;
      expect(shownToReader).not.toHaveProperty('emailDomainVerification');
      // A page on a web server does not prove power over its domain, and neither does the record of a site's
      // host nor that of another organization.
      server.put(`/${host}${challenge}`, { body: domainProofOf(home.organization) });
      names[`_bindery.${host}`] = { texts: ['bindery-email-domain=other', proofOf(home.organization)] };
      await check();
      const ann = await buildUser({ email: `ann@${host}` });
      const found = async () =>
        (await api.call('GET', `/v1/email-domains/${host}/orgs`, { token: ann.token })).body.organizations
          .length;
      expect([await statuses(home), await join(home, `bob@${host}`), await found()]).toEqual([
        ['pending'],
        400,
        0,
      ]);

      names[`_bindery.${host}`] = { texts: ['v=spf1 -all', domainProofOf(home.organization)] };
      await check();
      expect([await statuses(home), await join(home, `ben@${host}`), await found()]).toEqual([
        ['verified'],
        204,
        1,
      ]);
    },
  );

  itOf(
    'can be proven by several organizations, and ends with its record, not when DNS is silent',
    async ({ home, other, host, names, change, join, check, statuses }) => {
      await change(home, [host]);
      await change(other, ['keeps.example.org', host]);
      names[`_bindery.${host}`] = {
        texts: [domainProofOf(home.organization), domainProofOf(other.organization)],
      };
      await check();
      expect([await statuses(home), await statuses(other)]).toEqual([['verified'], ['pending', 'verified']]);
      names[`_bindery.${host}`] = 'SERVFAIL';
      await check();
      expect([await statuses(home), await statuses(other)]).toEqual([['verified'], ['pending', 'verified']]);
      names[`_bindery.${host}`] = { texts: [domainProofOf(other.organization)] };
      await check();
      expect([await statuses(home), await statuses(other)]).toEqual([['pending'], ['pending', 'verified']]);
      expect([await join(home, `a@${host}`), await join(other, `b@${host}`)]).toEqual([400, 204]);
    },
  );

  itOf(
    'must be proven again after it was given up',
    async ({ api, home, host, change, check, statuses, proveDomain }) => {
      proveDomain(home);
      await change(home, [host]);
      await check();
      await change(home, [host, `other.${host}`]);
      expect(await statuses(home)).toEqual(['verified', 'pending']);
      await change(home, []);
      expect(
        await SiteHost.countDocuments({ organization: home.organization._id, isEmailDomain: true }),
      ).toBe(0);
      await change(home, [host]);
      expect(await statuses(home)).toEqual(['pending']);
      const made = await api.call('POST', '/v1/orgs', {
        token: home.admin.token,
        json: { title: 'Made with it', emailDomains: [host] },
      });
      expect(await SiteHost.exists({ organization: made.body.id, host, isEmailDomain: true })).not.toBeNull();
    },
  );

  itOf(
    'needs a proof also where the operator lists the host for sites',
    async ({ home, change, check, statuses }) => {
      await change(home, ['listed.example.com']);
      await check();
      expect(await statuses(home)).toEqual(['pending']);
    },
  );

  itOf(
    'of an earlier version has no effect until it is proven',
    async ({ home, host, check, statuses, join, proveDomain }) => {
      await Organization.updateOne(
        { _id: home.organization._id },
        { $set: { emailDomains: [host] }, $unset: { provenEmailDomains: 1 } },
      );
      expect(await join(home, `a@${host}`)).toBe(400);
      await Promise.all([upgradeRecords(), upgradeRecords()]);
      expect(await statuses(home)).toEqual(['pending']);
      proveDomain(home);
      await check();
      expect(await statuses(home)).toEqual(['verified']);
    },
  );
});
