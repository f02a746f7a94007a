import type { AddressInfo } from 'node:net';
import { serveMetrics } from '@bindery/metrics';
import { awaitSchema, connectMongo, disconnectMongo, mongoDatabase, UnusableDatabase } from '@bindery/models';
import { createHttpServer, createLogger, loadConfig, reportReady, stopOnSignals } from '@bindery/runtime';
import { createBlobStore, StoreMisconfigured } from '@bindery/storage';
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
const blobs = createBlobStore(mongoDatabase(), config.storage);
const noAnswer = await blobs.checkAccess().catch((error: unknown) => {
  if (!(error instanceof StoreMisconfigured)) throw error;
  logger.fatal(`the site cannot start: ${error.message}`);
  process.exit(1);
});
if (noAnswer) logger.warn(`${noAnswer} Files and pictures are missing until it answers.`);
const platform = createSitePlatform({ config, blobs, log: logger });
const { server, stop } = createHttpServer(createSiteApp(platform), {
  maxConnections: config.api.maxConnections,
  refuse: ({ message }) => ({ contentType: 'text/plain; charset=utf-8', body: `${message}\n` }),
});
stopOnSignals(logger, {
  timeoutMs: stopGraceMs + 8_000,
  stop: async () => {
    await stop({ graceMs: stopGraceMs });
    await platform.renderers.close();
    await disconnectMongo();
    await stopTracing();
    closeMetrics();
  },
});
server.listen(config.sites.port, config.api.host, () => {
  const { port } = server.address() as AddressInfo;
  logger.info({ port }, 'the site is ready');
  reportReady({ port });
});
