import { setTimeout as delay } from 'node:timers/promises';
import { acceptJob, openJobFeed } from '@bindery/jobs';
import { jobCollection, mongoDatabase } from '@bindery/models';
import { newId, type Config } from '@bindery/runtime';
import { median, quantile, type Row } from '../support/figures.ts';
import { startProgram } from '../support/programs.ts';
import { openFloor } from './floor.ts';
import { noopJobs } from './noopJob.ts';

export const rounds = 5;
export const latencyJobs = 150;
const gapMs = 20;
const throughputJobs = 2_000;
const callers = 50;

/** Measures jobs that do nothing beside the floor, alternately. The caller connects this process. */
export async function measureNoop(config: Config, environment: Record<string, string>): Promise<Row[]> {
  await mongoDatabase().createCollection('floorJobs');
  await mongoDatabase().createCollection('floorSubjects');
  const feed = openJobFeed(config);
  const floor = openFloor(config);
  await floor.ready();
  const acceptOurs = (n: number) =>
    acceptJob(noopJobs.doNothing, {
      organization: `organization-${n % 5}`,
      subject: { type: 'space', id: 'space' },
      startedBy: 'user',
      permission: 'space.view',
      input: { n },
      also: async (session) => {
        await mongoDatabase()
          .collection<{ _id: string }>('floorSubjects')
          .insertOne({ _id: newId() }, { session });
      },
    });

  async function oursAndWait(n: number): Promise<void> {
    const { _id } = await acceptOurs(n);
    for await (const { job } of feed.follow(_id, AbortSignal.timeout(30_000)))
      if (job.state === 'succeeded') return;
    throw new Error(`The job ${_id} did not end.`);
  }

  async function latencies(runOne: (n: number) => Promise<void>): Promise<number[]> {
    const samples: number[] = [];
    for (let n = 0; n < latencyJobs + 20; n += 1) {
      await delay(gapMs);
      const startedMs = performance.now();
      await runOne(n);
      // The first jobs warm up connections and code.
      if (n >= 20) samples.push(performance.now() - startedMs);
    }
    return samples;
  }

  /** Jobs per second: accepted by 50 callers while no worker runs, then processed by one. */
  async function throughput(
    accept: (n: number) => Promise<unknown>,
    { program, isDone }: { program: URL; isDone: () => Promise<boolean> },
  ): Promise<{ accepted: number; processed: number }> {
    let next = 0;
    const acceptStartedMs = performance.now();
    await Promise.all(
      Array.from({ length: callers }, async () => {
        while (next < throughputJobs) await accept(next++);
      }),
    );
    const accepted = throughputJobs / ((performance.now() - acceptStartedMs) / 1_000);
    const worker = await startProgram(program, environment);
    const startedMs = performance.now();
    await worker.ask('start');
    while (!(await isDone())) await delay(5);
    const processed = throughputJobs / ((performance.now() - startedMs) / 1_000);
    await worker.stop();
    return { accepted, processed };
  }

  const ourWorker = new URL('worker.ts', import.meta.url);
  const floorWorker = new URL('floorWorker.ts', import.meta.url);
  const reference = { latency: [] as number[], accepted: [] as number[], processed: [] as number[] };
  const ours = { latency: [] as number[], accepted: [] as number[], processed: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    console.error(`round ${round + 1} of ${rounds}`);
    const workers = await Promise.all([
      startProgram(floorWorker, environment),
      startProgram(ourWorker, environment),
    ]);
    for (const worker of workers) await worker.ask('start');
    reference.latency.push(...(await latencies(floor.acceptAndWait)));
    ours.latency.push(...(await latencies(oursAndWait)));
    await Promise.all(workers.map((worker) => worker.stop()));

    await floor.jobs.deleteMany({});
    const floorResult = await throughput(floor.accept, {
      program: floorWorker,
      isDone: async () => (await floor.jobs.findOne({ state: { $ne: 'succeeded' } })) === null,
    });
    reference.accepted.push(floorResult.accepted);
    reference.processed.push(floorResult.processed);
    await jobCollection().deleteMany({});
    const ourResult = await throughput(acceptOurs, {
      program: ourWorker,
      isDone: async () => (await jobCollection().findOne({ state: { $ne: 'succeeded' } })) === null,
    });
    ours.accepted.push(ourResult.accepted);
    ours.processed.push(ourResult.processed);
  }

  await jobCollection().deleteMany({});
  feed.close();
  await floor.close();
  const p50 = { reference: median(reference.latency), ours: median(ours.latency) };
  const p99 = { reference: quantile(reference.latency, 0.99), ours: quantile(ours.latency, 0.99) };
  const accepted = { reference: median(reference.accepted), ours: median(ours.accepted) };
  const processed = { reference: median(reference.processed), ours: median(ours.processed) };
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  const perSecond = (value: number) => `${Math.round(value)} /s`;
  return [
    {
      name: `accept to completed seen, p50, ${gapMs} ms between jobs`,
      reference: ms(p50.reference),
      ours: ms(p50.ours),
      ratio: p50.ours / p50.reference,
      goal: 'floor + 1 ms',
      isMet: p50.ours <= p50.reference + 1,
    },
    {
      name: 'the same, p99',
      reference: ms(p99.reference),
      ours: ms(p99.ours),
      ratio: p99.ours / p99.reference,
      goal: '<= 1.5',
      isMet: p99.ours <= 1.5 * p99.reference,
    },
    {
      name: `accepted by ${callers} callers`,
      reference: perSecond(accepted.reference),
      ours: perSecond(accepted.ours),
      ratio: accepted.ours / accepted.reference,
      goal: '>= 0.9',
      isMet: accepted.ours >= 0.9 * accepted.reference,
    },
    {
      name: 'no-op jobs processed by one worker, concurrency 50',
      reference: perSecond(processed.reference),
      ours: perSecond(processed.ours),
      ratio: processed.ours / processed.reference,
      goal: '>= 0.9',
      isMet: processed.ours >= 0.9 * processed.reference,
    },
  ];
}
