import type { AddressInfo } from 'node:net';
import { checkKinds, closeJobs, connectJobs, openJobFeed } from '@bindery/jobs';
import { serveMetrics } from '@bindery/metrics';
import { awaitSchemaOrExit, connectMongo, disconnectMongo, mongoDatabase } from '@bindery/models';
import { createLogger, loadConfig, reportReady, stopOnSignals } from '@bindery/runtime';
import { createBlobStore, StoreMisconfigured } from '@bindery/storage';
import { startTracing } from '@bindery/tracing';
import { createApp } from './app.ts';
import { createRateLimit } from './http/rate-limit/rateLimit.ts';
import { createApiServer } from './http/server.ts';
import { createPlatform } from './platform.ts';

const stopGraceMs = 20_000;

const config = loadConfig();
checkKinds(config);
const logger = createLogger(config, { app: 'api' });
const stopTracing = await startTracing(config.tracing, { app: 'api', logger });
const closeMetrics = await serveMetrics(config.metrics, { app: 'api', logger });
await connectMongo(config, { serves: 'requests' });
await awaitSchemaOrExit('the API', logger);
const blobs = createBlobStore(mongoDatabase(), config.storage);
const noAnswer = await blobs.checkAccess().catch((error: unknown) => {
  if (!(error instanceof StoreMisconfigured)) throw error;
  logger.fatal(`the API cannot start: ${error.message}`);
  process.exit(1);
});
if (noAnswer) logger.warn(`${noAnswer} Files can be neither read nor stored until it answers.`);
connectJobs(config);
const jobFeed = openJobFeed(config);
const stopping = new AbortController();
const platform = createPlatform({
  config,
  blobs,
  jobFeed,
  stopping: stopping.signal,
});
const rateLimit = createRateLimit(config);
const api = createApiServer(createApp(platform, { log: logger, rateLimit }), {
  maxConnections: config.api.maxConnections,
});
stopOnSignals(logger, {
  timeoutMs: stopGraceMs + 8_000,
  stop: async () => {
    stopping.abort();
    await api.stop({ graceMs: stopGraceMs });
    jobFeed.close();
    rateLimit?.close();
    await platform.outbound.close();
    await closeJobs();
    await disconnectMongo();
    await stopTracing();
    closeMetrics();
  },
});
api.server.listen(config.api.port, config.api.host, () => {
  const { port } = api.server.address() as AddressInfo;
  logger.info({ port }, 'the API is ready');
  reportReady({ port });
});
