import { ApiError } from '@bindery/contract';
import { acceptJob, gitJobs } from '@bindery/jobs';
import {
  idempotencyCollection,
  jobCollection,
  mongoDatabase,
  withTransaction,
  type ClientSession,
} from '@bindery/models';
import { loadConfig, newId } from '@bindery/runtime';
import { MongoServerError } from 'mongodb';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { root, type Route } from '../../../apps/api/src/http/scope.ts';
import { createIdempotency } from '../../../apps/api/src/idempotencyStore.ts';
import { startHttpApp } from '../../support/http/httpApp.ts';
import { importRequest } from '../../support/importRequest.ts';
import { it } from '../../support/it.ts';
import { until } from '../../support/until.ts';

// The time between taking a key and storing the answer, with an operation whose steps the test decides. Its
// effects are counted in MongoDB.

const config = loadConfig();
const Effect = z.object({ id: z.string(), text: z.string().optional() });

const effects = () => mongoDatabase().collection<{ _id: string }>('effects');
const record = async () => (await idempotencyCollection().findOne({})) ?? undefined;

async function makeEffect(session: ClientSession): Promise<{ id: string }> {
  const id = newId();
  await effects().insertOne({ _id: id }, { session });
  return { id };
}

/** A server with one operation, which does this. */
async function startWith(work: () => Promise<z.input<typeof Effect>>, leaseMs = 20_000) {
  const route: Route = root.post(
    '/effects',
    {
      operationId: 'createEffect',
      summary: 'Create an effect',
      permission: 'token',
      response: Effect,
      status: 201,
      idempotent: true,
      etag: true,
    },
    async ({ reply }) => {
      reply.version(7);
      return work();
    },
  );
  const { call } = await startHttpApp([route], {
    services: { idempotency: createIdempotency({ secrets: config.secrets, leaseMs }) },
  });
  return (key = 'k') => call('POST', '/v1/effects', { headers: { 'idempotency-key': key } });
}

const lost = expect.objectContaining({
  code: 409,
  type: 'conflict',
  message: expect.stringContaining('answer was lost'),
  action: expect.any(String),
});
const running = expect.objectContaining({
  code: 409,
  type: 'conflict',
  message: expect.stringContaining('still being executed'),
});

/** What MongoDB says of a transaction that ran into another one. */
function again(): MongoServerError {
  const error = new MongoServerError({ message: 'WriteConflict' });
  error.addErrorLabel('TransientTransactionError');
  return error;
}

/** As if the time that a process may be silent had passed. */
const endLease = () => idempotencyCollection().updateMany({}, { $set: { leaseUntil: new Date(0) } });

it.beforeAll(async ({ api: _connected }) => {
  await mongoDatabase().createCollection('effects');
});
it.beforeEach(async () => {
  await effects().deleteMany({});
  await idempotencyCollection().deleteMany({});
});
it.afterAll(async () => {
  await effects().drop();
});

