import type { AddressInfo } from 'node:net';
import { prepareKeptResults } from '@bindery/content';
import { serveMetrics } from '@bindery/metrics';
import { awaitSchemaOrExit, connectMongo, disconnectMongo, mongoDatabase } from '@bindery/models';
import { createHttpServer, createLogger, loadConfig, reportReady, stopOnSignals } from '@bindery/runtime';
import { createBlobStore, StoreMisconfigured } from '@bindery/storage';
import { startTracing } from '@bindery/tracing';
import { createSiteApp } from './app.ts';
import { createCertificateFinder } from './hostnames/certificateFinder.ts';
import { createSitePlatform } from './sitePlatform.ts';

const stopGraceMs = 10_000;

const config = loadConfig();
const logger = createLogger(config, { app: 'site' });
const stopTracing = await startTracing(config.tracing, { app: 'site', logger });
const closeMetrics = await serveMetrics(config.metrics, { app: 'site', logger });
await connectMongo(config, { serves: 'requests' });
await awaitSchemaOrExit('the site', logger);
const blobs = createBlobStore(mongoDatabase(), config.storage);
const noAnswer = await blobs.checkAccess().catch((error: unknown) => {
  if (!(error instanceof StoreMisconfigured)) throw error;
  logger.fatal(`the site cannot start: ${error.message}`);
  process.exit(1);
});
if (noAnswer) logger.warn(`${noAnswer} Files and pictures are missing until it answers.`);
prepareKeptResults();
const platform = createSitePlatform({ config, blobs, log: logger });
const app = createSiteApp(platform);
const serverOptions = {
  maxConnections: config.api.maxConnections,
  refuse: ({ message }: { message: string }) => ({
    contentType: 'text/plain; charset=utf-8',
    body: `${message}\n`,
  }),
};
const { server, stop } = createHttpServer(app, serverOptions);
const { tlsPort } = config.hostnames;
const tls =
  tlsPort === 0
    ? undefined
    : createHttpServer(app, { ...serverOptions, findCertificate: createCertificateFinder(config.secrets) });
stopOnSignals(logger, {
  timeoutMs: stopGraceMs + 8_000,
  stop: async () => {
    const stops = tls ? [stop, tls.stop] : [stop];
    await Promise.all(stops.map(async (end) => end({ graceMs: stopGraceMs })));
    await Promise.all([platform.renderers.close(), platform.cards.close()]);
    await disconnectMongo();
    await stopTracing();
    closeMetrics();
  },
});
tls?.server.listen(tlsPort, config.api.host, () => logger.info({ port: tlsPort }, 'the site serves TLS'));
server.listen(config.sites.port, config.api.host, () => {
  const { port } = server.address() as AddressInfo;
  logger.info({ port }, 'the site is ready');
  reportReady({ port });
});
