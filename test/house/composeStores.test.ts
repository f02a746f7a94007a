import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { closeJobs, connectJobs, startSweeper, takeLeadership } from '@bindery/jobs';
import {
  connectMongo,
  createFirstUser,
  disconnectMongo,
  ensureIndexes,
  mongoDatabase,
  upgradeRecords,
  withTransaction,
} from '@bindery/models';
import { connectRedis, createLogger, loadConfig } from '@bindery/runtime';
import { createBlobStore } from '@bindery/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/cli/src/launcher/freePort.ts';
import { surroundings } from '../../apps/cli/src/launcher/startStores.ts';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { mongodb } from '../../apps/cli/src/services/mongodb.ts';
import { provideService } from '../../apps/cli/src/services/provideService.ts';
import { redis } from '../../apps/cli/src/services/redis.ts';
import type { Service } from '../../apps/cli/src/services/service.ts';
import { compose, givenSecrets, project } from '../support/stores/composeFile.ts';
import { until } from '../support/until.ts';

// The stores of docker-compose.yml without their containers: their own commands, on programs of this machine,
// in a folder in place of /tmp.

const { mongo, redis: redisService, api } = compose();
const mongosh = join(project, 'test/support/stores/mongosh.ts');

let folder: string;
beforeAll(async () => {
  folder = await createTemporaryFolder('bindery-test-compose-');
});
afterAll(() => removeFolder(folder));

/**
 * Runs the command of a service as its container does. `program` with `more` arguments takes the place of the
 * program of its image.
 */
