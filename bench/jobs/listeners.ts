import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { createSpace } from '@bindery/content';
import { acceptJob } from '@bindery/jobs';
import { jobCollection, type JobLogLine, type JobRecord } from '@bindery/models';
import { appMemoryVariables, appNodeOptions, connectRedis, type Config } from '@bindery/runtime';
import { buildOrganization, buildToken } from '../../test/support/factories.ts';
import { findsDuring } from '../../test/support/stores/examined.ts';
import { addLog } from '../../test/support/processes/loggedJob.ts';
import { oplogDuring } from '../../test/support/stores/oplog.ts';
import { claimJob } from '../../packages/jobs/src/state/claims.ts';
import { writeReport } from '../../packages/jobs/src/state/transitions.ts';
import type { Row } from '../support/figures.ts';
import { noopJobs } from './noopJob.ts';

const listenerCount = 1_000;
const logLines = 1_000;
const goal = { endMs: 1_000, memoryMb: 100, bytesPerLine: 2_000 };
const lineText = 'x'.repeat(1_000);

/**
 * Measures a thousand readers of server-sent events in one API process, all on one job with a full log and
 * each on a job of its own; and how many bytes a further line adds to the oplog when the log is full.
 */
export async function measureListeners(config: Config, environment: Record<string, string>): Promise<Row[]> {
  const { organization, admin } = await buildOrganization();
  const { token } = await buildToken(admin.user);
  const space = await createSpace({
    organization: organization._id,
    createdBy: admin.user._id,
    title: 'Space',
  });
  const newJob = () => acceptRunningJob(organization._id, space._id);
  const rows: Row[] = [];
  console.error('listeners: one on one job');
  const alone = await listen([await newJob()], { config, environment, token });
  for (const [name, jobs] of [
    ['one job', Array<JobRecord>(listenerCount).fill(await newJob())],
    ['as many jobs', await Promise.all(Array.from({ length: listenerCount }, newJob))],
  ] as const) {
    console.error(`listeners: ${listenerCount} on ${name}`);
    const { endMs, heldMb, memoryMb, readsPerJob } = await listen(jobs, { config, environment, token });
    const what = `${listenerCount} listeners on ${name} with a full log`;
    rows.push(
      {
        name: `${what}: the end seen by the last`,
        reference: `${Math.round(alone.endMs)} ms (one listener)`,
        ours: `${Math.round(endMs)} ms`,
        ratio: endMs / alone.endMs,
        goal: `<= ${goal.endMs} ms`,
        isMet: endMs <= goal.endMs,
      },
      {
        name: `${what}: memory that they hold in the API, after a collection of garbage`,
        reference: `${alone.heldMb.toFixed(1)} MB (one listener)`,
        ours: `${Math.round(heldMb)} MB`,
        ratio: heldMb / goal.memoryMb,
        goal: `<= ${goal.memoryMb} MB`,
        isMet: heldMb <= goal.memoryMb,
      },
      {
        name: `${what}: growth of the API's resident memory at most, with garbage`,
        reference: `${Math.round(alone.memoryMb)} MB (one listener)`,
        ours: `${Math.round(memoryMb)} MB`,
        ratio: memoryMb / goal.memoryMb,
        goal: `<= ${goal.memoryMb} MB`,
        isMet: memoryMb <= goal.memoryMb,
      },
      {
        name: `${what}: reads of a job for its end`,
        reference: alone.readsPerJob.toFixed(2),
        ours: readsPerJob.toFixed(2),
        ratio: readsPerJob / alone.readsPerJob,
        goal: '<= 2',
        isMet: readsPerJob <= 2,
      },
    );
  }
  const bytes = await bytesPerLine(await newJob());
  rows.push({
    name: 'a line of 1,000 characters on a full log: bytes of the oplog',
    reference: `${lineText.length}`,
    ours: `${Math.round(bytes)}`,
    ratio: bytes / lineText.length,
    goal: `<= ${goal.bytesPerLine}`,
    isMet: bytes <= goal.bytesPerLine,
  });
  return rows;
}

type Listening = { config: Config; environment: Record<string, string>; token: string };

/**
 * Starts a listener on each entry of `jobs`, which may repeat a job. All jobs end at once as soon as every
 * listener has seen its log.
 */
