import { closeJobs, connectJobs } from '@bindery/jobs';
import { connectMongo, disconnectMongo, ensureIndexes, mongoDatabase } from '@bindery/models';
import { loadConfig } from '@bindery/runtime';
import { createBlobStore } from '@bindery/storage';
import { startApp } from '../support/processes/appProcess.ts';
import { startThrowAwayStores } from '../support/stores/throwAwayStores.ts';
import type { WorldApi } from '../support/worldMakers.ts';

/** A real API process on stores of its own, and what is needed here to fill it. */
export async function startFuzzedApi(): Promise<
  WorldApi & { origin: string; lines: string[]; stop(): Promise<void> }
> {
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...own } = process.env;
  const stores = await startThrowAwayStores({
    environment: own,
    prefix: 'bindery-fuzz-',
    say: (line) => console.log(`stores: ${line}`),
  });
  const environment = {
    ...own,
    MONGODB_URI: stores.mongodbUri,
    REDIS_URL: stores.redisUrl,
    BINDERY_SECRET_KEY: '00'.repeat(32),
    BINDERY_PUBLIC_URL: 'http://api.test',
    PORT: '0',
    BINDERY_RATE_LIMIT_POINTS: '0',
    BINDERY_TRUST_PROXY: 'loopback',
    LOG_LEVEL: 'info',
  };
  const config = loadConfig(environment);
  await connectMongo(config);
  await ensureIndexes();
  connectJobs(config);
  const blobs = createBlobStore(mongoDatabase());
  await blobs.prepare();
  const app = await startApp('api', environment);
  const origin = `http://127.0.0.1:${app.port}`;
  return {
    origin,
    blobs,
    lines: app.lines,
    call: async (method, path, { token = null, json } = {}) => {
      const response = await fetch(origin + path, {
        method,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const text = bytes.toString();
      return {
        status: response.status,
        headers: response.headers,
        text,
        bytes,
        body: text === '' ? undefined : JSON.parse(text),
      };
    },
    stop: async () => {
      app.signal('SIGTERM');
      await app.ended;
      await closeJobs();
      await disconnectMongo();
      await stores.stop();
    },
  };
}
