import type { EngineOffer } from '@bindery/contract';
import {
  awaitRedis,
  checkKinds,
  closeJobs,
  connectJobs,
  pingRedis,
  startWorker,
  type Processors,
  type RunningWorker,
} from '@bindery/jobs';
import { serveMetrics } from '@bindery/metrics';
import {
  awaitSchema,
  connectMongo,
  disconnectMongo,
  forgetFailingApp,
  mongoDatabase,
  noteFailingApp,
  pingMongo,
  UnusableDatabase,
  upgradeDatabase,
} from '@bindery/models';
import {
  createLogger,
  describeIsolation,
  findIsolation,
  loadConfig,
  reapOrphans,
  reportReady,
  stopOnSignals,
  type Config,
  type Logger,
  messageOf,
  noteUnless,
} from '@bindery/runtime';
import { createBlobStore, StoreMisconfigured, type BlobStore } from '@bindery/storage';
import { startTracing } from '@bindery/tracing';
import { containerNeeds, type WorkerDescription, type WorkerJobs } from './description.ts';
import { startHealthServer } from './healthServer.ts';
import { findShortages, readContainerLimits } from './shortages.ts';

/** The parts that processors are made of. The stores are connected. */
export type WorkerParts = {
  config: Config;
  logger: Logger;
  blobs: BlobStore;
  /**
   * Registers a function to call after the last job and before the stores are closed, concurrently with all
   * others.
   */
  onStop(stop: () => void | Promise<void>): void;
  /**
   * Tells other processes what the results of this worker depend on besides their input, such as the version
   * of a renderer: a result of another version is not used again (`outputVersionsOf`).
   */
  setOutputVersion(version: string): void;
  /** Tells other processes which engines this worker translates with, and which did not start. */
  setEngines(engines: readonly EngineOffer[]): void;
};

/**
 * The time after the grace period of running jobs for handing back jobs and stopping everything else in the
 * process.
 */
const afterGraceMs = 15_000;

/** The longest time that a worker takes to stop; then it ends itself. */
export function longestStopMs({ jobs }: Config): number {
  return jobs.shutdownGraceMs + afterGraceMs;
}

/**
 * Runs a worker as a process, from its configuration to its end: the whole of its main.ts.
 *
 * The process exits with 0 when it is told to stop, and with 1 and one log line when it cannot start. It does
 * start without Redis: jobs wait until Redis answers.
 *
 * @param build  makes the processors, exactly one for each job type, and starts everything else that runs in
 *   the process
 */
export async function runWorkerApp<Jobs extends WorkerJobs, Made extends Processors<Jobs>>(
  worker: WorkerDescription<Jobs>,
  build: (parts: WorkerParts) => ExactlyFor<Jobs, Made> | Promise<ExactlyFor<Jobs, Made>>,
): Promise<void> {
  const config = loadOrExit(worker.app);
  const logger = createLogger(config, worker);
  const undo = new AsyncDisposableStack();
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= undo.disposeAsync());
  let running: RunningWorker | undefined;
  const fail = async () => running?.fail();
  stopOnSignals(logger, { stop, fail, timeoutMs: longestStopMs(config) });
  try {
    running = await start(worker as WorkerDescription, build as Build, { config, logger, undo });
  } catch (error) {
    // Stopped during the start: it failed because its stores were closed.
    if (stopped) return;
    logger.fatal(
      error instanceof StartProblem ? {} : { err: error },
      `${worker.app} cannot start: ${messageOf(error)}`,
    );
    if (error instanceof StartProblem && error.reason) await tellReason(worker.app, error.reason);
    await stop().catch(() => {});
    process.exit(1);
  }
}

/** How long a container that fails at its start may pause before the next one. */
const longestPauseMs = 60_000;

/**
 * Tells why the worker does not run: its launcher, which knows when it starts again, or without one the API
 * through MongoDB.
 */
async function tellReason(app: string, reason: string): Promise<void> {
  if (process.connected) await new Promise<unknown>((resolve) => process.send?.({ failed: reason }, resolve));
  else
    await noteFailingApp(app, { reason, deaths: 1, pauseMs: longestPauseMs, pid: process.pid }).catch(
      () => {},
    );
}

/** Rejects processors without a job type at compile time. */
type ExactlyFor<Jobs, Made> = Made & { [Name in Exclude<keyof Made, keyof Jobs>]: never };

type Build = (parts: WorkerParts) => Promise<Processors<WorkerJobs>>;

/**
 * Each step is undone in reverse order: the worker stops first, the stores close last, and the health
 * endpoint answers to the end.
 */
