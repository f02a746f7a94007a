import type { JobLogLine, JobRecord } from '@bindery/models';
import { connectRedis, type Redis } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { startConsoleProcesses } from '../support/console/consoleProcesses.ts';
import { openVisitor, type Visitor } from '../support/console/consoleServer.ts';
import { buildJob } from '../support/factories.ts';
import { readEvents } from '../support/http/eventStream.ts';
import { it as base } from '../support/it.ts';
import { bound } from '../support/machine.ts';
import { addLog, changeJob } from '../support/processes/loggedJob.ts';
import { peakBytesOf } from '../support/processes/procfs.ts';
import { until } from '../support/until.ts';

const count = 300;
/** The peak, with all that waits for slow readers. A process that kept the log of each stream took 300 MB. */
const mostGrowthBytes = 200 * 1024 ** 2;
/** In all, of an outage or a busy machine. */
const patient = { timeoutMs: 60_000 };

/** A live page of a job, as a browser without its script sees it. */
type Stream = {
  /** The numbers of the events, and of the lines in their logs. */
  ids: number[];
  lines: number[];
  state: string | undefined;
  /** The answer with which the stream was closed. */
  closed: { error: { code: number } } | undefined;
  hasEnded: boolean;
  leave(): void;
};

const it = base
  .extend('processes', async ({ api: _started }, { onCleanup }) => {
    const processes = await startConsoleProcesses();
    onCleanup(processes.close);
    return processes;
  })
  .extend('visitor', async ({ processes, admin }) => {
    const visitor = openVisitor(processes.origin);
    await visitor.signIn(admin.token);
    return visitor;
  })
  .extend('start', ({ space }) => async (lines: number) => {
    return buildJob(space, { state: 'running', startedAt: new Date(), log: someLines({ seq: 1, lines }) });
  })
  .extend('redis', { scope: 'file' }, ({ api }, { onCleanup }): Redis => {
    const redis = connectRedis(api.config, 'worker');
    onCleanup(() => redis.disconnect());
    return redis;
  })
  /** Changes a job as a worker does, and announces it. */
  .extend('change', ({ api, redis }) => async (job: JobRecord, fields: Partial<JobRecord> = {}) => {
    await changeJob(job, fields);
    const message = JSON.stringify({ ids: [job._id], type: 'changed' });
    await redis.publish(`${api.config.redis.prefix}:jobs`, message);
  })
  .extend('open', ({ processes, visitor: admin }, { onCleanup }) => {
    const ofTest = new AbortController();
    onCleanup(() => ofTest.abort());
    return async (job: JobRecord, { visitor = admin, after }: { visitor?: Visitor; after?: Stream } = {}) => {
      const leaving = new AbortController();
      const lastEventId = after?.ids.at(-1);
      const answer = await fetch(`${processes.origin}/jobs/${job._id}/events`, {
        redirect: 'manual',
        signal: AbortSignal.any([leaving.signal, ofTest.signal]),
        headers: {
          cookie: `bindery_console=${visitor.cookie() ?? ''}`,
          ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
        },
      });
      expect(answer.status).toBe(200);
      return readStream(answer, () => leaving.abort());
    };
  });

function readStream(answer: Response, leave: () => void): Stream {
  const stream: Stream = { ids: [], lines: [], state: undefined, closed: undefined, hasEnded: false, leave };
  const reading = async () => {
    for await (const { id, event, data } of readEvents(answer)) {
      if (event === 'closed') stream.closed = data;
      else {
        stream.ids.push(Number(id));
        stream.state = data.state;
        stream.lines.push(...data.log.map(({ message }: JobLogLine) => Number(message.split(' ', 1)[0])));
      }
    }
  };
  // A cut ends it, too.
  void reading()
    .catch(() => {})
    .finally(() => (stream.hasEnded = true));
  return stream;
}

/** Lines that begin with their numbers. */
function someLines({ seq, lines, first = 0 }: { seq: number; lines: number; first?: number }): JobLogLine[] {
  const text = 'x'.repeat(1_000);
  return Array.from({ length: lines }, (_, index) => ({
    seq,
    at: new Date(),
    level: 'info',
    message: `${first + index} ${text}`,
  }));
}

async function untilAll(what: string, streams: readonly Stream[], is: (stream: Stream) => boolean) {
  await until(`${what} in ${streams.length} streams`, () => streams.every(is), patient);
}

const hasBegun = ({ ids }: Stream) => ids.length > 0;
const hasSucceeded = ({ state, hasEnded }: Stream) => state === 'succeeded' && hasEnded;
const upTo = (end: number) => Array.from({ length: end }, (_, index) => index);

/** Opens as many, each on the next one of these jobs. */
async function openAll(
  jobs: readonly JobRecord[],
  { many = count, open }: { many?: number; open: (job: JobRecord) => Promise<Stream> },
): Promise<Stream[]> {
  return Promise.all(upTo(many).map(async (index) => open(jobs[index % jobs.length]!)));
}

