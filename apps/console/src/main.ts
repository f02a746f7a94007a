import type { AddressInfo } from 'node:net';
import { serveMetrics } from '@bindery/metrics';
import { awaitSchemaOrExit, connectMongo, disconnectMongo } from '@bindery/models';
import { createHttpServer, createLogger, loadConfig, reportReady, stopOnSignals } from '@bindery/runtime';
import { startTracing } from '@bindery/tracing';
import { createConsoleApp } from './app.ts';

const stopGraceMs = 10_000;

const config = loadConfig();
const logger = createLogger(config, { app: 'console' });
const stopTracing = await startTracing(config.tracing, { app: 'console', logger });
const closeMetrics = await serveMetrics(config.metrics, { app: 'console', logger });
const stopping = new AbortController();
await connectMongo(config, { serves: 'requests' });
await awaitSchemaOrExit('the console', logger);
const { server, stop } = createHttpServer(
  createConsoleApp({ config, log: logger, stopping: stopping.signal }),
  {
    maxConnections: config.api.maxConnections,
    refuse: ({ message }) => ({ contentType: 'text/plain; charset=utf-8', body: `${message}\n` }),
  },
);
stopOnSignals(logger, {
  timeoutMs: stopGraceMs + 8_000,
  stop: async () => {
    stopping.abort();
    await stop({ graceMs: stopGraceMs });
    await disconnectMongo();
    await stopTracing();
    closeMetrics();
  },
});
server.listen(config.console.port, config.api.host, () => {
  const { port } = server.address() as AddressInfo;
  logger.info({ port }, 'the console is ready');
  reportReady({ port });
});
