import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { serveMetrics } from '@bindery/metrics';
import { awaitSchema, connectMongo, disconnectMongo, mongoDatabase, UnusableDatabase } from '@bindery/models';
import { createLogger, loadConfig, reportReady, stopOnSignals } from '@bindery/runtime';
import { createBlobStore } from '@bindery/storage';
import { startTracing } from '@bindery/tracing';
import { createSiteApp } from './app.ts';
import { createSitePlatform } from './sitePlatform.ts';

const stopGraceMs = 10_000;

const config = loadConfig();
const logger = createLogger(config, { app: 'site' });
const stopTracing = await startTracing(config.tracing, { app: 'site', logger });
const closeMetrics = await serveMetrics(config.metrics, { app: 'site', logger });
await connectMongo(config, { serves: 'requests' });
await awaitSchema((message) => logger.warn(`the site ${message}`)).catch((error: unknown) => {
  if (!(error instanceof UnusableDatabase)) throw error;
  logger.fatal(`the site cannot start: ${error.message}`);
  process.exit(1);
});
const platform = createSitePlatform({
  config,
  blobs: createBlobStore(mongoDatabase(), config.storage),
  log: logger,
});
const server = createServer(
  { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 },
  createSiteApp(platform),
);
server.maxConnections = config.api.maxConnections;
stopOnSignals(logger, {
  timeoutMs: stopGraceMs + 8_000,
  stop: async () => {
    const cut = setTimeout(() => server.closeAllConnections(), stopGraceMs);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
    clearTimeout(cut);
    await platform.renderers.close();
    await disconnectMongo();
    await stopTracing();
    closeMetrics();
  },
});
server.listen(config.api.port, config.api.host, () => {
  const { port } = server.address() as AddressInfo;
  logger.info({ port }, 'the site is ready');
  reportReady({ port });
});
