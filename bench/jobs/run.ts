import { closeJobs, connectJobs } from '@bindery/jobs';
import { connectMongo, disconnectMongo, ensureIndexes } from '@bindery/models';
import { connectRedis, loadConfig } from '@bindery/runtime';
import { writeReport, type Row } from '../support/figures.ts';
import { startBenchStores } from '../support/stores.ts';
import { measureBacklog } from './backlog.ts';
import { measureFairness } from './fairness.ts';
import { measureListeners } from './listeners.ts';
import { measureLastWrite } from './lastWrite.ts';
import { latencyJobs, measureNoop, rounds } from './noop.ts';
import { measureScaling } from './scaling.ts';
import { measureStorage } from './storage.ts';

// `npm run bench:jobs` measures everything and writes the report; `npm run bench:jobs -- listeners noop`
// measures these parts and prints their rows.

const stores = await startBenchStores();
const environment = {
  MONGODB_URI: stores.mongodbUri,
  REDIS_URL: stores.redisUrl,
  BINDERY_SECRET_KEY: '00'.repeat(32),
  LOG_LEVEL: 'error',
};
const config = loadConfig(environment);
await connectMongo(config);
await ensureIndexes();
connectJobs(config);

const parts: Record<string, () => Promise<Row[]>> = {
  noop: () => measureNoop(config, environment),
  fairness: () => measureFairness(environment),
  scaling: () => measureScaling(environment),
  backlog: () => measureBacklog(connectRedis(config, 'worker')),
  // Runs before the benchmarks that leave content behind, which would be swept too.
  storage: () => measureStorage(environment).then(() => []),
  listeners: () => measureListeners(config, environment),
  imports: () => measureLastWrite(environment),
};
const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !(name in parts));
if (unknown !== undefined)
  throw new Error(`There is no part ${unknown}; the parts are ${Object.keys(parts).join(', ')}.`);
const rows: Row[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.error(name);
  rows.push(...(await measure()));
}
await writeReport(chosen.length === 0 ? 'jobs.md' : undefined, {
  title: 'The job layer against its floor',
  intro: `The floor is the least that a durable job costs with these stores: one transaction of two inserts, one BullMQ add, one claim, one finish, one event. Both ran alternately, ${rounds} rounds, the worker in a process of its own, writes majority and journaled, Redis with AOF every second.`,
  rows,
  notes: [
    `No-op jobs: medians of ${rounds} rounds; latencies over ${rounds * latencyJobs} jobs each.`,
    'The floor reads nothing. A job of ours is also read twice: its worker checks that the space still belongs to its organization, and the caller reads the ended job, because Redis carries only its id.',
    'Waiting jobs of 50 ms: the processes share two processors with MongoDB and Redis. Between two jobs, a slot waits for two journaled writes, the end of one and the claim of the next.',
    'Longest gaps of a timer: on a busy machine an idle process has them too, also without the time in which it waits for a processor. The work of the worker in one turn does not depend on the load.',
    'A listener holds its connection and about 25 KB of objects. The growth of resident memory also has the garbage of a thousand simultaneous requests and of the logs read for them (1 GB), which Node collects when it sees fit.',
  ],
});

await closeJobs();
await disconnectMongo();
await stores.stop();
process.exit();