async function startService(
  {
    entrypoint,
    command,
    environment,
  }: Pick<NonNullable<typeof mongo>, 'entrypoint' | 'command' | 'environment'>,
  { program, more }: { program: string; more: readonly string[] },
): Promise<{ child: ChildProcess; output: () => string }> {
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  // The image's own entry drops its rights and goes on; --bind_ip_all is for a network of containers.
  const stub = `#!/bin/bash\nset -- "\${@/--bind_ip_all/--quiet}"\nshift\nexec ${program} "$@" ${more.join(' ')}\n`;
  await writeFile(join(bin, 'docker-entrypoint.sh'), stub);
  await chmod(join(bin, 'docker-entrypoint.sh'), 0o755);
  const [shell = '', ...options] = entrypoint ?? [];
  const script = command.map((line) => line.replaceAll('/tmp/', `${folder}/`));
  const child = spawn(shell, [...options, ...script], {
    env: { PATH: `${bin}:${process.env.PATH}`, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output };
}

/** As anybody on the machine sees them. */
function argumentsOf({ pid }: ChildProcess): string {
  return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function binaryOf(service: Service): Promise<string> {
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...environment } = process.env;
  const provided = await provideService(service, {
    surroundings: surroundings(environment),
    say: () => {},
    folder,
  });
  if (provided.kind === 'url') throw new Error('A store of our own has no URL from outside.');
  return provided.path;
}

describe('the service mongo', () => {
  const { MONGO_ROOT_PASSWORD, MONGO_PASSWORD } = givenSecrets;
  let port: number;
  let program: string;
  let running: ChildProcess | undefined;
  const more = () => ['--port', String(port), '--dbpath', join(folder, 'mongodb'), '--nounixsocket'];
  /** As the applications have it, with another address. */
  const uri = (password = MONGO_PASSWORD) =>
    (api?.environment?.MONGODB_URI ?? '')
      .replace(MONGO_PASSWORD, password)
      .replace('mongo:27017', `127.0.0.1:${port}`);

  beforeAll(async () => {
    port = await freePort();
    program = await binaryOf(mongodb);
    await mkdir(join(folder, 'mongodb'));
  });
  afterAll(async () => {
    await disconnectMongo();
    if (running) await end(running);
  });

  /** The health check, once; resolves to its exit code. */
  async function check(passwords: Record<string, string> = {}): Promise<number> {
    const environment = {
      ...process.env,
      ...mongo?.environment,
      MONGO_MEMBER: `127.0.0.1:${port}`,
      ...passwords,
    };
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [mongosh, String(port), join(project, 'docker/mongoHealth.js')],
        { env: environment },
      );
      child.on('exit', (code) => resolve(code ?? -1));
    });
  }
  const isHealthy = async () =>
    until('healthy MongoDB', async () => (await check()) === 0, { timeoutMs: 40_000 });
  async function start(): Promise<void> {
    const { child, output } = await startService(mongo!, { program, more: more() });
    running = child;
    await until('MongoDB', () => {
      if (child.exitCode !== null) throw new Error(output());
      return output().includes('Waiting for connections');
    });
  }
  const connect = (given: string) => connectMongo({ mongo: { uri: given } }, { timeoutMs: 3_000 });

  it(
    'upgrades a volume without users, and requires a password from then on',
    { timeout: 90_000 },
    async () => {
      // As an installation of an earlier version runs it.
      const old = spawn(program, ['--replSet', 'rs0', '--bind_ip', '127.0.0.1', ...more()], {
        stdio: 'ignore',
      });
      await until('MongoDB without users', () =>
        connect(`mongodb://127.0.0.1:${port}/bindery?directConnection=true`).then(
          () => true,
          () => false,
        ),
      );
      await mongoDatabase()
        .admin()
        .command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: `127.0.0.1:${port}` }] } });
      await until(
        'primary',
        async () => (await mongoDatabase().command({ hello: 1 })).isWritablePrimary === true,
      );
      await mongoDatabase().collection<{ _id: string }>('kept').insertOne({ _id: 'from before' });
      await disconnectMongo();
      await end(old);

      await start();
      await isHealthy();
      await connect(uri());
      expect(await mongoDatabase().collection<{ _id: string }>('kept').findOne()).toEqual({
        _id: 'from before',
      });
      await disconnectMongo();
      expect((await stat(join(folder, 'keyfile'))).mode & 0o777).toBe(0o400);
      await end(running!);
    },
  );

  it('creates the replica set and the users at the first start', { timeout: 90_000 }, async () => {
    await removeFolder(join(folder, 'mongodb'));
    await removeFolder(join(folder, 'keyfile'));
    await mkdir(join(folder, 'mongodb'));
    await start();
    await isHealthy();
  });

  it('grants the applications the permissions that they need', async () => {
    await connect(uri());
    const config = loadConfig({ ...process.env, MONGODB_URI: uri(), BINDERY_SWEEP_INTERVAL_MS: '100' });
    await ensureIndexes();
    await upgradeRecords();
    const blobs = createBlobStore(mongoDatabase());
    await blobs.prepare();
    expect(await blobs.put('organization:hash', Readable.from(Buffer.from('bytes')))).toBe(true);
    expect(await buffer((await blobs.open('organization:hash'))!.bytes)).toEqual(Buffer.from('bytes'));
    await createFirstUser({ email: 'ada@example.org', displayName: 'Ada', organizationTitle: 'Lab' });
    await withTransaction(async (session) => {
      await mongoDatabase().collection('kept').insertOne({}, { session });
    });
    expect(await takeLeadership('test', 'holder', 1_000)).toBe(true);
    expect(
      (await mongoDatabase().collection('jobs').indexes()).some(
        (index) => index.expireAfterSeconds !== undefined,
      ),
    ).toBe(true);
    connectJobs(config);
    const stopSweeper = startSweeper({ config, logger: createLogger(config, { app: 'test' }) });
    await stopSweeper();
    await closeJobs();
  });

  it('grants them no other permissions', async () => {
    const elsewhere = mongoDatabase().admin();
    await expect(elsewhere.command({ usersInfo: 1 })).rejects.toThrow('not authorized');
    await expect(
      elsewhere.command({ createUser: 'mallory', pwd: 'mallory', roles: ['root'] }),
    ).rejects.toThrow('not authorized');
    await expect(elsewhere.command({ shutdown: 1 })).rejects.toThrow('not authorized');
    await disconnectMongo();
    await expect(connect(uri('wrong'))).rejects.toThrow('Authentication failed');
    await connect(`mongodb://127.0.0.1:${port}/bindery?replicaSet=rs0`);
    await expect(mongoDatabase().collection('users').findOne()).rejects.toThrow('requires authentication');
    await disconnectMongo();
  });

  it('accepts a new password of the applications, and refuses another one for root', async () => {
    const other = 'd4'.repeat(32);
    expect(await check({ MONGO_PASSWORD: other })).toBe(0);
    await connect(uri(other));
    await disconnectMongo();
    expect(await check({ MONGO_ROOT_PASSWORD: other, MONGO_PASSWORD: 'e5'.repeat(32) })).not.toBe(0);
    // Its own password is still enough for the applications.
    expect(await check({ MONGO_ROOT_PASSWORD: other, MONGO_PASSWORD: other })).toBe(0);
  });

  it('has no password in the arguments of its process', () => {
    const shown = argumentsOf(running!);
    expect(shown).toContain('--keyFile');
    for (const password of [MONGO_ROOT_PASSWORD, MONGO_PASSWORD]) expect(shown).not.toContain(password);
  });
});

describe('the service redis', () => {
  it('requires the password, and has no password in the arguments of its process', async () => {
    const port = await freePort();
    const dir = join(folder, 'redis');
    await mkdir(dir);
    const { child, output } = await startService(redisService!, {
      program: await binaryOf(redis),
      more: ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir],
    });
    try {
      await until('Redis', () => {
        if (child.exitCode !== null) throw new Error(output());
        return output().includes('Ready to accept connections');
      });
      const given = (api?.environment?.REDIS_URL ?? '').replace('redis:6379', `127.0.0.1:${port}`);
      const connection = connectRedis(loadConfig({ ...process.env, REDIS_URL: given }), 'worker');
      expect(await connection.ping()).toBe('PONG');
      expect(await connection.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
      connection.disconnect();
      const anonymous = connectRedis(
        loadConfig({ ...process.env, REDIS_URL: `redis://127.0.0.1:${port}` }),
        'producer',
      );
      const [refusal] = (await once(anonymous, 'ready').catch((error: unknown) => [error])) as [Error];
      expect(refusal.message).toContain('NOAUTH');
      anonymous.disconnect();
      const shown = argumentsOf(child);
      expect(shown).toContain(String(port));
      expect(shown).not.toContain(givenSecrets.REDIS_PASSWORD);
    } finally {
      await end(child);
    }
  });
});
