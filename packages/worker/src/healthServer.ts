import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createReadiness, type Config, type Logger, type ReadyCheck } from '@bindery/runtime';

// Not imported: an import reads every name that a module of Node exports, and one of this module's loads
// Node's own undici, which takes 40 ms of processor time at each start.
const { createServer } = process.getBuiltinModule('node:http');

/** Sized for probes, which send one request and disconnect. */
const limits = {
  maxConnections: 50,
  requestTimeout: 5_000,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};

/**
 * Serves probes: `/healthz` answers while the event loop runs, `/readyz` while the checks pass, else 503,
 * with the outcome of each check but no reason.
 *
 * If the port is taken, this process works without the endpoint: another process of the same kind may have
 * it.
 * @returns a function that closes it
 */
export async function startHealthServer(
  config: Config,
  { checks, logger }: { checks: Record<string, ReadyCheck>; logger: Logger },
): Promise<() => void> {
  const port = config.worker.healthPort;
  if (port === 0) return () => {};
  const readiness = createReadiness(checks);
  const server = createServer(limits, (request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (request.method !== 'GET' && request.method !== 'HEAD')
      answer(response, 405, { status: 'only GET is answered' });
    else if (path === '/healthz') answer(response, 200, { status: 'ok' });
    else if (path === '/readyz')
      void readiness().then((body) => answer(response, body.status === 'not ready' ? 503 : 200, body));
    else answer(response, 404, { status: 'not found' });
  });
  server.maxConnections = limits.maxConnections;
  try {
    server.listen(port, config.api.host);
    await once(server, 'listening');
  } catch (error) {
    logger.warn(
      { err: error, port },
      'the health endpoint could not be opened; this process goes on without it',
    );
    return () => {};
  }
  server.on('error', (error) => logger.warn({ err: error }, 'health endpoint'));
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(JSON.stringify(body));
}
