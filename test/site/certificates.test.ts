import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import {
  AcmeAccount,
  AcmeChallenge,
  beginOrder,
  CertificateOrder,
  claimHostname,
  CustomHostname,
  findDueOrder,
  HostnameCertificate,
  Lease,
  requestCertificate,
  type CustomHostnameRecord,
  type HostnameCertificateRecord,
} from '@bindery/models';
import { createDnsRecords, createOutbound } from '@bindery/outbound';
import { createHttpServer, createLogger, newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { createSiteApp } from '../../apps/site/src/app.ts';
import { createCertificateFinder } from '../../apps/site/src/hostnames/certificateFinder.ts';
import { createSitePlatform } from '../../apps/site/src/sitePlatform.ts';
import {
  renewCertificate,
  startCertificates,
} from '../../apps/worker-maintenance/src/certificates/renewCertificates.ts';
import { checkHostnames } from '../../apps/worker-maintenance/src/hostnames/checkHostnames.ts';
import { publishPages } from '../support/content/indexing.ts';
import { buildOrganization, buildSite, buildSpace } from '../support/factories.ts';
import { startDns, type DnsRecord } from '../support/lab/dns.ts';
import { freePort } from '../../apps/cli/src/launcher/freePort.ts';
import { startPebble } from '../support/site/pebble.ts';
import { it as base } from '../support/site/siteIt.ts';
import { until } from '../support/until.ts';

const cname = 'edge.platform.example';

const it = base
  .extend('environment', { scope: 'file' }, { BINDERY_SITE_CNAME: cname })
  .extend('names', { scope: 'file' }, { [cname]: ['127.0.0.1'] } as Record<string, DnsRecord>)
  .extend('dns', { scope: 'file' }, ({ api: _started, names }) => startDns('127.0.0.1', names, 0))
  .extend('pebble', { scope: 'file' }, async ({ server, dns }, { onCleanup }) => {
    const httpPort = Number(new URL(server.origin).port);
    const pebble = await startPebble({ httpPort, dnsServer: dns.server });
    onCleanup(pebble.close);
    return pebble;
  })
  .extend('config', { scope: 'file' }, ({ api: { config }, pebble }) => ({
    ...config,
    outbound: { ...config.outbound, allow: [pebble.hostPort], caFile: pebble.caFile },
    hostnames: {
      ...config.hostnames,
      acme: { directoryUrl: pebble.directoryUrl, email: undefined },
      tlsPort: 1,
    },
  }))
  .extend('logger', { scope: 'file' }, ({ config }) =>
    createLogger({ ...config, log: { level: 'silent' } }, { app: 'test' }),
  )
  .extend('outbound', { scope: 'file' }, ({ config: { outbound: settings } }, { onCleanup }) => {
    const outbound = createOutbound(settings);
    onCleanup(() => outbound.close());
    return outbound;
  })
  .extend('guide', { scope: 'file' }, async ({ organization }) =>
    publishPages(await buildSpace(organization), [
      { id: 'home', title: 'Home', path: 'home', source: '# Home' },
    ]),
  )
  .extend('docs', () => `docs.${newId().toLowerCase()}.example.org`)
  /** Claims a hostname and checks its DNS, so that its certificate is ordered next. */
  .extend('claim', ({ organization, guide, names, dns, config, logger, docs }) => async (hostname = docs) => {
    const site = await buildSite(organization, { spaces: [guide], isPublished: true });
    names[hostname] = cname;
    names[`_bindery.${hostname}`] = { texts: [`bindery-organization=${organization._id}`] };
    await CustomHostname.updateMany({}, { $set: { nextCheckAt: new Date(4e12) } });
    await HostnameCertificate.updateMany({}, { $set: { nextAttemptAt: new Date(4e12) } });
    await claimHostname({ hostname, organization: organization._id, site: site._id, createdBy: 'x' });
    const signal = new AbortController().signal;
    await checkHostnames({ config, records: createDnsRecords([dns.server]), logger, signal });
  })
  .extend(
    'renew',
    ({ config, logger, outbound }) =>
      async () =>
        renewCertificate({ config, logger, outbound }),
  )
  .extend('certificate', ({ docs }) => async () => {
    return (await HostnameCertificate.findById(docs).lean<HostnameCertificateRecord>())!;
  })
  .extend('state', ({ docs }) => async () => {
    const claim = await CustomHostname.findOne({ hostname: docs }).lean<CustomHostnameRecord>();
    return [claim?.status, claim?.isActive];
  })
  .extend('app', { scope: 'file' }, ({ api: { blobs }, config, logger }, { onCleanup }) => {
    const platform = createSitePlatform({ config, blobs, log: logger });
    onCleanup(async () => {
      await Promise.all([platform.renderers.close(), platform.cards.close()]);
    });
    return createSiteApp(platform);
  })
  .extend('tlsPort', { scope: 'file' }, async ({ app, config }, { onCleanup }) => {
    const { server, stop } = createHttpServer(app, {
      maxConnections: 100,
      refuse: ({ message }) => ({ contentType: 'text/plain', body: message }),
      findCertificate: createCertificateFinder(config.secrets, { keptMs: 1 }),
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onCleanup(() => stop({ graceMs: 0 }));
    return (server.address() as AddressInfo).port;
  })
  /** Asks for the home page over TLS, as a client that trusts the authority. */
  .extend('visit', ({ tlsPort, pebble }) => async (servername: string) => {
    const socket = connect({ port: tlsPort, host: '127.0.0.1', servername, ca: pebble.root });
    await once(socket, 'secureConnect');
    const serial = socket.getPeerCertificate().serialNumber;
    socket.write(`GET / HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`);
    const text = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>)).toString();
    return { serial, text };
  });

describe('the certificate of a hostname', () => {
  it('is ordered once DNS points here, served over TLS, and renewed without a restart', async ({
    config,
    docs,
    claim,
    renew,
    state,
    certificate,
    visit,
  }) => {
    await claim();
    expect(await state()).toEqual(['ssl_pending', false]);
    await expect(visit(docs)).rejects.toThrow(/SSL|TLS|ECONNRESET|disconnected/i);
    expect(await renew()).toBe(true);
    expect(await state()).toEqual(['live', true]);
    const issued = await certificate();
    const lifetimeMs = issued.expiresAt!.getTime() - Date.now();
    const renewedAfter = (issued.nextAttemptAt.getTime() - Date.now()) / lifetimeMs;
    expect(Math.abs(renewedAfter - 2 / 3)).toBeLessThan(0.01);
    expect(issued.failures).toBe(0);
    const first = await visit(docs);
    expect(first.text).toContain('HTTP/1.1 200 OK');
    expect(first.text).toContain(`<link rel="canonical" href="https://${docs}">`);

    await HostnameCertificate.updateOne({ _id: docs }, { $set: { nextAttemptAt: new Date(0) } });
    await renew();
    expect((await visit(docs)).serial).not.toBe(first.serial);
    expect(await AcmeChallenge.countDocuments({ hostname: docs })).toBe(0);
    // Keys are nowhere in the clear, and there is one account.
    const stored = JSON.stringify([await certificate(), await AcmeAccount.find().lean()]);
    expect(stored).not.toContain('PRIVATE KEY');
    expect(await AcmeAccount.countDocuments({ _id: config.hostnames.acme.directoryUrl })).toBe(1);
  });

  it('is ordered again with doubling backoff, for each hostname on its own', async ({
    names,
    docs,
    claim,
    renew,
    state,
    certificate,
  }) => {
    await claim();
    delete names[docs];
    const pauses = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await HostnameCertificate.updateOne({ _id: docs }, { $set: { nextAttemptAt: new Date(0) } });
      await renew();
      const { attemptedAt, nextAttemptAt } = await certificate();
      pauses.push((nextAttemptAt.getTime() - attemptedAt!.getTime()) / 60_000);
    }
    expect(pauses).toEqual([5, 10, 20]);
    expect(await state()).toEqual(['ssl_failed', false]);
    const failed = await certificate();
    expect([failed.failures, failed.hasFailed]).toEqual([3, true]);
    // Nothing is due, and another hostname does not wait for this one.
    expect(await renew()).toBe(false);
    const other = `other.${docs}`;
    await claim(other);
    await renew();
    expect((await HostnameCertificate.findById(other))?.chain).toContain('BEGIN CERTIFICATE');
  });

  it('is not ordered while DNS points elsewhere, and stays after a failed renewal while it is valid', async ({
    names,
    docs,
    claim,
    renew,
    state,
    certificate,
    visit,
  }) => {
    await claim();
    await renew();
    const { chain } = await certificate();
    await CustomHostname.updateOne({ hostname: docs }, { $set: { status: 'dns_wrong_cname' } });
    await HostnameCertificate.updateOne({ _id: docs }, { $set: { nextAttemptAt: new Date(0) } });
    await renew();
    const postponed = await certificate();
    expect(postponed.failures).toBe(0);
    expect(postponed.nextAttemptAt.getTime()).toBeGreaterThan(Date.now() + 3_500_000);
    await CustomHostname.updateOne({ hostname: docs }, { $set: { status: 'live' } });
    await HostnameCertificate.updateOne({ _id: docs }, { $set: { nextAttemptAt: new Date(0) } });
    delete names[docs];
    await renew();
    expect([(await certificate()).failures, (await certificate()).chain]).toEqual([1, chain]);
    expect(await state()).toEqual(['live', true]);
    expect((await visit(docs)).text).toContain('HTTP/1.1 200 OK');
  });

  it('is ordered within the hourly limits per organization and overall, which count deleted hostnames too', async ({
    api,
    admin,
    organization,
    names,
    docs,
    claim,
    renew,
    certificate,
  }) => {
    await CertificateOrder.deleteMany({});
    const fill = async (of: string, count: number) =>
      CertificateOrder.insertMany(
        Array.from({ length: count }, () => ({ organization: of, at: new Date() })),
      );
    await claim();
    await fill(organization._id, 20);
    await renew();
    const postponed = await certificate();
    expect([postponed.failures, postponed.chain]).toEqual([0, undefined]);
    expect(postponed.nextAttemptAt.getTime()).toBeGreaterThan(Date.now() + 3_500_000);
    const { organization: other } = await buildOrganization();
    const { _id: site } = await buildSite(other, { isPublished: true });
    const next = `next.${docs}`;
    names[next] = cname;
    const claimed = await claimHostname({ hostname: next, organization: other._id, site, createdBy: 'x' });
    const proven = { provenAt: new Date(), status: 'ssl_pending' };
    await CustomHostname.updateOne({ _id: claimed._id }, { $set: proven });
    await requestCertificate(next);
    expect(await renew()).toBe(true);
    expect((await HostnameCertificate.findById(next))?.chain).toContain('BEGIN CERTIFICATE');

    const due = async () =>
      HostnameCertificate.updateOne({ _id: docs }, { $set: { nextAttemptAt: new Date(0) } });
    await CertificateOrder.deleteMany({});
    await due();
    await renew();
    await api.call('DELETE', `/v1/custom-hostnames/${docs}`, { token: admin.token });
    expect(await CertificateOrder.countDocuments({ organization: organization._id })).toBe(1);
    await claim();
    await fill('others', 89);
    expect(await renew()).toBe(false);
    expect((await certificate()).attemptedAt).toBeUndefined();
    await CertificateOrder.deleteMany({});
  });

  it('is ordered once by two workers', async ({ config, logger, claim, state, certificate }) => {
    await claim();
    const stops = [1, 2].map(() => startCertificates({ config, logger }));
    await until('the certificate is there', async () => (await certificate()).chain);
    await until('the hostname is live', async () => (await state())[0] === 'live');
    await Promise.all(stops.map((stop) => stop()));
    expect((await certificate()).failures).toBe(0);
  });

  it('is ordered by another worker when one dies in the middle', async ({
    config,
    logger,
    docs,
    claim,
    certificate,
  }) => {
    await claim();
    // A worker took the leadership and began the order; then nothing was heard of it.
    const due = (await findDueOrder())!;
    const [died, late] = [await beginOrder(due), await beginOrder(due)];
    expect([died?._id, died?.failures, late]).toEqual([docs, 1, undefined]);
    await AcmeChallenge.create({
      _id: `left-${newId()}`,
      hostname: docs,
      keyAuthorization: 'x',
      createdAt: new Date(),
    });
    await Lease.updateOne(
      { _id: 'certificates' },
      { $set: { holder: 'dead', until: new Date(Date.now() + 1_000) } },
      { upsert: true },
    );
    expect((await certificate()).nextAttemptAt.getTime()).toBeGreaterThan(Date.now() + 200_000);
    await HostnameCertificate.updateOne({ _id: docs }, { $set: { nextAttemptAt: new Date(0) } });
    const stop = startCertificates({ config, logger });
    await until('the certificate is there', async () => (await certificate()).chain, { timeoutMs: 20_000 });
    await stop();
    expect((await certificate()).failures).toBe(0);
  });

  it('is deleted with its hostname', async ({ api, admin, docs, claim, renew, certificate, visit }) => {
    await claim();
    await renew();
    expect((await certificate()).chain).toContain('BEGIN CERTIFICATE');
    await api.call('DELETE', `/v1/custom-hostnames/${docs}`, { token: admin.token });
    expect(await certificate()).toBeNull();
    await expect(visit(docs)).rejects.toThrow(/SSL|TLS|ECONNRESET|disconnected/i);
  });
});

