import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { afterEach, expect } from 'vitest';
import { JobError, type JobErrorCode } from '@bindery/contract';
import {
  createOutbound,
  type Outbound,
  outboundLimits,
  type OutboundLimits,
  type OutboundRequest,
  type OutboundSettings,
} from '@bindery/outbound';

/** Where the servers that may be reached listen; canaries listen on 127.0.0.1. */
const reachable = '127.0.0.2';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

export type TestServer = {
  origin: string;
  port: number;
  host: string;
  /** Connections so far. */ connections: () => number;
};

export function startHttp(listener: RequestListener, address = reachable): Promise<TestServer> {
  return listen(createServer(listener), 'http', address);
}

export function startHttps(options: ServerOptions, listener: RequestListener): Promise<TestServer> {
  return listen(createSecureServer(options, listener), 'https', reachable);
}

/** A server that speaks no HTTP of its own: the test writes the bytes. */
export function startTcp(onConnection: (socket: Socket) => void, address = reachable): Promise<TestServer> {
  return listen(createTcpServer(onConnection), 'http', address);
}

async function listen(server: TcpServer | Server, scheme: string, address: string): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, address);
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${scheme}://${address}:${port}`,
    host: `${address}:${port}`,
    port,
    connections: () => connections,
  };
}

/** An outbound that may reach these servers and nothing else on this machine. */
export function openOutbound(
  servers: readonly TestServer[],
  settings: Partial<OutboundSettings> = {},
): Outbound {
  const outbound = createOutbound({ allow: servers.map((server) => server.host), refused: [], ...settings });
  closing.push(() => outbound.close());
  return outbound;
}

/** Limits that a test never meets by accident; it lowers the one that it is about. */
export const generous: OutboundLimits = { ...outboundLimits.content, connectMs: 5_000 };

export type Get = Omit<OutboundRequest, 'url' | 'limits' | 'redirects'> & {
  limits?: Partial<OutboundLimits>;
  redirects?: OutboundRequest['redirects'];
};

/** Requests the URL and reads the body to its end. */
export async function read(outbound: Outbound, url: string, { limits, ...options }: Get = {}) {
  const response = await outbound.request({
    url: outbound.checkUrl(url),
    redirects: 'none',
    ...options,
    limits: { ...generous, ...limits },
  });
  const body = Buffer.concat(await Array.fromAsync(response.body));
  return { ...response, body };
}

/** Expects the JobError and that its text holds nothing of the network. */
export async function expectJobError(promise: Promise<unknown>, code: JobErrorCode): Promise<JobError> {
  const error = await promise.then(
    (value) => expect.fail(`succeeded with ${JSON.stringify(value).slice(0, 200)}`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(JobError);
  const refusal = error as JobError;
  expect(refusal.code).toBe(code);
  expect(`${refusal.message} ${refusal.action} ${String(refusal.cause)}`).not.toMatch(
    /\d+\.\d+\.\d+|::|https?:\/\/[^ ]*test|localhost|banner/,
  );
  return refusal;
}