async function start(
  worker: WorkerDescription,
  build: Build,
  { config, logger, undo }: { config: Config; logger: Logger; undo: AsyncDisposableStack },
): Promise<RunningWorker> {
  let isRegistered = () => false;
  let pingBlobs = async () => {};
  const checks = {
    mongodb: () => pingMongo(1_500),
    redis: () => pingRedis(1_500),
    worker: async () => {
      if (!isRegistered()) throw new Error('The worker is not registered.');
    },
    // Without S3 it runs jobs without files; the others are tried again.
    ...(config.storage.s3 && {
      s3: noteUnless(async () => pingBlobs(), 'unreachable: jobs with files fail, and are tried again'),
    }),
  };
  undo.defer(await startHealthServer(config, { checks, logger }));
  undo.defer(await serveMetrics(config.metrics, { app: worker.app, logger }));
  undo.defer(await startTracing(config.tracing, { app: worker.app, logger }));

  await connectMongo(config).catch((error: unknown) => {
    throw new StartProblem(`MongoDB cannot be used: ${messageOf(error)} (MONGODB_URI).`, { cause: error });
  });
  undo.defer(disconnectMongo);
  await prepareDatabase(worker, logger);
  connectJobs(config);
  undo.defer(closeJobs);
  awaitRedis().catch((error: unknown) =>
    logger.warn(
      `Redis cannot be used: ${messageOf(error)} (REDIS_URL). Jobs wait until it can; the worker keeps trying.`,
    ),
  );
  await reapOrphans(config.children.firstUid);
  logger.info(describeIsolation(findIsolation(config.children.firstUid)));

  const stops: (() => void | Promise<void>)[] = [];
  undo.defer(() => stopAll(stops));
  const blobs = createBlobStore(mongoDatabase(), config.storage);
  pingBlobs = blobs.ping;
  const noAnswer = await blobs.checkAccess().catch((error: unknown) => {
    throw error instanceof StoreMisconfigured ? new StartProblem(error.message, { cause: error }) : error;
  });
  if (noAnswer) logger.warn(`${noAnswer} Jobs with files fail, and are tried again, until it answers.`);
  let outputVersion: string | undefined;
  let engines: readonly EngineOffer[] | undefined;
  const processors = await build({
    config,
    logger,
    blobs,
    onStop: (one) => void stops.push(one),
    setOutputVersion: (version) => void (outputVersion = version),
    setEngines: (offers) => void (engines = offers),
  });
  const { app, jobs } = worker;
  const needs = containerNeeds(worker, config);
  const running = await startWorker(jobs, processors, {
    app,
    concurrency: needs.jobsAtOnce,
    outputVersion,
    engines,
    config,
    logger,
  });
  undo.defer(() => running.stop(config.jobs.shutdownGraceMs));
  isRegistered = running.isRegistered;
  // Without a launcher, which does the same, nobody else withdraws what an earlier process told.
  if (!process.connected) await forgetFailingApp(app);
  for (const shortage of findShortages(needs, await readContainerLimits())) logger.warn(shortage);
  logger.info({ worker: running.id }, `${app} is ready`);
  reportReady();
  return running;
}

/** Upgrades the database, or waits for that where the worker must. @throws StartProblem */
async function prepareDatabase({ upgradesDatabase }: WorkerDescription, logger: Logger): Promise<void> {
  const work = upgradesDatabase
    ? upgradeDatabase((step) => logger.info(step, 'upgrades the database'))
    : awaitSchema((message) => logger.warn(message));
  await work.catch((error: unknown) => {
    throw error instanceof UnusableDatabase ? new StartProblem(error.message, { cause: error }) : error;
  });
}

/** Calls all functions, also when one fails. */
async function stopAll(stops: readonly (() => void | Promise<void>)[]): Promise<void> {
  const outcomes = await Promise.allSettled(stops.map(async (stop) => stop()));
  const errors = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  );
  if (errors.length > 0) throw new AggregateError(errors, 'Parts of the process did not stop.');
}

/**
 * A start failure whose message says everything; its stack is not logged. `reason` goes to every reader, who
 * waits for a job of this worker: it contains no path, address or log line.
 */
export class StartProblem extends Error {
  readonly reason: string | undefined;
  constructor(message: string, { reason, cause }: { reason?: string; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

function loadOrExit(app: string): Config {
  try {
    const config = loadConfig();
    checkKinds(config);
    return config;
  } catch (error) {
    // The configuration, and with it the log level, could not be read.
    createLogger({ log: { level: 'info' } }, { app }).fatal(`${app} cannot start: ${messageOf(error)}`);
    process.exit(1);
  }
}
