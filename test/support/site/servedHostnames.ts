import { freePort } from '../../../apps/cli/src/launcher/freePort.ts';
import { startDns, type DnsRecord } from '../lab/dns.ts';
import { startApp, type AppProcess } from '../processes/appProcess.ts';
import { startPebble } from './pebble.ts';

const cname = 'edge.platform.example';

/** DNS, a certificate authority and ports for custom hostnames, before the apps of a test start. */
type HostnameNetwork = {
  /** The variables of all apps. */
  environment: Record<string, string>;
  /** The port where the app `site` serves TLS. */
  tlsPort: number;
  /** The certificate that signs those of hostnames. */
  authority: string;
  /** Writes the records of a hostname: its CNAME record, and a TXT record at a name. */
  point(hostname: string, txt: { name: string; value: string }): void;
  close(): void;
};

/** @param allow  private addresses that the apps may reach besides the authority, as `host:port` */
export async function startHostnameNetwork({ allow }: { allow: string }): Promise<HostnameNetwork> {
  const names: Record<string, DnsRecord> = { [cname]: ['127.0.0.1'] };
  const dns = await startDns('127.0.0.1', names, 0);
  const [httpPort, tlsPort] = [await freePort(), await freePort()];
  const pebble = await startPebble({ httpPort, dnsServer: dns.server });
  return {
    environment: {
      BINDERY_SITE_PORT: String(httpPort),
      BINDERY_SITE_TLS_PORT: String(tlsPort),
      BINDERY_SITE_CNAME: cname,
      BINDERY_DNS_SERVERS: dns.server,
      BINDERY_ACME_DIRECTORY_URL: pebble.directoryUrl,
      BINDERY_OUTBOUND_ALLOW: `${allow},${pebble.hostPort}`,
      BINDERY_OUTBOUND_CA: pebble.caFile,
    },
    tlsPort,
    authority: pebble.intermediate,
    point: (hostname, { name, value }) => {
      names[hostname] = cname;
      names[name] = { texts: [value] };
    },
    close: pebble.close,
  };
}

/** Starts the app `site` and its worker, beside the API of a test. @returns a function that ends them */
export async function startHostnameApps({ environment }: HostnameNetwork): Promise<() => Promise<void>> {
  const apps: AppProcess[] = [];
  const end = async () => {
    for (const app of apps) app.signal('SIGTERM');
    await Promise.all(apps.map((app) => app.ended));
  };
  try {
    for (const name of ['site', 'worker-maintenance'] as const)
      apps.push(await startApp(name, { ...process.env, ...environment }));
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}
