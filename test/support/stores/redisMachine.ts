import { once } from 'node:events';
import { createServer, createConnection, type AddressInfo, type Socket } from 'node:net';
import { startOwnRedis } from './ownRedis.ts';

/** A Redis on a machine of its own, which can be lost: nothing closes the connections to it. */
export type RedisMachine = {
  url: string;
  /** Power off: connections stay open without an answer, as do new ones. */
  lose(): Promise<void>;
  /** Another machine takes its place, with its file and its address. It knows nothing of the connections. */
  replace(): Promise<void>;
  close(): Promise<void>;
};

/** Starts Redis behind a relay on loopback, which stands in for the network. */
export async function startRedisMachine(): Promise<RedisMachine> {
  const redis = await startOwnRedis();
  const path = new URL(redis.url).pathname;
  const clients = new Set<Socket>();
  /** Those to the present machine. */
  const servers = new Set<Socket>();
  let isThere = true;
  const relay = createServer((client) => {
    clients.add(client);
    client.on('error', () => {}).on('close', () => clients.delete(client));
    // Read, so that only answers are missing.
    client.resume();
    if (!isThere) return;
    const server = createConnection({ path });
    servers.add(server);
    server.on('error', () => {}).on('close', () => servers.delete(server));
    server.on('close', () => {
      if (isThere) client.destroy();
    });
    client.on('close', () => server.destroy());
    client.pipe(server);
    server.pipe(client, { end: false });
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const { port } = relay.address() as AddressInfo;
  return {
    url: `redis://127.0.0.1:${port}`,
    async lose() {
      isThere = false;
      for (const server of servers) server.unpipe().destroy();
      await redis.kill();
    },
    async replace() {
      await redis.start();
      isThere = true;
    },
    async close() {
      for (const client of clients) client.destroy();
      relay.close();
      await redis.close();
    },
  };
}
