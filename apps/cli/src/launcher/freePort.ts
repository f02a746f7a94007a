import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ranges that systems use for outgoing connections: such a port could be taken before its program
 * listens on it.
 */
const [lowestPort, highestPort] = [20_000, 32_000];
const attempts = 100;

/** Whether a port is free at this moment. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Returns the wanted port if it is free, else any free one. */
export async function freePort(wanted?: number, host?: string): Promise<number> {
  if (wanted && (await isPortFree(wanted, host))) return wanted;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(lowestPort, highestPort);
    if (await isPortFree(port, host)) return port;
  }
  throw new Error(`None of ${attempts} ports between ${lowestPort} and ${highestPort} is free.`);
}