async function listen(
  jobs: readonly JobRecord[],
  { config, environment, token }: Listening,
): Promise<{ endMs: number; heldMb: number; memoryMb: number; readsPerJob: number }> {
  const api = await startApi(environment);
  const agent = new Agent({ maxSockets: Infinity });
  const redis = connectRedis(config, 'worker');
  const ids = [...new Set(jobs.map(({ _id }) => _id))];
  try {
    // The first request takes longer: the API compiles its code and opens its connections.
    const { organization, subject } = jobs[0]!;
    const first = await acceptRunningJob(organization, subject.id);
    await (
      await follow(`${api.origin}/v1/jobs/${first._id}/events`, { agent, token })
    ).shown;
    const startHeldMb = await api.heldMb();
    const startMb = await api.residentMb();
    let peakMb = startMb;
    const sampling = setInterval(
      () => void api.residentMb().then((mb) => (peakMb = Math.max(peakMb, mb))),
      100,
    );
    const listeners = await Promise.all(
      jobs.map(({ _id }) => follow(`${api.origin}/v1/jobs/${_id}/events`, { agent, token })),
    );
    await Promise.all(listeners.map(({ shown }) => shown));
    const heldMb = (await api.heldMb()) - startHeldMb;
    let endMs = 0;
    const finds = await findsDuring('jobs', async () => {
      const startedMs = performance.now();
      await jobCollection().updateMany({ _id: { $in: ids } }, [
        { $set: { state: 'succeeded', finishedAt: '$$NOW', seq: { $add: ['$seq', 1] } } },
      ]);
      for (const id of ids)
        void redis.publish(`${config.redis.prefix}:jobs`, JSON.stringify({ ids: [id], type: 'changed' }));
      await Promise.all(listeners.map(({ ended }) => ended));
      endMs = performance.now() - startedMs;
    });
    clearInterval(sampling);
    const whole = finds.filter(({ command }) => !Object.values(command.projection ?? {}).includes(1));
    const readsPerJob = whole.reduce((sum, { nreturned = 0 }) => sum + nreturned, 0) / ids.length;
    return { endMs, heldMb, memoryMb: peakMb - startMb, readsPerJob };
  } finally {
    agent.destroy();
    redis.disconnect();
    await api.stop();
  }
}

/**
 * Opens a stream. `shown` resolves when its first event is complete, `ended` when an event says that the job
 * has ended.
 */
async function follow(
  url: string,
  { agent, token }: { agent: Agent; token: string },
): Promise<{ shown: Promise<void>; ended: Promise<void> }> {
  const request = get(url, { agent, headers: { authorization: `Bearer ${token}` } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`A stream was refused with ${response.statusCode}.`);
  const [shown, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => {
    if (chunk.subarray(-endOfEvent.length).equals(endOfEvent)) shown.resolve();
    if (chunk.includes('"state":"succeeded"')) ended.resolve();
  });
  return { shown: shown.promise, ended: ended.promise };
}

/** A ping ends without the brackets. */
const endOfEvent = Buffer.from(']}\n\n');

async function startApi(environment: Record<string, string>) {
  const child = fork(new URL('api.ts', import.meta.url), {
    env: { ...process.env, ...appMemoryVariables, ...environment, PORT: '0' },
    execArgv: [...appNodeOptions, '--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    origin: `http://127.0.0.1:${port}`,
    residentMb: async () =>
      Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024,
    /** The memory of its objects and buffers, without garbage. */
    heldMb: async () => {
      const answer = once(child, 'message');
      child.send('memory');
      return ((await answer) as [{ heldMb: number }])[0].heldMb;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function bytesPerLine({ _id, dispatch }: JobRecord): Promise<number> {
  await jobCollection().updateOne({ _id }, { $set: { state: 'queued' } });
  const known = [{ kind: noopJobs.doNothing.kind, version: 1 }];
  const claim = await claimJob(
    { id: _id, dispatch },
    { worker: 'bench', known, deadlineMs: () => 60_000, leaseMs: 60_000 },
  );
  if ('refused' in claim) throw new Error('The job could not be claimed.');
  const { epoch } = claim.job;
  const lines = 100;
  const bytes = await oplogDuring(async () => {
    for (let n = 0; n < lines; n += 1)
      await writeReport(_id, epoch, {
        log: [{ at: new Date(), level: 'info', message: lineText }],
        logDropped: 0,
      });
  });
  return bytes / lines;
}

/** A job with a full log that counts as running; no worker has it. */
async function acceptRunningJob(organization: string, space: string): Promise<JobRecord> {
  const job = await acceptJob(noopJobs.doNothing, {
    organization,
    subject: { type: 'space', id: space },
    startedBy: 'bench',
    permission: 'space.view',
    input: { n: 0 },
  });
  await jobCollection().updateOne({ _id: job._id }, { $set: { state: 'running' } });
  const lines = Array.from({ length: logLines }, (): JobLogLine => ({
    seq: 1,
    at: new Date(),
    level: 'info',
    message: lineText,
  }));
  await addLog(job, lines);
  return job;
}
