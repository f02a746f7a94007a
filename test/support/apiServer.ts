import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { ErrorBody } from '@bindery/contract';
import { closeJobs, connectJobs, openJobFeed } from '@bindery/jobs';
import {
  connectMongo,
  disconnectMongo,
  ensureIndexes,
  jobCollection,
  mongoDatabase,
  SchemaVersion,
  watchTransactions,
  WorkerEntry,
} from '@bindery/models';
import { connectRedis, loadConfig, scrubSecrets, type Config } from '@bindery/runtime';
import { createBlobStore, type BlobStore } from '@bindery/storage';
import { pino } from 'pino';
import { expect } from 'vitest';
import { createApp } from '../../apps/api/src/app.ts';
import type { Answer } from '../../apps/api/src/http/answer/answer.ts';
import type { Route } from '../../apps/api/src/http/scope.ts';
import { createRateLimit } from '../../apps/api/src/http/rate-limit/rateLimit.ts';
import { createApiServer } from '../../apps/api/src/http/server.ts';
import { createPlatform } from '../../apps/api/src/platform.ts';
import { checkAnswer } from './http/httpApp.ts';

/** The API's URL in answers; requests to it are sent to the actual port of the test's server. */
const publicUrl = 'http://api.test';

export type ApiCall = {
  token?: string | null | undefined;
  json?: unknown;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  redirect?: 'follow' | 'manual';
  signal?: AbortSignal;
};

export type ApiAnswer = { status: number; headers: Headers; text: string; bytes: Buffer; body: any }; // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

/** The whole API as started by main.ts, on a free port, with real stores. */
export type TestApi = {
  origin: string;
  config: Config;
  blobs: BlobStore;
  /** All log lines, as they leave the process. */
  logLines: string[];
  /** Calls a path, or an API URL from an answer. */
  call(method: string, path: string, options?: ApiCall): Promise<ApiAnswer>;
  /** The same without reading the body. */
  open(method: string, path: string, options?: ApiCall): Promise<Response>;
  /** The number of requests whose answers have not ended. */
  runningRequests(): number;
  /** Runs the first step of a shutdown. */
  beginStop(): void;
  close(): Promise<void>;
};

type ApiOptions = {
  environment?: Record<string, string>;
  mongoTimeoutMs?: number;
  onAnswer?: (route: Route, answer: Answer) => void;
};

let shared: TestApi | undefined;

/**
 * Returns the API with the usual configuration, which the files of this test process share, one at a time.
 * Each file finds it without data and without jobs.
 *
 * It ends when another API or a lab needs this process's connections to the stores (`endSharedApi`).
 */
export async function sharedApi(): Promise<TestApi> {
  if (!shared) return (shared = await startApi());
  await endLeftTransactions();
  await emptyDatabase();
  await dropJobs(shared.config);
  shared.logLines.length = 0;
  return shared;
}

/**
 * Ends the shared API, if it runs: connections, queues and configuration belong to one platform per process
 * at a time.
 */
export async function endSharedApi(): Promise<void> {
  const api = shared;
  shared = undefined;
  await api?.close();
}

const indexed = new Set<string>();

/**
 * Connects this process to MongoDB for an API or a lab of its own: ends the shared API, creates indexes and
 * removes jobs.
 */
export async function connectStores(config: Config, { timeoutMs = 10_000 } = {}): Promise<void> {
  await endSharedApi();
  await connectMongo(config, { timeoutMs });
  await endLeftTransactions();
  // Indexes last for the life of the process, and checking all of them takes a while.
  if (!indexed.has(config.mongo.uri)) await ensureIndexes();
  indexed.add(config.mongo.uri);
  await dropJobs(config);
}

/**
 * Starts an API for tests that need their own.
 *
 * @param environment  overrides of configuration variables
 * @param mongoTimeoutMs  how long a query waits for an unavailable MongoDB
 * @param onAnswer  called with each answer of an operation, after its check against the schema
 */