describe(`${count} open consoles`, { timeout: bound(180_000) }, () => {
  it.for([
    ['one job', 1, 1_000],
    ['as many jobs', count, 100],
  ] as const)(
    'on %s all receive the end, and take little memory',
    async ([, jobCount, lines], { processes, visitor, start, change, open }) => {
      const jobs: JobRecord[] = [];
      for (let index = 0; index < jobCount; index += 1) jobs.push(await start(lines));
      // The first one takes what all take together: compiled code, connections.
      const first = await open(jobs[0]!);
      await untilAll('event', [first], hasBegun);
      expect((await visitor.get(`/jobs/${jobs[0]!._id}`)).status).toBe(200);
      const pids = Object.values(processes.apps).map(({ pid }) => pid);
      const before = pids.map(peakBytesOf);
      const streams = await openAll(jobs, { open });
      await untilAll('event', streams, hasBegun);
      for (const stream of streams) expect(stream.lines).toEqual(upTo(lines));
      for (const job of jobs) await change(job, { state: 'succeeded', finishedAt: new Date() });
      await untilAll('end', [first, ...streams], hasSucceeded);
      for (const [index, pid] of pids.entries())
        expect(peakBytesOf(pid) - before[index]!).toBeLessThan(mostGrowthBytes);
    },
  );

  it('on one job send the stores no more commands than one console does', async ({
    processes,
    start,
    change,
    open,
  }) => {
    const changes = 10;
    const commandsOf = async (many: number) => {
      const job = await start(10);
      const streams = await openAll([job], { many, open });
      await untilAll('event', streams, hasBegun);
      const before = await processes.countCommands();
      for (let seq = 1; seq <= changes; seq += 1) {
        await change(job, { progress: { stage: 'pages', done: seq, total: changes } });
        await untilAll('change', streams, ({ ids }) => ids.at(-1) === 1 + seq);
      }
      const commands = (await processes.countCommands()) - before;
      await change(job, { state: 'succeeded', finishedAt: new Date() });
      await untilAll('end', streams, hasSucceeded);
      return commands;
    };
    const [one, all] = [await commandsOf(1), await commandsOf(count)];
    // Polls and checks of access, which all streams share, come with time. One command of each stream for
    // each change would be ten times as much.
    expect([one < changes * 30, all < changes * 30], `${one} and ${all} commands`).toEqual([true, true]);
  });

  it('receive no more events after their session has ended, while others continue', async ({
    processes,
    admin,
    start,
    change,
    open,
  }) => {
    const leaving = openVisitor(processes.origin);
    await leaving.signIn(admin.token);
    const job = await start(10);
    const staying = await openAll([job], { many: count - 50, open });
    const left = await openAll([job], { many: 50, open: async (each) => open(each, { visitor: leaving }) });
    await untilAll('event', [...staying, ...left], hasBegun);
    await leaving.post('/sign-out');
    await untilAll('end', left, ({ closed, hasEnded }) => closed?.error.code === 401 && hasEnded);
    const heard = left.map(({ ids }) => ids.length);
    await change(job, { state: 'succeeded', finishedAt: new Date() });
    await untilAll('end', staying, hasSucceeded);
    expect(left.map(({ ids }) => ids.length)).toEqual(heard);
    expect(left.every(({ state }) => state === 'running')).toBe(true);
  });

  it.for(['console', 'api'] as const)(
    'resume after the %s was killed, with each line once and in order',
    async (name, { processes, start, change, open }) => {
      const job = await start(20);
      const early = await openAll([job], { open });
      await untilAll('event', early, hasBegun);
      // Some have seen one change, some two.
      await addLog(job, someLines({ seq: 2, lines: 5, first: 20 }));
      await change(job);
      for (const stream of early.slice(0, count / 2)) stream.leave();
      await untilAll('change', early.slice(count / 2), ({ ids }) => ids.length > 1);
      await processes.kill(name);
      await untilAll('cut', early, ({ hasEnded }) => hasEnded);
      await addLog(job, someLines({ seq: 3, lines: 5, first: 25 }));
      await change(job);
      await processes.restart(name);
      const late = await Promise.all(early.map(async (stream) => open(job, { after: stream })));
      await untilAll('event', late, hasBegun);
      await addLog(job, someLines({ seq: 4, lines: 5, first: 30 }));
      await change(job, { state: 'succeeded', finishedAt: new Date() });
      await untilAll('end', late, hasSucceeded);
      for (const [index, stream] of early.entries()) {
        const ids = [...stream.ids, ...late[index]!.ids];
        expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
        expect([...stream.lines, ...late[index]!.lines]).toEqual(upTo(35));
      }
    },
  );
});