it('the ACME server of these tests retries on other ports, and reports ports that are in use', async ({
  pebble,
  dns,
}) => {
  const taken = Number(new URL(pebble.directoryUrl).port);
  const ports = [taken, taken];
  const start = { httpPort: 1, dnsServer: dns.server };
  const second = await startPebble({ ...start, findPort: async () => ports.pop() ?? freePort() });
  second.close();
  expect(second.hostPort).not.toBe(pebble.hostPort);
  await expect(startPebble({ ...start, findPort: async () => taken })).rejects.toThrow('already in use');
});

it('redirects HTTP to HTTPS for a hostname with a certificate where the platform serves TLS', async ({
  app,
  docs,
  claim,
  renew,
}) => {
  await claim();
  await renew();
  const plain = createServer(app).listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const { port } = plain.address() as AddressInfo;
  const asked = request({ port, path: '/page?x=1', headers: { host: docs } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  expect([answer.statusCode, answer.headers.location]).toEqual([308, `https://${docs}/page?x=1`]);
  plain.close();
});

it('answers ACME challenges for their own hostname only, as plain text', async ({ server, docs }) => {
  const token = newId() + newId();
  await AcmeChallenge.create({
    _id: token,
    hostname: docs,
    keyAuthorization: `${token}.key`,
    createdAt: new Date(),
  });
  const ask = async (path: string, host = docs) =>
    server.ask(`/.well-known/acme-challenge/${path}`, { headers: { host } });
  const { status, headers, text } = await ask(token);
  expect([status, headers['content-type'], text]).toEqual([200, 'text/plain', `${token}.key`]);
  expect((await ask(token, `other.${docs}`)).status).toBe(404);
  for (const path of ['', 'unknown-token-of-some-length', `${token}/more`, '%2e%2e', 'x'.repeat(5_000)])
    expect((await ask(path)).status).toBe(404);
});
