import { once } from 'node:events';
import type * as PromClient from 'prom-client';
import { createMetrics, type Gauge } from './metric.ts';

// Not imported, as in the health endpoint: it saves the time of a module that nothing uses.
const { createServer } = process.getBuiltinModule('node:http');

/** Values of a gauge, each with its labels. */
export type GaugeValues = { gauge: Gauge; values: { labels: Record<string, string>; value: number }[] };

/** Reads gauges whose values are in a store. */
export type ReadGauges = () => Promise<GaugeValues[]>;

/** Sized for a few scrapers. */
const limits = {
  maxConnections: 20,
  requestTimeout: 5_000,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};
/** Several scrapers share a reading of the stores. */
const gaugesFreshMs = 5_000;

/** The part of a logger that is used here: packages/runtime has metrics itself. */
type Warns = { warn(fields: object, message: string): void };

const readers: ReadGauges[] = [];

/**
 * Adds gauges of the whole installation to the metrics of this process.
 *
 * @returns a function that removes them
 */
export function addGauges(read: ReadGauges): () => void {
  readers.push(read);
  return () => void readers.splice(readers.indexOf(read), 1);
}

/**
 * Serves the metrics of this process at `GET /metrics`, on a port of their own, in the text format of
 * Prometheus. Without a port nothing is measured.
 *
 * If the port is taken, the process works without the endpoint.
 * @returns a function that closes it
 */
export async function serveMetrics(
  { port, host }: { port: number; host: string },
  { app, logger }: { app: string; logger: Warns },
): Promise<() => void> {
  if (port === 0) return () => {};
  const client = await import('prom-client');
  const registry = new client.Registry();
  registry.setDefaultLabels({ app });
  client.collectDefaultMetrics({ register: registry });
  createMetrics(client, registry);
  const gauges = gaugeReader(client, registry, logger);
  const server = createServer(limits, (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (request.url?.split('?', 1)[0] !== '/metrics' || !isRead) {
      response.writeHead(isRead ? 404 : 405, { connection: 'close' }).end();
      return;
    }
    gauges()
      .then(async () => registry.metrics())
      .then((text) =>
        response
          .writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' })
          .end(text),
      )
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'the metrics could not be read');
        response.writeHead(500, { connection: 'close' }).end();
      });
  });
  server.maxConnections = limits.maxConnections;
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    logger.warn(
      { err: error, port },
      'the metrics endpoint could not be opened; this process goes on without it',
    );
    return () => {};
  }
  server.on('error', (error) => logger.warn({ err: error }, 'metrics endpoint'));
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

/**
 * Returns a function that sets the gauges to their present values. When a store does not answer, its gauges
 * are absent: an old value would look like a present one.
 */
function gaugeReader(
  client: typeof PromClient,
  registry: PromClient.Registry,
  logger: Warns,
): () => Promise<void> {
  let readAtMs = -Infinity;
  let reading: Promise<void> | undefined;
  let shown: string[] = [];
  const read = async () => {
    const outcomes = await Promise.allSettled(readers.map(async (one) => one()));
    for (const name of shown) registry.removeSingleMetric(name);
    shown = [];
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled')
        shown.push(...outcome.value.map((one) => setGauge(client, registry, one)));
      else
        logger.warn(
          { err: outcome.reason as unknown },
          'gauges could not be read; they are absent from the metrics',
        );
    }
    readAtMs = performance.now();
  };
  return async () => {
    if (readers.length === 0 || performance.now() - readAtMs < gaugesFreshMs) return;
    await (reading ??= read().finally(() => (reading = undefined)));
  };
}

function setGauge(
  client: typeof PromClient,
  registry: PromClient.Registry,
  { gauge: { name, help, labels }, values }: GaugeValues,
): string {
  const gauge = new client.Gauge({ name, help, labelNames: [...labels], registers: [registry] });
  for (const one of values) gauge.set(one.labels, one.value);
  return name;
}
