import { once } from 'node:events';
import type { RequestListener } from 'node:http';

// Not imported: an import reads every name that a module of Node exports, and one of this module's loads
// Node's own undici, which takes 40 ms of processor time at each start.
const { createServer } = process.getBuiltinModule('node:http');

/** Sized for a few programs that send one request and disconnect. */
const limits = { requestTimeout: 5_000, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 };

/** The part of a logger that is used here: packages/runtime has metrics itself. */
export type Warns = { warn(fields: object, message: string): void };

/**
 * Opens an HTTP server for the programs that watch this process.
 *
 * If the port is taken, the process works without the endpoint: another process of the same kind may have it.
 *
 * @param endpoint.name  as in log lines: `health`
 * @returns a function that closes it
 */
export async function openEndpoint(
  listener: RequestListener,
  endpoint: { name: string; port: number; host: string; maxConnections: number; logger: Warns },
): Promise<() => void> {
  const { name, port, host, maxConnections, logger } = endpoint;
  const server = createServer(limits, listener);
  server.maxConnections = maxConnections;
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    logger.warn(
      { err: error, port },
      `the ${name} endpoint could not be opened; this process goes on without it`,
    );
    return () => {};
  }
  server.on('error', (error) => logger.warn({ err: error }, `${name} endpoint`));
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