describe('a request', () => {
  it('keeps its ETag on a replay', async () => {
    const send = await startWith(() => withTransaction(makeEffect));
    const [first, second] = [await send(), await send()];
    expect([second.status, second.text, second.headers.get('etag')]).toEqual([
      201,
      first.text,
      first.headers.get('etag'),
    ]);
    expect(first.headers.get('etag')).toMatch(/^"7\./);
    expect(await effects().countDocuments()).toBe(1);
  });

  it('is recorded once when MongoDB asks to retry its transaction', async () => {
    let runs = 0;
    const send = await startWith(() =>
      withTransaction(async (session) => {
        runs += 1;
        const made = await makeEffect(session);
        if (runs < 3) throw again();
        return made;
      }),
    );
    expect((await send()).status).toBe(201);
    expect([runs, await effects().countDocuments()]).toEqual([3, 1]);
    expect((await record())?.committedAt).toBeInstanceOf(Date);
    expect((await send()).headers.get('idempotency-replayed')).toBe('true');
  });

  it('counts as carried out from its first transaction on, and is not repeated when the rest fails', async () => {
    const send = await startWith(async () => {
      const made = await withTransaction(makeEffect);
      expect((await record())?.committedAt).toBeInstanceOf(Date);
      await withTransaction(makeEffect);
      throw new ApiError('conflict', `The second half of ${made.id} failed.`);
    });
    expect((await send()).body.error.message).toContain('second half');
    expect((await send()).body.error).toEqual(lost);
    expect(await effects().countDocuments()).toBe(2);
  });

  it('leaves neither an effect nor a record when its transaction is aborted', async () => {
    let isBroken = true;
    const send = await startWith(() =>
      withTransaction(async (session) => {
        const made = await makeEffect(session);
        if (isBroken) throw new Error('out of luck');
        return made;
      }),
    );
    expect((await send()).status).toBe(500);
    expect([await effects().countDocuments(), await record()]).toEqual([0, undefined]);
    isBroken = false;
    expect((await send()).status).toBe(201);
    expect((await send()).headers.get('idempotency-replayed')).toBe('true');
  });

  it('is recorded also when it stores nothing but a job', async () => {
    const send = await startWith(async () => {
      const job = await acceptJob(
        gitJobs.importRepository,
        importRequest({ _id: newId(), organization: newId() }),
      );
      return { id: job._id };
    });
    const { body } = await send();
    expect((await record())?.committedAt).toBeInstanceOf(Date);
    expect((await send()).body).toEqual(body);
    expect(await jobCollection().countDocuments({})).toBe(1);
  });

  it('is not disturbed by transactions that go on after its answer', async () => {
    let later: Promise<unknown> = Promise.resolve();
    const goOn = Promise.withResolvers<void>();
    const send = await startWith(async () => {
      later = goOn.promise.then(() => withTransaction(makeEffect));
      return { id: 'nothing yet' };
    });
    expect((await send()).status).toBe(201);
    await idempotencyCollection().deleteMany({});
    goOn.resolve();
    await later;
    expect(await effects().countDocuments()).toBe(1);
  });

  it('is carried out once even when its answer exceeds a megabyte', async () => {
    const send = await startWith(async () => ({
      ...(await withTransaction(makeEffect)),
      text: 'x'.repeat(1024 * 1024),
    }));
    expect((await send()).status).toBe(201);
    expect((await send()).body.error).toEqual(lost);
    expect(await effects().countDocuments()).toBe(1);
  });

  it('is not carried out again when the key that sealed its answer is gone', async () => {
    const old = createIdempotency({ secrets: { key: Buffer.alloc(32, 1) } });
    const rotated = createIdempotency({
      secrets: { key: Buffer.alloc(32, 2), previousKey: Buffer.alloc(32, 1) },
    });
    const actor = { user: { id: 'ann', displayName: 'Ann', isOperator: false }, tokenId: 't' };
    const awaitedJob = () => undefined;
    const call = { key: 'k', operationId: 'o', actor, fingerprint: 'f', awaitedJob };
    const run = async () => ({
      status: 201,
      headers: {},
      body: { id: (await withTransaction(makeEffect)).id },
    });
    const answer = await old(call, run);
    expect(await rotated(call, run)).toEqual({ ...answer, headers: { 'Idempotency-Replayed': 'true' } });
    await expect(
      createIdempotency({ secrets: { key: Buffer.alloc(32, 3) } })(call, run),
    ).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    });
    expect(await effects().countDocuments()).toBe(1);
  });
});

describe('a long run', () => {
  it('keeps its key by renewing its lease', async () => {
    const goOn = Promise.withResolvers<void>();
    const send = await startWith(() => goOn.promise.then(() => withTransaction(makeEffect)), 150);
    const first = send();
    const taken = await until('the key', record);
    await until(
      'that it was told twice',
      async () => ((await record())?.leaseUntil.getTime() ?? 0) > taken.leaseUntil.getTime() + 150,
    );
    expect((await send()).body.error).toEqual(running);
    goOn.resolve();
    expect((await first).status).toBe(201);
    expect((await send()).body).toEqual((await first).body);
  });

  it('cannot write any more after its lease ended and another run took its place', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let runs = 0;
    const send = await startWith(async () => {
      const mine = gates[runs];
      runs += 1;
      await mine?.promise;
      return withTransaction(makeEffect);
    });
    const slow = send();
    await until('the first run', () => runs === 1);
    await endLease();
    const quick = send();
    await until('the second run', () => runs === 2);
    gates[1]?.resolve();
    expect((await quick).status).toBe(201);
    gates[0]?.resolve();
    expect((await slow).body.error).toEqual(running);
    expect(await effects().countDocuments()).toBe(1);
    expect((await send()).body).toEqual((await quick).body);
  });

  it('is replaced only by the same request', async () => {
    const send = await startWith(() => withTransaction(makeEffect));
    await send();
    await idempotencyCollection().updateMany(
      {},
      { $set: { fingerprint: 'of another', leaseUntil: new Date(0) }, $unset: { committedAt: 1, answer: 1 } },
    );
    expect((await send()).status).toBe(422);
    expect(await effects().countDocuments()).toBe(1);
  });
});
