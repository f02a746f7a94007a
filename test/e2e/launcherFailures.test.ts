import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readRunFile } from '../../apps/cli/src/launcher/data-folder/runFile.ts';
import { startGitServer, type GitServer } from '../support/git/gitServer.ts';
import {
  expectNothingLeft,
  expectOrderlyEnd,
  namedStores,
  standInCommand,
  useLaunchers,
  type Launched,
} from '../support/processes/launcher.ts';
import { findRedis } from '../support/stores/ownRedis.ts';
import { until } from '../support/until.ts';

/** One start and one stop, on a busy machine. */
const startMs = 120_000;
const patience = { timeoutMs: 60_000, everyMs: 50 };

describe('the launcher', { timeout: startMs }, () => {
  const { folder, launch, start } = useLaunchers();
  const says = (one: Launched, line: string | RegExp) =>
    vi.waitFor(() => expect(one.output()).toMatch(line), { timeout: startMs, interval: 20 });
  let gitServer: GitServer;
  beforeAll(async () => {
    gitServer = await startGitServer();
  });
  afterAll(() => gitServer.close());

  it('keeps the platform up while a worker dies at each start, reports the failure, and lets the worker recover', async () => {
    const cause = join(folder(), '../cause');
    await writeFile(cause, '');
    const { url } = await gitServer.createRepository('small.git', { 'README.md': '# Small\n' });
    const one = launch(
      standInCommand(['--no-demo', '--ephemeral', '--only', 'api,worker-git'], folder(), 'appsThatFail'),
      {
        ...namedStores('failures'),
        FAILS_WHILE: cause,
        BINDERY_OUTBOUND_ALLOW: gitServer.hostPort,
      },
    );
    const { apiUrl, token } = await one.ready();
    // Between a death and the next start.
    await until(
      'run.json without the worker',
      () => !Object.hasOwn(readRunFile(folder())?.pids ?? {}, 'worker-git'),
      patience,
    );
    await says(one, 'Bindery is ready');
    expect(one.output()).toMatch(
      /worker-git died \(exit code 3\), 3 deaths in a row; starting it again in [\d.]+ s/,
    );
    expect(one.output()).toMatch(
      /Bindery is ready \([\d.]+ s\), but not all of it runs\..*\n\n {2}worker-git does not run \(exit code 3, \d+ deaths in a row\); it is started again until it does\.\n {2}Its last lines:\n {4}cannot reach https:\/\/\[removed\]@git\.example\.org/,
    );
    expect(one.output()).not.toContain('s3cret');

    const call = async (path: string, json?: unknown) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return fetch(`${apiUrl}${path}`, {
        headers,
        ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
      });
    };
    const read = async <T>(path: string) => (await (await call(path)).json()) as T;
    // Between a death and the next start.
    const state = await until(
      'reason of the failure in /readyz',
      async () => {
        const response = await fetch(`${apiUrl}/readyz`);
        const body = (await response.json()) as { status: string; workers: Record<string, string> };
        expect([response.status, body.status, body.workers['worker-maintenance']]).toEqual([
          200,
          'degraded',
          'no worker is running',
        ]);
        return (
          /^failing: exit code 3, \d+ deaths in a row, next start in \d+ s$/.test(
            body.workers['worker-git'] ?? '',
          ) && body
        );
      },
      patience,
    );
    expect(JSON.stringify(state)).not.toMatch(/git\.example|s3cret|\//);

    const { items } = await read<{ items: { id: string }[] }>('/v1/orgs');
    const space = (await (await call(`/v1/orgs/${items[0]?.id}/spaces`, { title: 'Waits' })).json()) as {
      id: string;
    };
    const accepted = await call(`/v1/spaces/${space.id}/git/import`, { url, ref: 'refs/heads/main' });
    expect(accepted.status).toBe(204);
    const job = `/v1/jobs/${accepted.headers.get('x-job-id')}`;
    expect(await read(job)).toMatchObject({
      waiting: {
        reason: 'no_worker',
        message: expect.stringMatching(
          /^No worker for git-import is running: worker-git is failing \(exit code 3, /,
        ),
      },
    });

    await rm(cause);
    await until(
      'end of the job',
      async () => (await read<{ state: string }>(job)).state === 'succeeded',
      patience,
    );
    await says(one, 'worker-git runs again');
    expect(await read('/readyz')).toMatchObject({ workers: { 'worker-git': 'ok' } });
    one.child.kill('SIGTERM');
    await expectOrderlyEnd(one);
    await expectNothingLeft(one);
  });

  it('reports that the API does not start, keeps retrying, and can be stopped between retries', async () => {
    const cause = join(folder(), '../cause');
    await writeFile(cause, '');
    const one = start(['--no-demo', '--ephemeral'], {
      ...namedStores('failures'),
      STAND_IN_API_FAILS_WHILE: cause,
      STAND_IN_WORKER: 'fails',
    });
    await says(one, 'Bindery is not ready: without the API nothing can be asked of it. Ctrl-C stops it.');
    expect(one.output()).toMatch(
      /\napi does not run \(exit code 4, \d+ deaths in a row\); .*\nIts last lines:\n {2}the API was told to fail\n/,
    );
    expect(one.output()).toMatch(/\nworker-git does not run \(exit code 3, \d+ deaths in a row\)/);
    expect(one.output()).not.toContain('Bindery is ready');
    expect((await one.ready()).pids.launcher).toBe(one.child.pid);

    await rm(cause);
    await says(one, /Bindery is ready .* but not all of it runs/);
    expect(one.output()).toContain('api runs again');
    const deaths = () => one.output().match(/worker-git died/g)?.length ?? 0;
    const before = deaths();
    await until('further death', () => deaths() > before, patience);
    process.kill(-(one.child.pid ?? 0), 'SIGINT');
    await expectOrderlyEnd(one);
    await expectNothingLeft(one);
  });

  it.each<
    [store: string, program: string, environment: () => NodeJS.ProcessEnv, files: string, lastLine: string]
  >([
    ['MongoDB', 'mongod', () => ({}), 'mongodb/WiredTiger.turtle', 'WiredTiger'],
    ['Redis', 'redis', ownRedis, 'redis/appendonlydir', '(manifest|AOF)'],
  ])(
    'stops with the last lines of a %s that cannot be restarted, and of one that cannot start',
    async (_, program, environment, files, lastLine) => {
      const couldNotStart = new RegExp(
        `${program} could not start \\(.*\\)\\.\\nIts last lines:\\n[\\s\\S]*${lastLine}`,
      );
      const first = start(['--no-demo'], environment());
      const { pids } = await first.ready();
      await damage(join(folder(), files));
      process.kill(Number(pids[program]), 'SIGKILL');
      expect(await first.ended()).toBe(1);
      expect(first.output()).toMatch(new RegExp(`${program} died \\(SIGKILL\\); starting it again`));
      expect(first.output()).toMatch(couldNotStart);
      await expectNothingLeft(first);

      const second = start(['--no-demo'], environment());
      expect(await second.ended()).toBe(1);
      expect(second.output()).toMatch(couldNotStart);
      expect(second.output()).not.toContain('starting api');
      await expectNothingLeft(second);
    },
  );

  it('can be stopped while a store does not restart', async () => {
    const redis = await findRedis();
    const cause = join(folder(), '../cause');
    const wrapper = join(folder(), '../redis-server');
    await mkdir(folder(), { recursive: true });
    await writeFile(
      wrapper,
      `#!/bin/sh\nif [ -e '${cause}' ]; then case "$*" in *--version*) ;; *) exec sleep 1000 ;; esac; fi\nexec '${redis}' "$@"\n`,
    );
    await chmod(wrapper, 0o755);
    const one = start(['--no-demo'], { ...ownRedis(), REDIS_SERVER_BINARY: wrapper });
    const { pids } = await one.ready();
    await writeFile(cause, '');
    process.kill(Number(pids.redis), 'SIGKILL');
    await until(
      'hanging store',
      () => one.running().some(({ command }) => command.startsWith('sleep 1000')),
      patience,
    );
    process.kill(-(one.child.pid ?? 0), 'SIGINT');
    await expectOrderlyEnd(one);
    await expectNothingLeft(one);
  });

  it('can be stopped while a store does not start', async () => {
    await mkdir(folder(), { recursive: true });
    const mongod = join(folder(), '../mongod');
    // Says its version, and hangs where it should open its data.
    await writeFile(
      mongod,
      `#!/bin/sh\ncase "$*" in --version) echo 'db version v7.0.1' ;; *) echo opens its data; exec sleep 1000 ;; esac\n`,
    );
    await chmod(mongod, 0o755);
    const one = start(['--no-demo', '--ephemeral'], { MONGOD_BINARY: mongod });
    await says(one, 'starting mongod');
    await until(
      'hanging store',
      () => one.running().some(({ command }) => command.startsWith('sleep 1000')),
      patience,
    );
    process.kill(-(one.child.pid ?? 0), 'SIGINT');
    await expectOrderlyEnd(one);
    await expectNothingLeft(one);
    expect(readRunFile(folder())).toBeUndefined();
  });
});

/** The MongoDB of the tests, and a Redis that the launcher starts. */
function ownRedis(): NodeJS.ProcessEnv {
  const { REDIS_URL: _ours, ...environment } = namedStores('redis');
  return environment;
}

/** Spoils a file, or all files of a folder. */
async function damage(path: string): Promise<void> {
  const paths = (await stat(path)).isDirectory()
    ? (await readdir(path)).map((name) => join(path, name))
    : [path];
  for (const one of paths) await writeFile(one, 'damaged');
}
