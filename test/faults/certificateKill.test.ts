import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:tls';
import {
  AcmeChallenge,
  certificateContext,
  CertificateOrder,
  claimHostname,
  CustomHostname,
  HostnameCertificate,
  Lease,
  sealedSecretOf,
  type CustomHostnameRecord,
  type HostnameCertificateRecord,
  type OrganizationRecord,
} from '@bindery/models';
import { newId, openSecret } from '@bindery/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/cli/src/launcher/freePort.ts';
import { publishPages } from '../support/content/indexing.ts';
import { buildOrganization, buildSite, buildSpace } from '../support/factories.ts';
import { startDns, type DnsRecord } from '../support/lab/dns.ts';
import { bound } from '../support/machine.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { startPebble, type Pebble } from '../support/site/pebble.ts';
import { until } from '../support/until.ts';

const cname = 'edge.platform.example';
const worker = 'worker-maintenance';

let lab: FaultLab;
let pebble: Pebble;
let tlsPort: number;
let organization: OrganizationRecord;
/** The hostname that has a certificate before each test. */
let served: string;
const names: Record<string, DnsRecord> = { [cname]: ['127.0.0.1'] };

beforeAll(async () => {
  const dns = await startDns('127.0.0.1', names, 0);
  const httpPort = await freePort();
  tlsPort = await freePort();
  pebble = await startPebble({ httpPort, dnsServer: dns.server });
  lab = await startFaultLab({
    BINDERY_SITE_PORT: String(httpPort),
    BINDERY_SITE_TLS_PORT: String(tlsPort),
    BINDERY_SITE_CNAME: cname,
    BINDERY_DNS_SERVERS: dns.server,
    BINDERY_ACME_DIRECTORY_URL: pebble.directoryUrl,
    BINDERY_OUTBOUND_ALLOW: pebble.hostPort,
    BINDERY_OUTBOUND_CA: pebble.caFile,
  });
  ({ organization } = await buildOrganization());
  await Promise.all([lab.start('site'), lab.start(worker)]);
  served = await claim();
  await untilIssued(served);
  await endWorkers();
}, bound(180_000));
afterEach(async () => {
  await endWorkers();
  // The limit of orders in an hour is not what is tested here.
  await CertificateOrder.deleteMany({});
});
afterAll(async () => {
  await lab.close();
  pebble.close();
});

/** Ends all workers, the leader too, as if its lease had ended. */
async function endWorkers(): Promise<void> {
  const running = lab.apps.filter((app) => app.name === worker && !app.hasEnded());
  for (const app of running) app.signal('SIGKILL');
  await Promise.all(running.map((app) => app.ended));
  await Lease.deleteMany({});
}

/** Claims a hostname for a new site, with the records in DNS. */
async function claim(): Promise<string> {
  const hostname = `docs.${newId().toLowerCase()}.example.org`;
  const pages = [{ id: 'home', title: 'Home', path: 'home', source: '# Home' }];
  const space = await publishPages(await buildSpace(organization), pages);
  const { _id: site } = await buildSite(organization, { spaces: [space], isPublished: true });
  names[hostname] = cname;
  names[`_bindery.${hostname}`] = { texts: [`bindery-organization=${organization._id}`] };
  await claimHostname({ hostname, organization: organization._id, site, createdBy: 'x' });
  return hostname;
}

async function certificateOf(hostname: string): Promise<HostnameCertificateRecord | null> {
  return HostnameCertificate.findById(hostname).lean<HostnameCertificateRecord>();
}

/** Waits until a hostname is live with a certificate other than a former one. */
async function untilIssued(hostname: string, former?: string): Promise<void> {
  await until(
    `certificate of ${hostname}`,
    async () => {
      const state = await CustomHostname.findOne({ hostname }).lean<CustomHostnameRecord>();
      const { chain } = (await certificateOf(hostname)) ?? {};
      return state?.status === 'live' && state.isActive && chain !== undefined && chain !== former;
    },
    { timeoutMs: 60_000 },
  );
}

/** Lets the time of all pauses pass that keep orders and checks from being repeated. */
async function passPauses(): Promise<void> {
  const past = new Date(0);
  await Lease.deleteMany({});
  await HostnameCertificate.updateMany({ failures: { $gt: 0 } }, { $set: { nextAttemptAt: past } });
  await CustomHostname.updateMany({ organization: organization._id }, { $set: { nextCheckAt: past } });
}