export async function startApi({
  environment = {},
  mongoTimeoutMs = 10_000,
  onAnswer,
}: ApiOptions = {}): Promise<TestApi> {
  const config = loadConfig({
    ...process.env,
    BINDERY_PUBLIC_URL: publicUrl,
    LOG_LEVEL: 'info',
    ...environment,
  });
  await connectStores(config, { timeoutMs: mongoTimeoutMs });
  const blobs = createBlobStore(mongoDatabase(), config.storage);
  await blobs.prepare();
  await emptyDatabase();
  connectJobs(config);
  const jobFeed = openJobFeed(config);
  const stopping = new AbortController();
  const platform = createPlatform({ config, blobs, jobFeed, stopping: stopping.signal });
  const logLines: string[] = [];
  const log = pino(
    { level: config.log.level },
    { write: (line: string) => void logLines.push(scrubSecrets(line)) },
  );
  const rateLimit = createRateLimit(config);
  const app = createApp(platform, {
    log,
    rateLimit,
    onAnswer: (route, answer) => {
      checkAnswer(route, answer);
      onAnswer?.(route, answer);
    },
  });
  const { server, stop } = createApiServer(app, { maxConnections: 200 });
  let running = 0;
  server.on('request', (_request, response) => {
    running += 1;
    response.once('close', () => (running -= 1));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const open: TestApi['open'] = (
    method,
    path,
    { token = null, json, headers = {}, body, redirect = 'manual', signal } = {},
  ) =>
    fetch(path.startsWith(publicUrl) ? path.replace(publicUrl, origin) : origin + path, {
      method,
      redirect,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined && { body }),
      ...(signal && { signal }),
    });

  return {
    origin,
    config,
    blobs,
    logLines,
    open,
    call: async (method, path, options) => {
      const response = await open(method, path, options);
      const bytes = Buffer.from(await response.arrayBuffer());
      const isJson = response.headers.get('content-type')?.startsWith('application/json') && bytes.length > 0;
      const text = bytes.toString();
      const body = isJson ? JSON.parse(text) : undefined;
      if (response.status >= 400 && path.startsWith('/v1') && method !== 'HEAD')
        checkRefusal(response.status, body);
      return { status: response.status, headers: response.headers, text, bytes, body };
    },
    runningRequests: () => running,
    beginStop: () => stopping.abort(),
    close: async () => {
      stopping.abort();
      await stop({ graceMs: 0 });
      jobFeed.close();
      rateLimit?.close();
      await platform.outbound.close();
      await closeJobs();
      await disconnectMongo();
    },
  };
}

/** Checks that a refusal has the common shape, and reveals no internals. */
function checkRefusal(status: number, body: unknown): void {
  const text = JSON.stringify(body);
  if (!isDeepStrictEqual(body, ErrorBody.parse(body)) || ErrorBody.parse(body).error.code !== status)
    throw new Error(`${status} has the body ${text}.`);
  if (/node_modules|\.ts:\d|Mongo|127\.0\.0\.1/.test(text))
    throw new Error(`A refusal tells too much: ${text}.`);
}

/** Ends open transactions: one of a killed process locks its records for a minute. */
export async function endLeftTransactions(): Promise<void> {
  await watchTransactions()(0);
}

let emptiedFor: string | undefined;

/** Removes the data of earlier files, so that they do not slow down this one. Data of this file stays. */
export async function emptyDatabase(): Promise<void> {
  const { testPath } = expect.getState();
  if (emptiedFor === testPath) return;
  emptiedFor = testPath;
  const collections = (await mongoDatabase().collections()).filter(
    // MongoDB's own, such as the list of views that a test has left; and the version of the schema, without
    // which a database counts as one of an earlier platform.
    ({ collectionName: name }) => !name.startsWith('system.') && name !== SchemaVersion.collection.name,
  );
  await Promise.all(collections.map(async (collection) => collection.deleteMany({})));
}

/**
 * Removes all jobs, because the files of this test worker share the stores: the workers of one must not find
 * jobs of another.
 */
async function dropJobs(config: Config): Promise<void> {
  const redis = connectRedis(config, 'worker');
  await redis.flushdb();
  redis.disconnect();
  await jobCollection().deleteMany({});
  await WorkerEntry.deleteMany({});
}
