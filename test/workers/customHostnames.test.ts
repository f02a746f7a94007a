import {
  claimHostname,
  claimProxy,
  CustomHostname,
  HostnameCertificate,
  ifListedHostIsFree,
  proveHostname,
  proveSiteHost,
  requestHostnameCheck,
  Site,
  withTransaction,
  type CustomHostnameRecord,
  type OrganizationRecord,
  type SiteRecord,
} from '@bindery/models';
import { createDnsRecords, createOutbound } from '@bindery/outbound';
import { createLogger, newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { checkSiteHosts, createFindProof } from '../../apps/worker-maintenance/src/checkSiteHosts.ts';
import {
  checkHostnames,
  startHostnameChecks,
} from '../../apps/worker-maintenance/src/hostnames/checkHostnames.ts';
import { buildOrganization, buildSite } from '../support/factories.ts';
import { it as base } from '../support/it.ts';
import { startDns, type DnsRecord } from '../support/lab/dns.ts';
import { until } from '../support/until.ts';

const platformName = 'edge.platform.example';
/** How often two organizations use a hostname at once: each time another one may be first. */
const raceTurns = 10;
const raceNames = Array.from({ length: raceTurns }, (_, turn) => `race${turn}.`);
const addresses = ['192.0.2.10', '2001:db8::10'];

const it = base
  .extend(
    'environment',
    { scope: 'file' },
    {
      BINDERY_SITE_CNAME: platformName,
      BINDERY_CAA_ISSUERS: 'ca.example,other-ca.example',
      BINDERY_PROVEN_HOSTS: ['', 'acme.', 'proxy.', 'both.', ...raceNames]
        .map((name) => `${name}listed.docs.example.org`)
        .join(),
    },
  )
  .extend('names', { scope: 'file' }, { [platformName]: addresses } as Record<string, DnsRecord>)
  .extend('dns', { scope: 'file' }, ({ api: _started, names }) => startDns('127.0.0.1', names, 0))
  .extend('hostname', () => `docs.${newId().toLowerCase()}.example.org`)
  .extend('other', () => buildOrganization())
  .extend('logger', { scope: 'file' }, ({ api }) =>
    createLogger({ ...api.config, log: { level: 'silent' } }, { app: 'test' }),
  )
  /** Where certificates are ordered. */
  .extend('acme', () => ({ directoryUrl: undefined as string | undefined, email: undefined }))
  /** Claims `hostname`, or another one, for a new site of an organization. */
  .extend(
    'claim',
    ({ organization, hostname }) =>
      async (of: OrganizationRecord = organization, at = hostname) => {
        const { _id: site } = await buildSite(of, { isPublished: true });
        return claimHostname({ hostname: at, organization: of._id, site, createdBy: 'nobody' });
      },
  )
  /** Checks claims now, and returns them as they are afterwards. */
  .extend('check', ({ api, dns, logger, acme }) => async (...claims: CustomHostnameRecord[]) => {
    const ids = claims.map(({ _id }) => _id);
    await CustomHostname.updateMany({}, { $set: { nextCheckAt: new Date(Date.now() + 3_600_000) } });
    await CustomHostname.updateMany({ _id: { $in: ids } }, { $set: { nextCheckAt: new Date(0) } });
    const records = createDnsRecords([dns.server]);
    const signal = new AbortController().signal;
    const config = { ...api.config, hostnames: { ...api.config.hostnames, acme } };
    await checkHostnames({ config, records, logger, signal });
    const checked = await CustomHostname.find({ _id: { $in: ids } }).lean<CustomHostnameRecord[]>();
    return ids.map((id) => checked.find(({ _id }) => _id === id)!);
  })
  .extend('prove', ({ names, hostname }) => (...organizations: OrganizationRecord[]) => {
    names[`_bindery.${hostname}`] = {
      texts: ['v=spf1 -all', ...organizations.map(({ _id }) => `bindery-organization=${_id}`)],
    };
  });

const hostnameOf = async ({ site }: CustomHostnameRecord) =>
  (await Site.findById(site).lean<SiteRecord>())?.hostname;

describe('a custom hostname', () => {
  it.for<[string, string | undefined, (names: Record<string, DnsRecord>, hostname: string) => void]>([
    ['nothing', 'dns_no_cname', () => {}],
    ['an alias of another name', 'dns_wrong_cname', (names, name) => (names[name] = 'elsewhere.example.net')],
    ['other addresses', 'dns_wrong_cname', (names, name) => (names[name] = ['192.0.2.10', '192.0.2.99'])],
    ['an alias of the platform', 'dns_passed', (names, name) => (names[name] = platformName)],
    ['the addresses of the platform', 'dns_passed', (names, name) => (names[name] = addresses)],
    ['no answer', undefined, (names, name) => (names[name] = 'SERVFAIL')],
    [
      'an alias and another authority',
      'dns_wrong_caa',
      (names, name) => {
        names[name] = platformName;
        names[name.replace('docs.', '')] = { issuers: ['strange-ca.example'] };
      },
    ],
    [
      'an alias and nobody as authority',
      'dns_wrong_caa',
      (names, name) => {
        names[name] = platformName;
        names[name.replace('docs.', '')] = { issuers: [';'] };
      },
    ],
    [
      'an alias and our authority among others',
      'dns_passed',
      (names, name) => {
        names[name] = platformName;
        names[name.replace('docs.', '')] = { issuers: ['strange-ca.example', 'CA.example; account=7'] };
      },
    ],
  ])('with %s has the status %s', async ([, status, set], { names, hostname, claim, check }) => {
    set(names, hostname);
    const [checked] = await check(await claim());
    expect([checked!.status, checked!.isActive]).toEqual([status, false]);
    expect(checked!.checkedAt).toBeInstanceOf(Date);
  });

  it('is served once it is proven and points to the platform, in either order', async ({
    organization,
    hostname,
    names,
    claim,
    check,
    prove,
  }) => {
    const claimed = await claim();
    prove(organization);
    const [proven] = await check(claimed);
    expect([proven!.status, proven!.isActive]).toEqual(['dns_no_cname', false]);
    expect(proven!.provenAt).toBeInstanceOf(Date);
    expect(await hostnameOf(claimed)).toBeUndefined();
    names[hostname] = platformName;
    const [live] = await check(claimed);
    expect([live!.status, live!.isActive, await hostnameOf(claimed)]).toEqual(['live', true, hostname]);
  });

  it('keeps its site while DNS points elsewhere or does not answer, and shows its status', async ({
    organization,
    hostname,
    names,
    claim,
    check,
    prove,
  }) => {
    prove(organization);
    names[hostname] = platformName;
    const claimed = await claim();
    await check(claimed);
    names[hostname] = 'elsewhere.example.net';
    const [moved] = await check(claimed);
    names[hostname] = 'SERVFAIL';
    names[`_bindery.${hostname}`] = 'SERVFAIL';
    const [silent] = await check(claimed);
    expect([moved!.status, silent!.status]).toEqual(['dns_wrong_cname', 'dns_wrong_cname']);
    expect(await hostnameOf(claimed)).toBe(hostname);
  });

  it('goes to another organization that proves it, once the first proof is gone', async ({
    organization,
    other,
    hostname,
    names,
    claim,
    check,
    prove,
  }) => {
    names[hostname] = platformName;
    const [first, second] = [await claim(), await claim(other.organization)];
    // Without a proof, the first claim is worth nothing.
    prove(other.organization);
    expect((await check(first, second)).map(({ isActive }) => isActive)).toEqual([false, true]);
    prove(organization, other.organization);
    expect((await check(first, second)).map(({ isActive }) => isActive)).toEqual([false, true]);
    names[`_bindery.${hostname}`] = 'SERVFAIL';
    expect((await check(first, second)).map(({ isActive }) => isActive)).toEqual([false, true]);
    prove(organization);
    expect((await check(first)).map(({ isActive }) => isActive)).toEqual([true]);
    const [lost] = await check(second);
    expect([lost!.isActive, lost!.provenAt, lost!.status]).toEqual([false, undefined, 'dns_passed']);
    expect([await hostnameOf(first), await hostnameOf(second)]).toEqual([hostname, undefined]);
  });

  it('listed by the operator needs no records, and belongs to the first organization', async ({
    other,
    claim,
    check,
  }) => {
    const at = 'listed.docs.example.org';
    const first = await claim(other.organization, at);
    const [live] = await check(first);
    expect([live!.status, live!.isActive]).toEqual(['live', true]);
    const second = await claim(undefined, at);
    expect((await check(second))[0]!.isActive).toBe(false);
  });

  it('listed by the operator is served without a certificate of the platform; others wait for it', async ({
    organization,
    hostname,
    names,
    claim,
    check,
    prove,
    acme,
  }) => {
    acme.directoryUrl = 'https://authority.example/directory';
    prove(organization);
    names[hostname] = platformName;
    const listed = await claim(organization, 'acme.listed.docs.example.org');
    const [live] = await check(listed);
    const [waiting] = await check(await claim());
    expect([live!.status, live!.isActive]).toEqual(['live', true]);
    expect([waiting!.status, waiting!.isActive]).toEqual(['ssl_pending', false]);
    expect(await HostnameCertificate.findById(listed.hostname)).toBeNull();
    expect(await HostnameCertificate.findById(hostname)).not.toBeNull();
  });

  it('listed by the operator stays with the organization whose sites use it as a proxy', async ({
    organization,
    api,
    admin,
    other,
    claim,
    check,
  }) => {
    const at = 'proxy.listed.docs.example.org';
    const { _id } = await buildSite(organization, { isPublished: true });
    const { body } = await api.call('PATCH', `/v1/orgs/${organization._id}/sites/${_id}`, {
      token: admin.token,
      json: { proxy: `${at}/docs` },
    });
    expect(body.proxy.verification.status).toBe('verified');
    const [foreign] = await check(await claim(other.organization, at));
    expect([foreign!.provenAt, foreign!.isActive, await hostnameOf(foreign!)]).toEqual([
      undefined,
      false,
      undefined,
    ]);
    const [own] = await check(await claim(organization, at));
    expect(own!.isActive).toBe(true);
  });

  it('listed by the operator cannot be a proxy of another organization', async ({
    api,
    other,
    claim,
    check,
    logger,
  }) => {
    const at = 'both.listed.docs.example.org';
    const [live] = await check(await claim(undefined, at));
    expect(live!.isActive).toBe(true);
    const { _id, organization } = await buildSite(other.organization, { isPublished: true });
    const call = async (method: string, json?: object) => {
      const { body } = await api.call(method, `/v1/orgs/${organization}/sites/${_id}`, {
        token: other.admin.token,
        ...(json && { json }),
      });
      return body.proxy.verification.status;
    };
    expect(await call('PATCH', { proxy: `${at}/docs` })).toBe('pending');
    const outbound = createOutbound({ allow: [], refused: [] });
    const { provenHosts } = api.config.api;
    const findProof = createFindProof({ outbound, provenHosts });
    expect(await checkSiteHosts({ findProof, logger, signal: new AbortController().signal })).toBe(true);
    await outbound.close();
    expect(await call('GET')).toBe('pending');
  });

  it('listed by the operator goes to one of two organizations that use it at once', async ({
    api,
    admin,
    organization,
    other,
    claim,
    check,
  }) => {
    for (const turn of Array.from({ length: raceTurns }).keys()) {
      const at = `race${turn}.listed.docs.example.org`;
      const { _id } = await buildSite(organization, { isPublished: true });
      const claimed = await claim(other.organization, at);
      const [[own], { status, body }] = await Promise.all([
        check(claimed),
        api.call('PATCH', `/v1/orgs/${organization._id}/sites/${_id}`, {
          token: admin.token,
          json: { proxy: `${at}/docs` },
        }),
      ]);
      expect(status).toBe(200);
      expect([own!.isActive, body.proxy.verification.status === 'verified'].filter(Boolean)).toEqual([true]);
    }
  });

  it('listed by the operator is proven for only one of two organizations, by the database', async ({
    organization,
    other,
    claim,
  }) => {
    for (const turn of Array.from({ length: raceTurns }).keys()) {
      const host = `record${turn}.listed.docs.example.org`;
      const { _id, ...site } = await buildSite(organization, { isPublished: true });
      const claimed = await claim(other.organization, host);
      await withTransaction((session) => claimProxy({ ...site, _id }, `${host}/docs`, session));
      const proven = await Promise.all([
        proveHostname(claimed, {
          insteadOf: undefined,
          condition: ifListedHostIsFree({ host, organization: other.organization._id }),
        }),
        proveSiteHost(
          { host, organization: organization._id },
          { condition: ifListedHostIsFree({ host, organization: organization._id }) },
        ),
      ]);
      expect(proven.filter(Boolean), host).toEqual([true]);
    }
  });

  it('is checked after pauses that grow to a day, and one requested in between stays due', async ({
    claim,
    check,
  }) => {
    const claimed = await claim();
    const pauseAfter = async (waitedMs: number) => {
      await CustomHostname.updateOne(
        { _id: claimed._id },
        { $set: { createdAt: new Date(Date.now() - waitedMs) } },
      );
      const [{ checkedAt, nextCheckAt } = claimed] = await check(claimed);
      return Math.round((nextCheckAt.getTime() - checkedAt!.getTime()) / 1000);
    };
    expect(await pauseAfter(0)).toBe(10);
    expect(Math.abs((await pauseAfter(600_000)) - 600)).toBeLessThan(5);
    expect(await pauseAfter(10 * 86_400_000)).toBe(86_400);
    await requestHostnameCheck(claimed);
    const { nextCheckAt } = (await CustomHostname.findById(claimed._id).lean<CustomHostnameRecord>())!;
    expect(nextCheckAt.getTime() - Date.now()).toBeLessThan(11_000);
  });
});

it('the workers check hostnames, with the DNS servers of the configuration', async ({
  api,
  dns,
  logger,
  organization,
  hostname,
  names,
  claim,
  prove,
}) => {
  prove(organization);
  names[hostname] = platformName;
  const claimed = await claim();
  const hostnames = { ...api.config.hostnames, dnsServers: [dns.server] };
  const stops = [1, 2].map(() => startHostnameChecks({ config: { ...api.config, hostnames }, logger }));
  await until('the hostname is active', async () => (await hostnameOf(claimed)) === hostname);
  await Promise.all(stops.map((stop) => stop()));
});
