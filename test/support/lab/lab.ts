import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { startDns, type DnsRecord } from './dns.ts';

/** An address that looks public, for honest or hostile test servers. */
export const publicAddress = '93.184.215.14';
/** A private address for servers that an operator allows. */
export const intranetAddress = '10.0.0.6';

const canaryAddresses = ['127.0.0.1', '10.0.0.5', '169.254.169.254', '::1'];
const canaryPorts = [80, 443, 3000, 8080];

const names: Record<string, DnsRecord> = {
  'pub.test': [publicAddress],
  'other.test': [publicAddress],
  'intranet.test': [intranetAddress],
  'flip.test': (query) => [query % 2 === 1 ? publicAddress : '127.0.0.1'],
  'mix.test': [publicAddress, '10.0.0.5'],
  'many.test': [...Array.from({ length: 49 }, (_, index) => `93.184.215.${index + 14}`), '10.0.0.5'],
  'loop.test': ['127.0.0.1'],
  'zero.test': ['0.0.0.0'],
  'meta.test': ['169.254.169.254'],
  'six.test': ['::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'half.test': [publicAddress, '::1'],
  'alias.test': 'meta.test',
  'slow.test': { answerAfterMs: 20_000, addresses: [publicAddress] },
  'fail.test': 'SERVFAIL',
};

export type Lab = {
  /** The connections to each canary so far: any other number than 0 is a leak. */
  hits(): Record<string, number>;
  /** Connects to every canary and waits until each has counted it, to show that they work. */
  touchCanaries(): Promise<void>;
  /** The number of DNS queries for an address of this name. */
  queries(name: string): number;
  /** Starts a server on one of the lab's addresses. */
  serve(address: string, port: number, listener: RequestListener): Promise<void>;
};

/**
 * Starts the DNS server and the canaries; to be called once by a script run by `runInLab`. It stops with the
 * process.
 *
 * Names: pub, other (public), intranet (10.0.0.6), flip (public, then 127.0.0.1, and so on), mix (public and
 * 10.0.0.5), many (49 public, one private), loop, zero, meta, six (::1), mapped, nat64, half (public IPv4,
 * private IPv6), alias (CNAME of meta), slow (20 s), fail (SERVFAIL), each under `.test`; no other name
 * exists.
 */
export async function startLab(): Promise<Lab> {
  const dns = await startDns('127.0.0.53', names);
  const hits = Object.fromEntries(canaryAddresses.map((address) => [address, 0]));

  async function serve(
    address: string,
    port: number,
    listener: RequestListener,
    onConnection?: () => void,
  ): Promise<void> {
    const server = createServer(listener);
    if (onConnection) server.on('connection', onConnection);
    server.listen(port, address);
    await once(server, 'listening');
    server.unref();
  }

  for (const address of canaryAddresses) {
    for (const port of canaryPorts) {
      await serve(
        address,
        port,
        (_request, response) => response.end('canary'),
        () => (hits[address] = (hits[address] ?? 0) + 1),
      );
    }
  }
  return {
    hits: () => ({ ...hits }),
    touchCanaries: async () => {
      await Promise.all(canaryAddresses.flatMap((host) => canaryPorts.map((port) => hear({ host, port }))));
    },
    queries: dns.queries,
    serve: (address, port, listener) => serve(address, port, listener),
  };
}

async function hear(canary: { host: string; port: number }): Promise<void> {
  const socket = connect(canary);
  socket.write('GET / HTTP/1.0\r\n\r\n');
  await once(socket, 'data');
  socket.destroy();
}
