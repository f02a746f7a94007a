import { setTimeout as delay } from 'node:timers/promises';
import { ErrorBody } from '@bindery/contract';
import { Space } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AppProcess } from '../support/processes/appProcess.ts';
import { readEvents } from '../support/http/eventStream.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { fixtureRepository } from '../support/fixtureRepository.ts';
import { bound } from '../support/machine.ts';
import { startOwnMongo, type OwnMongo } from '../support/stores/ownMongo.ts';
import { createResultTable, inSeconds, isFull } from '../support/resultTable.ts';
import { until } from '../support/until.ts';

let mongo: OwnMongo;
let lab: FaultLab;
const table = createResultTable();
const frozenMs = isFull ? 25_000 : 11_000;
/** The time limit of an operation, and a margin for the process that measures. */
const answeredMs = 8_000 + 1_500;

beforeAll(async () => {
  mongo = await startOwnMongo();
  lab = await startFaultLab({ MONGODB_URI: mongo.uri });
});
afterEach(async () => {
  mongo.thaw();
  await lab.reset({ keep: ['api'] });
});
afterAll(async () => {
  table.print();
  await lab.close();
  await mongo.close();
});

type Measured = { status: number; ms: number; retryAfter: string | null; body: unknown };

async function measured(call: () => Promise<Response>): Promise<Measured> {
  const startedMs = performance.now();
  const response = await call();
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    ms: performance.now() - startedMs,
    retryAfter: response.headers.get('retry-after'),
    body: isJson && text ? (JSON.parse(text) as unknown) : text,
  };
}

const probe = (api: AppProcess, path: string) => measured(() => fetch(`http://127.0.0.1:${api.port}${path}`));
const slowest = (answers: readonly Measured[]) => Math.max(...answers.map(({ ms }) => ms));

describe('F11: MongoDB is frozen', () => {
  it('requests are refused in time, and answered as usual afterwards', { timeout: 120_000 }, async () => {
    const api = await lab.start('api');
    const spaces = [await lab.newSpace(), await lab.newSpace()] as const;
    const read = () => measured(() => lab.call(api, 'GET', `/spaces/${spaces[0]._id}`));
    const write = (title: string) =>
      measured(() => lab.call(api, 'PATCH', `/spaces/${spaces[1]._id}`, { title }));
    const inTransaction = () =>
      measured(() =>
        lab.call(api, 'POST', `/spaces/${spaces[0]._id}/comments`, { body: { markdown: 'Hello.' } }),
      );
    const before = await Promise.all([read(), write('Before'), inTransaction()]);
    expect(before.map(({ status }) => Math.floor(status / 100))).toEqual([2, 2, 2]);

    await mongo.freeze();
    const frozenAtMs = performance.now();
    const underWay = [
      ...Array.from({ length: 70 }, read),
      ...Array.from({ length: 5 }, (_, n) => write(`During ${n}`)),
      ...Array.from({ length: 5 }, inTransaction),
    ];
    const [alive, ready] = await Promise.all([probe(api, '/healthz'), probe(api, '/readyz')]);
    expect([alive.status, ready.status]).toEqual([200, 503]);
    expect(alive.ms).toBeLessThan(bound(500));
    expect(ready.ms).toBeLessThan(bound(3_000));
    const answers = await Promise.all(underWay);
    // The API knows of the outage by now, so these are refused sooner.
    const later = await Promise.all([read(), write('Later'), inTransaction()]);
    for (const { status, retryAfter, body } of [...answers, ...later]) {
      expect([status, retryAfter]).toEqual([503, '5']);
      expect(ErrorBody.parse(body).error.type).toBe('unavailable');
    }
    // The rest of the outage itself, not a wait for an effect.
    await delay(Math.max(0, frozenMs - (performance.now() - frozenAtMs)));

    mongo.thaw();
    const thawedMs = performance.now();
    await until('first answer', async () => (await read()).status === 200);
    const backMs = performance.now() - thawedMs;
    // More than there are connections.
    const after = await Promise.all([...Array.from({ length: 70 }, read), write('After'), inTransaction()]);
    expect(after.map(({ status }) => Math.floor(status / 100))).toEqual(after.map(() => 2));
    expect((await Space.findById(spaces[1]._id).lean())?.title).toBe('After');
    table.add({
      fault: `F11 MongoDB frozen for ${inSeconds(frozenMs)}`,
      runs: 1,
      result: `${answers.length + later.length} refused with 503, then all answered`,
      measured: `at once ${inSeconds(slowest(answers))}, later ${inSeconds(slowest(later))}; back ${inSeconds(backMs)} after the end`,
      goal: 'refused <= 8 s, back <= 2 s',
    });
    expect(slowest(answers)).toBeLessThan(bound(answeredMs));
    expect(slowest(later)).toBeLessThan(bound(answeredMs));
    expect(backMs).toBeLessThan(bound(2_000));
  });

  it('streams and waiting requests go on, and jobs end', { timeout: 120_000 }, async () => {
    const [api] = await Promise.all([
      lab.start('api'),
      lab.start('worker-maintenance'),
      lab.start('worker-git'),
    ]);
    const { url } = await lab.gitServer.createRepository('frozen.git', fixtureRepository());
    // The run goes on when MongoDB is back, and ends soon after.
    lab.gitServer.faults.set('fetch', { delayMs: frozenMs + 3_000 });
    const job = await lab.import(await lab.newSpace(), url);
    await lab.waitFor(job._id, ({ progress }) => progress?.stage === 'repo_fetch');
    // Sent before the stream: once that has sent its first event, this request is waiting.
    const waiting = measured(() => lab.call(api, 'GET', `/jobs/${job._id}?wait=60`));
    const events = readEvents(await lab.call(api, 'GET', `/jobs/${job._id}/events`));
    const first = (await events.next()).value;
    expect(first?.data.state).toBe('running');
    await mongo.freeze();
    // The length of the outage itself, not a wait for an effect.
    await delay(frozenMs);
    lab.gitServer.faults.clear();
    mongo.thaw();
    const states: string[] = [];
    for await (const { data } of events) states.push(data.state);
    expect(states.at(-1)).toBe('succeeded');
    expect(await waiting).toMatchObject({ status: 200, body: { state: 'succeeded' } });
    expect(await lab.waitFor(job._id, 'succeeded')).toMatchObject({ state: 'succeeded' });
  });
});
