import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../refusal.ts';
import { checkMongodb, checkRedis } from '../services/checkServices.ts';
import { mongodb } from '../services/mongodb.ts';
import { planMongod } from '../services/mongod.ts';
import { provideService, type Provided } from '../services/provideService.ts';
import { redis } from '../services/redis.ts';
import { ownRedisUrl, planRedisServer } from '../services/redisServer.ts';
import { ensureReplicaSet, moveMember, ownMongodbUri } from '../services/replicaSet.ts';
import type { Surroundings } from '../services/service.ts';
import { removeSocket } from '../services/storeSocket.ts';
import { cacheFolder } from './data-folder/folders.ts';
import type { Run } from './run.ts';
import { settleBoth } from './settleBoth.ts';
import { unlessStopped } from './stopSignal.ts';

export type Stores = {
  mongodbUri: string;
  redisUrl: string;
  /** Whether the launcher started the MongoDB and may create its first content. */
  ownsMongodb: boolean;
};

/**
 * Makes both stores ready: finds, installs and starts them, or checks those named by the environment.
 *
 * @param isEphemeral  the data is discarded at the end: nothing must be flushed to disk
 */
export async function startStores(
  run: Run,
  { folder, isEphemeral, redisDatabases }: { folder: string; isEphemeral: boolean; redisDatabases?: number },
): Promise<Stores> {
  const tools = { surroundings: surroundings(run.environment), say: run.say, signal: run.signal, folder };
  const [forMongodb, forRedis] = await bothOrRefusal([
    provideService(mongodb, tools),
    provideService(redis, tools),
  ]);
  const [mongodbUri, redisUrl] = await settleBoth([
    startMongodb(run, forMongodb, { folder, isEphemeral }),
    startRedis(run, forRedis, { folder, isEphemeral, redisDatabases }),
  ]);
  return { mongodbUri, redisUrl, ownsMongodb: forMongodb.kind === 'binary' };
}

/** Reports both if both are missing. */
async function bothOrRefusal(
  promises: [Promise<Provided>, Promise<Provided>],
): Promise<[Provided, Provided]> {
  const refusals = (await Promise.allSettled(promises)).flatMap((outcome) =>
    outcome.status === 'rejected' && outcome.reason instanceof Refusal ? [outcome.reason] : [],
  );
  if (refusals.length === 2) throw new Refusal(refusals.map(({ text }) => text).join('\n\n'), []);
  return Promise.all(promises);
}

/** Returns the properties of this machine that decide where stores come from. */
export function surroundings(environment: NodeJS.ProcessEnv): Surroundings {
  return { environment, machine: machineName(), cacheFolder };
}

/** Programs linked to glibc do not run on musl. */
function machineName(): string {
  const isMusl =
    process.platform === 'linux' && readdirSync('/lib').some((name) => name.startsWith('ld-musl-'));
  return `${process.platform}${isMusl ? 'musl' : ''}-${process.arch}`;
}

async function startMongodb(
  run: Run,
  provided: Provided,
  { folder, isEphemeral }: { folder: string; isEphemeral: boolean },
): Promise<string> {
  if (provided.kind === 'url') {
    run.say(`MongoDB: ${await unlessStopped(run.signal, checkMongodb(provided.url))}, named by MONGODB_URI`);
    return provided.url;
  }
  const { program, socket, alone, remember } = await planMongod(provided, {
    folder,
    environment: run.environment,
  });
  run.undo.defer(() => removeSocket(socket));
  if (alone) {
    run.say(`MongoDB: its data names another address; moving it to ${socket}`);
    const once = run.keep(alone);
    try {
      await unlessStopped(run.signal, once.ready);
      await unlessStopped(run.signal, moveMember(socket));
    } finally {
      await once.stop();
    }
  }
  await remember();
  run.say(`starting mongod on ${socket}, data in ${join(folder, mongodb.id)}`);
  const supervised = run.keep({ ...program, stopSignal: isEphemeral ? 'SIGKILL' : 'SIGTERM' });
  run.undo.defer(() => supervised.stop());
  await unlessStopped(run.signal, supervised.ready);
  await unlessStopped(run.signal, ensureReplicaSet(socket));
  return ownMongodbUri(socket);
}

async function startRedis(
  run: Run,
  provided: Provided,
  options: { folder: string; isEphemeral: boolean; redisDatabases?: number },
): Promise<string> {
  if (provided.kind === 'url') {
    const { version, warning } = await unlessStopped(run.signal, checkRedis(provided.url));
    run.say(`Redis: ${version}, named by REDIS_URL${warning ? `; ${warning}` : ''}`);
    return provided.url;
  }
  const { program, socket } = await planRedisServer(provided, {
    folder: options.folder,
    environment: run.environment,
    isPersistent: !options.isEphemeral,
    databases: options.redisDatabases,
  });
  run.undo.defer(() => removeSocket(socket));
  run.say(`starting redis on ${socket}`);
  const supervised = run.keep({ ...program, stopSignal: options.isEphemeral ? 'SIGKILL' : 'SIGTERM' });
  run.undo.defer(() => supervised.stop());
  await unlessStopped(run.signal, supervised.ready);
  return ownRedisUrl(socket);
}
