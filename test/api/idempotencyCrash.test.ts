import {
  connectMongo,
  createFirstUser,
  createApiToken,
  disconnectMongo,
  ensureIndexes,
  idempotencyCollection,
  jobCollection,
  Team,
} from '@bindery/models';
import { createSpace } from '@bindery/content';
import { loadConfig, newId } from '@bindery/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/cli/src/launcher/freePort.ts';
import { startApp, type AppProcess } from '../support/appProcess.ts';

// The API as a process of its own, killed between taking a key and storing the answer.

let token: string;
let organization: string;
let user: string;
const apps: AppProcess[] = [];

beforeAll(async () => {
  await connectMongo(loadConfig());
  await ensureIndexes();
  const first = await createFirstUser({ email: `${newId()}@example.org`, displayName: 'Ada', organizationTitle: 'Org' });
  [organization, user] = [first.organization._id, first.user._id];
  ({ token } = await createApiToken({ userId: user, label: 'Test' }));
});
afterEach(async () => {
  const started = apps.splice(0);
  for (const app of started) if (!app.hasEnded()) app.signal('SIGKILL');
  await Promise.all(started.map((app) => app.ended));
  await idempotencyCollection().deleteMany({});
});
afterAll(async () => {
  await jobCollection().deleteMany({});
  await disconnectMongo();
});

async function start(fault?: string): Promise<AppProcess> {
  const app = await startApp('api', { ...process.env, PORT: String(await freePort()), ...(fault && { BINDERY_FAULT: fault }) });
  apps.push(app);
  return app;
}

const send = (app: AppProcess, method: string, path: string, json: unknown) =>
  fetch(`http://127.0.0.1:${app.port}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'one' },
    body: JSON.stringify(json),
  });

/** As if the time that a process may be silent had passed. */
const endLease = () => idempotencyCollection().updateMany({}, { $set: { leaseUntil: new Date(0) } });

async function killedAt(point: string, method: string, path: string, json: unknown): Promise<void> {
  const app = await start(`${point}:1:kill`);
  await expect(send(app, method, path, json)).rejects.toThrow('fetch failed');
  expect(await app.ended).toBe('SIGKILL');
}

describe('an API that is killed', { timeout: 90_000 }, () => {
  it('before it has done anything leaves a request that is carried out when it comes again, once', async () => {
    const title = newId();
    await killedAt('idempotency.claimed', 'PUT', `/orgs/${organization}/teams`, { title });
    expect(await Team.countDocuments({ title })).toBe(0);
    const next = await start();
    const again = () => send(next, 'PUT', `/orgs/${organization}/teams`, { title });
    expect((await again()).status).toBe(409);
    await endLease();
    expect((await again()).status).toBe(201);
    expect((await again()).headers.get('idempotency-replayed')).toBe('true');
    expect(await Team.countDocuments({ title })).toBe(1);
  });

  it('before its answer was stored leaves a request that is not carried out again', async () => {
    const title = newId();
    await killedAt('idempotency.committed', 'PUT', `/orgs/${organization}/teams`, { title });
    expect(await Team.countDocuments({ title })).toBe(1);
    const next = await start();
    const again = async () => {
      const answer = await send(next, 'PUT', `/orgs/${organization}/teams`, { title });
      return [answer.status, ((await answer.json()) as { error: { message: string } }).error.message];
    };
    expect(await again()).toEqual([409, expect.stringContaining('still being carried out')]);
    await endLease();
    for (let i = 0; i < 2; i += 1) expect(await again()).toEqual([409, expect.stringContaining('was carried out')]);
    expect(await Team.countDocuments({ title })).toBe(1);
  });

  it('between accepting a job and dispatching it leaves one job', async () => {
    const space = await createSpace({ organization, createdBy: user, title: 'Space' });
    const json = { url: 'https://git.example.org/r.git', ref: 'refs/heads/main' };
    await killedAt('job.accepted', 'POST', `/spaces/${space._id}/git/import`, json);
    await endLease();
    const next = await start();
    expect((await send(next, 'POST', `/spaces/${space._id}/git/import`, json)).status).toBe(409);
    expect(await jobCollection().countDocuments({ 'subject.id': space._id })).toBe(1);
  });
});
