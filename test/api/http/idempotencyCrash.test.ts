import { idempotencyCollection, jobCollection, Team } from '@bindery/models';
import { createSpace } from '@bindery/content';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { freePort } from '../../../apps/cli/src/launcher/freePort.ts';
import { startApp, type AppProcess } from '../../support/processes/appProcess.ts';
import { it as base } from '../../support/it.ts';

// The API as a process of its own, killed between taking a key and storing the answer.

/** As if the time that a process may be silent had passed. */
const endLease = () => idempotencyCollection().updateMany({}, { $set: { leaseUntil: new Date(0) } });

const it = base
  /** Starts an API as a process of its own, which ends with the test. */
  .extend('start', ({ api: _connected }, { onCleanup }) => {
    const apps: AppProcess[] = [];
    onCleanup(async () => {
      for (const app of apps) if (!app.hasEnded()) app.signal('SIGKILL');
      await Promise.all(apps.map((app) => app.ended));
      await idempotencyCollection().deleteMany({});
    });
    return async (fault?: string): Promise<AppProcess> => {
      const app = await startApp('api', {
        ...process.env,
        PORT: String(await freePort()),
        ...(fault && { BINDERY_FAULT: fault }),
      });
      apps.push(app);
      return app;
    };
  })
  .extend(
    'send',
    ({ admin }) =>
      (app: AppProcess, method: string, path: string, json: unknown) =>
        fetch(`http://127.0.0.1:${app.port}/v1${path}`, {
          method,
          headers: {
            authorization: `Bearer ${admin.token}`,
            'content-type': 'application/json',
            'idempotency-key': 'one',
          },
          body: JSON.stringify(json),
        }),
  )
  .extend(
    'killedAt',
    ({ start, send }) =>
      async (point: string, method: string, path: string, json: unknown) => {
        const app = await start(`${point}:1:kill`);
        await expect(send(app, method, path, json)).rejects.toThrow('fetch failed');
        expect(await app.ended).toBe('SIGKILL');
      },
  );

describe('an API that is killed', { timeout: 90_000 }, () => {
  it('before it has done anything lets the repeated request be carried out once', async ({
    organization,
    start,
    send,
    killedAt,
  }) => {
    const title = newId();
    await killedAt('idempotency.claimed', 'PUT', `/orgs/${organization._id}/teams`, { title });
    expect(await Team.countDocuments({ title })).toBe(0);
    const next = await start();
    const again = () => send(next, 'PUT', `/orgs/${organization._id}/teams`, { title });
    expect((await again()).status).toBe(409);
    await endLease();
    expect((await again()).status).toBe(201);
    expect((await again()).headers.get('idempotency-replayed')).toBe('true');
    expect(await Team.countDocuments({ title })).toBe(1);
  });

  it('before its answer was stored does not carry out the repeated request again', async ({
    organization,
    start,
    send,
    killedAt,
  }) => {
    const title = newId();
    await killedAt('idempotency.committed', 'PUT', `/orgs/${organization._id}/teams`, { title });
    expect(await Team.countDocuments({ title })).toBe(1);
    const next = await start();
    const again = async () => {
      const answer = await send(next, 'PUT', `/orgs/${organization._id}/teams`, { title });
      return [answer.status, ((await answer.json()) as { error: { message: string } }).error.message];
    };
    expect(await again()).toEqual([409, expect.stringContaining('still being executed')]);
    await endLease();
    for (let i = 0; i < 2; i += 1)
      expect(await again()).toEqual([409, expect.stringContaining('was executed')]);
    expect(await Team.countDocuments({ title })).toBe(1);
  });

  it('between accepting and dispatching a job leaves one job', async ({
    organization,
    admin,
    start,
    send,
    killedAt,
  }) => {
    const space = await createSpace({
      organization: organization._id,
      createdBy: admin.user._id,
      title: 'Space',
    });
    const json = { url: 'https://git.example.org/r.git', ref: 'refs/heads/main' };
    await killedAt('job.accepted', 'POST', `/spaces/${space._id}/git/import`, json);
    await endLease();
    const next = await start();
    expect((await send(next, 'POST', `/spaces/${space._id}/git/import`, json)).status).toBe(409);
    expect(await jobCollection().countDocuments({ 'subject.id': space._id })).toBe(1);
  });
});
