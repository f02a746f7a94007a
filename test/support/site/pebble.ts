import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { freePort } from '../../../apps/cli/src/launcher/freePort.ts';
import { provideDebianPrograms } from '../debianPrograms.ts';
import { writeSelfSigned } from '../http/selfSigned.ts';
import { until } from '../until.ts';

/** Pebble: a certificate authority for tests of ACME clients, by the makers of Let's Encrypt. */
export type Pebble = {
  directoryUrl: string;
  /** `host:port` of the authority, for the list of permitted private addresses. */
  hostPort: string;
  /** The file with the certificate of its API. */
  caFile: string;
  /** The root of the certificates that it issues. */
  root: string;
  /** The certificate between that root and those that it issues, which servers send with theirs. */
  intermediate: string;
  /** Counts the orders that it has taken. */
  orders: () => number;
  close: () => void;
};

/**
 * @param httpPort  where it fetches the answers of hostnames, in place of port 80
 * @param dnsServer  where it looks up hostnames, as `address:port`
 * @param findPort  returns a port to listen on; another process may take it before
 */
export async function startPebble({
  httpPort,
  dnsServer,
  findPort = freePort,
}: {
  httpPort: number;
  dnsServer: string;
  findPort?: () => Promise<number>;
}): Promise<Pebble> {
  const problem = await provideDebianPrograms({ pebble: ['pebble'] });
  if (problem !== undefined) throw new Error(problem);
  const folder = mkdtempSync(join(tmpdir(), 'bindery-pebble-'));
  const { certFile: caFile, keyFile: privateKey } = writeSelfSigned(
    { folder, name: 'pebble' },
    { subject: 'pebble', names: 'IP:127.0.0.1' },
  );
  const agent = new Agent({ ca: readFileSync(caFile) });
  const started = await startOnFreePorts({
    folder,
    privateKey,
    caFile,
    httpPort,
    dnsServer,
    agent,
    findPort,
  });
  return {
    directoryUrl: `https://127.0.0.1:${started.port}/dir`,
    hostPort: `127.0.0.1:${started.port}`,
    caFile,
    root: started.root,
    intermediate: started.intermediate,
    orders: started.orders,
    close: () => {
      agent.destroy();
      started.child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Start = {
  folder: string;
  privateKey: string;
  caFile: string;
  httpPort: number;
  dnsServer: string;
  agent: Agent;
  findPort: () => Promise<number>;
};
type Started = {
  child: ChildProcess;
  port: number;
  root: string;
  intermediate: string;
  orders: () => number;
};

/** Starts again with other ports when another process takes one before pebble does. */
async function startOnFreePorts(start: Start, attemptsLeft = 5): Promise<Started> {
  const started = await startOnce(start);
  if (!('messages' in started)) return started;
  if (attemptsLeft === 1) throw new Error(`pebble ended at its start: ${started.messages}`);
  return startOnFreePorts(start, attemptsLeft - 1);
}

/** @returns the messages of pebble when it ends before it answers */
async function startOnce({
  folder,
  privateKey,
  caFile,
  httpPort,
  dnsServer,
  agent,
  findPort,
}: Start): Promise<Started | { messages: string }> {
  const [port, managementPort] = [await findPort(), await findPort()];
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: caFile,
    privateKey,
    httpPort,
    tlsPort: 1,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ pebble: config }));
  const child = spawn(
    'pebble',
    ['-strict', '-config', join(folder, 'config.json'), '-dnsserver', dnsServer],
    // It would wait some seconds before each validation, and skip half of those of a hostname that it knows.
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0' },
    },
  );
  let orders = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.includes('Added order')) orders += 1;
  });
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (messages = (messages + part).slice(-2_000)));
  const get = async (url: string) => {
    const asked = request(url, { agent });
    asked.end();
    const [answer] = await once(asked, 'response');
    return text(answer);
  };
  const management = `https://127.0.0.1:${managementPort}`;
  const root = await until('answer of pebble', () => {
    if (child.exitCode !== null) return 'ended';
    return get(`${management}/roots/0`).catch(() => undefined);
  });
  if (root === 'ended') return { messages };
  return {
    child,
    port,
    root,
    intermediate: await get(`${management}/intermediates/0`),
    orders: () => orders,
  };
}