/** Whether the stored certificate is for the hostname, and its key belongs to it. */
async function isWhole(hostname: string): Promise<boolean> {
  const { chain, sealedKey, expiresAt } = (await certificateOf(hostname))!;
  const key = openSecret(lab.config.secrets, sealedSecretOf(sealedKey!), certificateContext(hostname));
  const certificate = new X509Certificate(chain!);
  const isOfName = certificate.checkHost(hostname) !== undefined;
  return isOfName && certificate.checkPrivateKey(createPrivateKey(key)) && expiresAt! > new Date();
}

/** Reads the home page over TLS, as a client that trusts the authority. @returns the first line */
async function visit(servername: string): Promise<string> {
  const socket = connect({ port: tlsPort, host: '127.0.0.1', servername, ca: pebble.root });
  await once(socket, 'secureConnect');
  socket.write(`GET / HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`);
  const text = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>)).toString();
  return text.slice(0, text.indexOf('\r\n'));
}

/** Visits a hostname some times a second. @returns a function that ends it, with what was answered */
function keepVisiting(hostname: string): () => Promise<Set<string>> {
  const answers = new Set<string>();
  const ending = new AbortController();
  const visiting = (async () => {
    do {
      answers.add(await visit(hostname).catch(String));
      await delay(200, undefined, { signal: ending.signal }).catch(() => {});
    } while (!ending.signal.aborted);
  })();
  return async () => {
    ending.abort();
    await visiting;
    return answers;
  };
}

describe('a worker that is killed while it gets certificates', () => {
  it.each([
    ['certificate.ordered', 'first order', 2, 3],
    ['certificate.challenged', 'renewal', 1, 3],
    ['certificate.validated', 'first order', 2, 3],
    ['certificate.issued', 'renewal', 1, 3],
    ['certificate.issued', 'first order', 2, 3],
    ['certificate.stored', 'first order', 2, 2],
  ])(
    'at %s of a %s is replaced by another worker, which repeats at most one order',
    { timeout: bound(180_000) },
    async (point, _order, hit, orders) => {
      const { chain: former } = (await certificateOf(served))!;
      const before = pebble.orders();
      const dying = await lab.start(worker, { fault: `${point}:${hit}:kill` });
      await until('a leader', () => Lease.exists({ _id: 'certificates' }));
      await lab.start(worker);
      const endVisits = keepVisiting(served);
      await HostnameCertificate.updateOne({ _id: served }, { $set: { nextAttemptAt: new Date(0) } });
      const added = await claim();
      expect(await dying.ended).toBe('SIGKILL');
      // Nothing is ordered again before the pause is over.
      const due = await HostnameCertificate.find({ failures: { $gt: 0 } }).lean<
        HostnameCertificateRecord[]
      >();
      for (const { nextAttemptAt } of due)
        expect(nextAttemptAt.getTime()).toBeGreaterThan(Date.now() + 60_000);
      await passPauses();
      await Promise.all([untilIssued(served, former), untilIssued(added)]);
      expect(await endVisits()).toEqual(new Set(['HTTP/1.1 200 OK']));
      await until('the new hostname', async () => (await visit(added).catch(String)) === 'HTTP/1.1 200 OK');
      expect([await isWhole(served), await isWhole(added)]).toEqual([true, true]);
      expect(pebble.orders() - before).toBe(orders);
      expect(await AcmeChallenge.countDocuments({ hostname: { $in: [served, added] } })).toBe(0);
    },
  );

  it('repeatedly leads to new orders after doubling pauses', { timeout: bound(180_000) }, async () => {
    const before = pebble.orders();
    const added = await claim();
    for (const minutes of [5, 10]) {
      const dying = await lab.start(worker, { fault: 'certificate.challenged:1:kill' });
      expect(await dying.ended).toBe('SIGKILL');
      const { attemptedAt, nextAttemptAt } = (await certificateOf(added))!;
      expect(nextAttemptAt.getTime() - attemptedAt!.getTime()).toBe(minutes * 60_000);
      await passPauses();
    }
    expect(pebble.orders() - before).toBe(2);
    expect(await AcmeChallenge.countDocuments({ hostname: added })).toBe(2);
    await lab.start(worker);
    await untilIssued(added);
    expect(pebble.orders() - before).toBe(3);
    expect(await AcmeChallenge.countDocuments({ hostname: added })).toBe(0);
    expect((await certificateOf(added))?.failures).toBe(0);
  });
});
