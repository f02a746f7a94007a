import { execFile } from 'node:child_process';
import { readdir, readFile, rename, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { readRunFile } from '../../apps/cli/src/launcher/data-folder/runFile.ts';
import { findOnPath } from '../../apps/cli/src/services/probeBinary.ts';
import {
  expectAllEnded,
  expectNothingLeft,
  expectOrderlyEnd,
  namedStores,
  outerEnvironment,
  projectFolder,
  standInCommand,
  useLaunchers,
  type Launched,
} from '../support/processes/launcher.ts';

/**
 * The stores that PATH holds, as the variables that name them; without them the launcher takes those that it
 * has installed.
 */
async function storesOnPath(): Promise<Record<string, string>> {
  const mongod = await findOnPath('mongod', process.env.PATH);
  const redis =
    (await findOnPath('valkey-server', process.env.PATH)) ??
    (await findOnPath('redis-server', process.env.PATH));
  return { ...(mongod && { MONGOD_BINARY: mongod }), ...(redis && { REDIS_SERVER_BINARY: redis }) };
}

/** One start and one stop, on a busy machine. */
const startMs = 120_000;
const patience = { timeout: 60_000, interval: 20 };

describe('the launcher', { timeout: startMs }, () => {
  const { folder, launch, start } = useLaunchers();
  const group = (one: Launched, signal: NodeJS.Signals) => process.kill(-(one.child.pid ?? 0), signal);
  const stores = () => namedStores('launcher');

  it('lists its processes in run.json, refuses a second launcher, and leaves nothing behind on SIGTERM', async () => {
    const one = start(['--no-demo', '--workers', 'git=2']);
    const running = await one.ready();
    expect(running).toEqual({
      apiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      adminUrl: `${running.apiUrl}/admin`,
      token: expect.stringMatching(/^bnd_/),
      mongodbUri: expect.stringMatching(/^mongodb:\/\/%2F[^/]*mongod\.sock\/bindery\?replicaSet=bindery$/),
      redisUrl: expect.stringMatching(/^unix:\/\/\/.*\/redis\.sock$/),
      pids: {
        launcher: one.child.pid,
        mongod: expect.any(Number),
        redis: expect.any(Number),
        api: expect.any(Number),
        'worker-git': [expect.any(Number), expect.any(Number)],
      },
    });
    expect((await stat(join(folder(), 'run.json'))).mode & 0o777).toBe(0o600);
    expect(await (await fetch(running.apiUrl)).text()).toBe('ok');
    expect((await readFile(join(folder(), 'token'), 'utf8')).trim()).toBe(running.token);
    // All of these, and the child of each worker.
    expect(one.running().map(({ pid }) => pid)).toEqual(
      expect.arrayContaining(Object.values(running.pids).flat()),
    );
    expect(one.running()).toHaveLength(8);

    const other = start(['--no-demo']);
    expect(await other.ended()).toBe(1);
    expect(other.output()).toContain(`Bindery already runs in ${folder()} (process ${one.child.pid})`);
    expect(readRunFile(folder())).toEqual(running);

    one.child.kill('SIGTERM');
    await expectOrderlyEnd(one);
    await expectNothingLeft(one);
  });

  it('takes its stores and apps down when it is killed, and keeps data and token for the next start', async () => {
    const first = start(['--no-demo']);
    const { token, mongodbUri } = await first.ready();
    await vi.waitFor(() => expect(first.output()).toContain(token), patience);
    first.child.kill('SIGKILL');
    await first.ended();

    // Right after: it waits until the stores of the first have let go of the data.
    const second = start(['--no-demo']);
    await vi.waitFor(() => expect(readRunFile(folder())?.pids.launcher).toBe(second.child.pid), {
      timeout: startMs,
    });
    expect(readRunFile(folder())).toMatchObject({ token, mongodbUri });
    await vi.waitFor(() => expect(second.output()).toContain('Ctrl-C stops it'), patience);
    expect(second.output()).not.toContain(token);
    await expectAllEnded(first);
    second.child.kill('SIGTERM');
    await expectOrderlyEnd(second);

    // The data's replica set names a socket in the folder where it was, which is long gone; in this one there
    // can be none.
    const elsewhere = join(folder(), '..', `Moved-${'x'.repeat(100)}`);
    await rename(folder(), elsewhere);
    const third = launch(standInCommand(['--no-demo'], elsewhere));
    const moved = await vi.waitFor(() => readRunFile(elsewhere) ?? expect.fail(third.output()), {
      timeout: startMs,
      interval: 20,
    });
    expect(moved.token).toBe(token);
    expect(decodeURIComponent(moved.mongodbUri)).toMatch(/\/bindery-sockets-[0-9a-f]{16}\/mongod\.sock\//);
    expect(third.output()).toContain('MongoDB: its data names another address');
    third.child.kill('SIGTERM');
    await expectOrderlyEnd(third);
    expect(await readdir(tmpdir())).not.toContain(/bindery-sockets-\w+/.exec(moved.mongodbUri)?.[0]);
  });

  it('starts no store that the environment names, and leaves that store running', async () => {
    const { MONGODB_URI, REDIS_URL } = stores();
    const one = start(['--no-demo', '--ephemeral'], { MONGODB_URI, REDIS_URL });
    const { pids, mongodbUri, redisUrl } = await one.ready();
    expect(Object.keys(pids).toSorted()).toEqual(['api', 'launcher', 'worker-git']);
    expect([mongodbUri, redisUrl]).toEqual([MONGODB_URI, REDIS_URL]);
    expect(one.output()).toMatch(/MongoDB: \d+\.\d+\.\d+, named by MONGODB_URI/);
    one.child.kill('SIGTERM');
    await expectOrderlyEnd(one);
    await expectNothingLeft(one);

    const none = start(['--no-demo', '--ephemeral'], {
      MONGODB_URI: 'mongodb://user:secret@127.0.0.1:1/docs',
      REDIS_URL: 'redis://:secret@127.0.0.1:1',
    });
    expect(await none.ended()).toBe(1);
    expect(none.output()).toMatch(/MongoDB at mongodb:\/\/.*127\.0\.0\.1:1\/docs does not answer/);
    expect(none.output()).not.toContain('secret');
  });

  it('treats two simultaneous Ctrl-C as one, and stops in order', async () => {
    const one = start(['--no-demo', '--ephemeral'], stores());
    await one.ready();
    group(one, 'SIGINT');
    group(one, 'SIGINT');
    await expectOrderlyEnd(one);
    expect(one.output()).not.toContain('stopping at once');
    await expectNothingLeft(one);
    expect(await readdir(folder())).toEqual([]);
  });

  it('stops at once on a further signal more than a second later', async () => {
    const one = start(['--no-demo', '--ephemeral'], { ...stores(), STAND_IN_API: 'hangs' });
    await one.ready();
    one.child.kill('SIGINT');
    // A signal within the first second is the same Ctrl-C; so it is repeated until it counts.
    const again = setInterval(() => one.child.kill('SIGINT'), 300);
    const code = await one.ended();
    clearInterval(again);
    expect(code).toBe(0);
    expect(one.output()).toContain('stopping at once');
    await expectNothingLeft(one);
  });

  it.each([
    { line: 'starting mongod', environment: () => ({}) },
    { line: 'starting api', environment: stores },
  ])('can be stopped while it still starts: $line', async ({ line, environment }) => {
    const one = start(['--no-demo', '--ephemeral'], environment());
    await vi.waitFor(() => expect(one.output()).toContain(line), { timeout: startMs, interval: 5 });
    group(one, 'SIGINT');
    await expectOrderlyEnd(one);
    await expectNothingLeft(one);
    expect(await readdir(folder())).toEqual([]);
  });

  it('takes its stores down through the guard without setpriv', async () => {
    // Everything of PATH but setpriv: stores that this machine has there are named instead.
    const one = start(['--no-demo', '--ephemeral'], { ...(await storesOnPath()), PATH: '/nonexistent' });
    await one.ready();
    one.child.kill('SIGKILL');
    await expectAllEnded(one);
  });

  it('restarts processes that die, and writes their new pids to run.json', async () => {
    const { REDIS_URL: _ours, ...ownRedis } = stores();
    const one = start(['--no-demo', '--ephemeral'], ownRedis);
    const { apiUrl, pids } = await one.ready();
    await fetch(`${apiUrl}/die`).catch(() => undefined);
    process.kill(Number(pids.redis), 'SIGKILL');
    await vi.waitFor(
      () => {
        const now = readRunFile(folder())?.pids;
        expect(now?.api).toEqual(expect.any(Number));
        expect(now?.redis).toEqual(expect.any(Number));
        expect(now?.api).not.toBe(pids.api);
        expect(now?.redis).not.toBe(pids.redis);
      },
      { timeout: startMs },
    );
    await vi.waitFor(async () => expect(await (await fetch(apiUrl)).text()).toBe('ok'), { timeout: startMs });
    expect(one.output()).toMatch(/api died \(exit code 3\); starting it again in 0\.\d+ s/);
    await vi.waitFor(() => expect(one.output()).toContain('api runs again'), patience);
    await vi.waitFor(() => expect(one.output()).toContain('redis runs again'), patience);
  });

  it('refuses an invalid variable before it starts an app', async () => {
    const one = start(['--no-demo', '--ephemeral'], {
      ...stores(),
      BINDERY_WORKER_CONCURRENCY: 'many',
      LOG_LEVEL: 'loud',
    });
    expect(await one.ended()).toBe(1);
    expect(one.output()).toContain('BINDERY_WORKER_CONCURRENCY: must be a whole number');
    expect(one.output()).toContain('LOG_LEVEL');
    expect(one.output()).not.toContain('starting api');
    expect(await readdir(folder())).toEqual([]);
  });

  it('ends when its parent process is gone', async () => {
    const command = standInCommand(['--no-demo', '--ephemeral'], folder());
    // A parent that does nothing but wait, as npm does.
    const one = launch(['sh', '-c', '"$@" & wait', 'sh', ...command], stores());
    const { pids } = await one.ready();
    expect(pids.launcher).not.toBe(one.child.pid);
    one.child.kill('SIGKILL');
    await expectNothingLeft(one);
  });

  it('ends when its terminal is closed', async () => {
    const command = standInCommand(['--no-demo', '--ephemeral'], folder());
    // `script` runs a command under a terminal of its own, which closes when `script` dies.
    const one = launch(['script', '-qfc', command.join(' '), '/dev/null'], stores());
    await one.ready();
    one.child.kill('SIGKILL');
    await expectNothingLeft(one);
  });

  it('prints help, and suggests the right option for a misspelt one', async () => {
    const bindery = async (...args: string[]) =>
      promisify(execFile)(join(projectFolder, 'apps/cli/bin/bindery'), args, {
        cwd: '/',
        env: outerEnvironment(),
      }).catch((error: unknown) => error as { stdout: string; stderr: string; code: number });
    expect((await bindery('--help')).stdout).toContain('bindery <command> [options]');
    expect((await bindery('up', '--help')).stdout).toContain('--ephemeral');
    expect(await bindery('up', '--prot', '3')).toMatchObject({
      code: 1,
      stderr: '--prot is not an option of `bindery up`. Did you mean --port?\n  - See `bindery up --help`.\n',
    });
    expect(await bindery('token', 'list', '--data', folder())).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`No installation runs in ${folder()}.`),
    });
  });
});
