import type { RequestListener } from 'node:http';
import type * as PromClient from 'prom-client';
import { createMetrics, type Gauge } from './metric.ts';
import { openEndpoint, type Warns } from './openEndpoint.ts';

/** Values of a gauge, each with its labels. */
export type GaugeValues = { gauge: Gauge; values: { labels: Record<string, string>; value: number }[] };

/** Reads gauges whose values are in a store. */
export type ReadGauges = () => Promise<GaugeValues[]>;

/** Enough for a few scrapers. */
const maxConnections = 20;
/** Several scrapers share a reading of the stores. */
const gaugesFreshMs = 5_000;

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
  const listener: RequestListener = (request, response) => {
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
  };
  return openEndpoint(listener, { name: 'metrics', port, host, maxConnections, logger });
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
