import type { RequestListener, ServerResponse } from 'node:http';
import { openEndpoint } from '@bindery/metrics';
import { createReadiness, type Config, type Logger, type ReadyCheck } from '@bindery/runtime';

/** Enough for probes, which send one request and disconnect. */
const maxConnections = 50;

/**
 * Serves probes: `/healthz` answers while the event loop runs, `/readyz` while the checks pass, else 503,
 * with the outcome of each check but no reason.
 *
 * If the port is taken, this process works without the endpoint.
 * @returns a function that closes it
 */
export async function startHealthServer(
  config: Config,
  { checks, logger }: { checks: Record<string, ReadyCheck>; logger: Logger },
): Promise<() => void> {
  const port = config.worker.healthPort;
  if (port === 0) return () => {};
  const readiness = createReadiness(checks);
  const listener: RequestListener = (request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (request.method !== 'GET' && request.method !== 'HEAD')
      answer(response, 405, { status: 'only GET is answered' });
    else if (path === '/healthz') answer(response, 200, { status: 'ok' });
    else if (path === '/readyz')
      void readiness().then((body) => answer(response, body.status === 'not ready' ? 503 : 200, body));
    else answer(response, 404, { status: 'not found' });
  };
  return openEndpoint(listener, { name: 'health', port, host: config.api.host, maxConnections, logger });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(JSON.stringify(body));
}
