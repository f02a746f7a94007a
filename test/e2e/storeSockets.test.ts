import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../apps/cli/src/launcher/freePort.ts';
import type { RunFile } from '../../apps/cli/src/launcher/data-folder/runFile.ts';
import { surroundings } from '../../apps/cli/src/launcher/startStores.ts';
import { mongodb } from '../../apps/cli/src/services/mongodb.ts';
import { provideService } from '../../apps/cli/src/services/provideService.ts';
import {
  expectAllEnded,
  expectNothingLeft,
  expectOrderlyEnd,
  outerEnvironment,
  useLaunchers,
} from '../support/processes/launcher.ts';

describe('the stores of the launcher', { timeout: 120_000 }, () => {
  const { folder, start } = useLaunchers();

  it('accept connections from their own user only, through sockets and no port', async () => {
    await mkdir(folder());
    // Whoever looks gets as far as the folder of the sockets.
    for (const path of [dirname(folder()), folder()]) await chmod(path, 0o755);
    const one = start(['--no-demo', '--ephemeral']);
    const running = await one.ready();
    const sockets = socketsOf(running);

    if (existsSync('/proc/net/unix')) {
      const { ports, paths } = listeningOf(one.running().map(({ pid }) => pid));
      expect(ports).toEqual([Number(new URL(running.apiUrl).port)]);
      expect(paths.toSorted()).toEqual(Object.values(sockets).toSorted());
    } else console.log('Without /proc nothing tells which process listens where: this was not looked at.');

    expect((await stat(dirname(sockets.mongod))).mode & 0o777).toBe(0o700);
    for (const socket of Object.values(sockets)) {
      expect((await stat(socket)).mode & 0o077).toBe(0);
      expect(await connect(socket)).toEqual({ isFolderSeen: true, result: 'connected' });
      if (process.getuid?.() === 0)
        expect(await connect(socket, 65_534)).toEqual({ isFolderSeen: true, result: 'EACCES' });
      else console.log('Only root can try it as another user: the modes have to tell it.');
    }
  });

  it('start again with stale sockets of killed stores', async () => {
    const first = start(['--no-demo']);
    const running = await first.ready();
    // The launcher last: its end would end the stores in order. All of them, since a store may be the child
    // of a guard.
    const { launcher, ...others } = running.pids;
    const pids = new Set([...first.running().map(({ pid }) => pid), ...Object.values(others).flat()]);
    pids.delete(Number(launcher));
    for (const pid of [...pids, Number(launcher)]) process.kill(pid, 'SIGKILL');
    await expectAllEnded(first);
    const sockets = socketsOf(running);
    for (const socket of Object.values(sockets)) expect(existsSync(socket)).toBe(true);

    const second = start(['--no-demo']);
    await expect.poll(() => second.output(), { timeout: 60_000 }).toContain('Ctrl-C stops it');
    for (const socket of Object.values(sockets))
      expect(await connect(socket)).toMatchObject({ result: 'connected' });
    second.child.kill('SIGTERM');
    await expectOrderlyEnd(second);
    await expectNothingLeft(second);
    expect(existsSync(dirname(sockets.mongod))).toBe(false);
  });

  it('take over the data of an earlier version that listened on a port', async () => {
    await mkdir(folder());
    const port = await makeEarlierData(folder());
    const one = start(['--no-demo']);
    const running = await one.ready();
    expect(one.output()).toContain(
      `MongoDB: its data names another address; moving it to ${socketsOf(running).mongod}`,
    );
    expect(await first(running.mongodbUri)).toEqual({ _id: 'of an earlier version' });
    expect(await memberOf(running.mongodbUri)).toBe(socketsOf(running).mongod);
    one.child.kill('SIGTERM');
    await expectOrderlyEnd(one);

    const again = start(['--no-demo']);
    expect((await again.ready()).mongodbUri).toBe(running.mongodbUri);
    expect(again.output()).not.toContain('another address');
    expect(again.output()).not.toContain(String(port));
  });
});

function socketsOf({ mongodbUri, redisUrl }: RunFile): { mongod: string; redis: string } {
  return { mongod: decodeURIComponent(new URL(mongodbUri).hostname), redis: new URL(redisUrl).pathname };
}

/** TCP ports and paths of sockets that the processes listen on. */
function listeningOf(pids: readonly number[]): { ports: number[]; paths: string[] } {
  const inodes = new Set(pids.flatMap(filesOf).flatMap((file) => /^socket:\[(\d+)\]$/.exec(file)?.[1] ?? []));
  const rows = (file: string) =>
    readFileSync(`/proc/net/${file}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/));
  return {
    ports: [...rows('tcp'), ...rows('tcp6')].flatMap(([, local = '', , state, , , , , , inode = '']) =>
      state === '0A' && inodes.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [],
    ),
    // With the flag of those that accept connections.
    paths: rows('unix').flatMap(([, , , flags, , , inode = '', path = '']) =>
      flags === '00010000' && inodes.has(inode) ? [path] : [],
    ),
  };
}

/** The open files of a process; it and each of its descriptors may be gone at any moment. */
function filesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  const orNone = <T>(read: () => T): T[] => {
    try {
      return [read()];
    } catch {
      return [];
    }
  };
  return orNone(() => readdirSync(folder))
    .flat()
    .flatMap((name) => orNone(() => readlinkSync(join(folder, name))));
}

/**
 * Connects from a process of its own, as another user where one is given; says whether that user sees the
 * folder of the sockets at all.
 */
async function connect(socket: string, uid?: number): Promise<{ isFolderSeen: boolean; result: string }> {
  const script = `
    ${uid === undefined ? '' : `process.setgroups([]); process.setgid(${uid}); process.setuid(${uid});`}
    const say = (result) => {
      console.log(JSON.stringify({ isFolderSeen: require('node:fs').existsSync(${JSON.stringify(dirname(socket))}), result }));
      process.exit();
    };
    require('node:net').connect(${JSON.stringify(socket)}).on('connect', () => say('connected')).on('error', ({ code }) => say(code));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script]);
  return JSON.parse(stdout) as { isFolderSeen: boolean; result: string };
}

/** Data with one document as MongoDB was started for it when it listened on loopback. */
async function makeEarlierData(folder: string): Promise<number> {
  const environment = outerEnvironment();
  const provided = await provideService(mongodb, {
    surroundings: surroundings(environment),
    say: () => {},
    folder,
  });
  if (provided.kind === 'url') throw new Error('Nothing names a MongoDB.');
  const port = await freePort();
  const data = join(folder, 'mongodb');
  await mkdir(data);
  const options = ['--bind_ip', '127.0.0.1', '--nounixsocket', '--replSet', 'bindery'];
  const child = spawn(provided.path, ['--dbpath', data, '--port', String(port), ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout }))
      if (line.includes('"Waiting for connections"')) break;
    child.stdout.resume();
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
    await withClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, (client) =>
      client.db('admin').command({ replSetInitiate: { _id: 'bindery', members } }),
    );
    await withClient(`mongodb://127.0.0.1:${port}/bindery?replicaSet=bindery`, (client) =>
      client.db().collection<{ _id: string }>('kept').insertOne({ _id: 'of an earlier version' }),
    );
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
  const record = { binary: provided.path, version: provided.version, port, dataMajor: provided.version[0] };
  await writeFile(join(folder, 'mongodb.json'), `${JSON.stringify(record)}\n`);
  return port;
}

const first = (uri: string) => withClient(uri, (client) => client.db().collection('kept').findOne());

async function memberOf(uri: string): Promise<string> {
  const { config } = await withClient(uri, (client) => client.db('admin').command({ replSetGetConfig: 1 }));
  return (config as { members: { host: string }[] }).members[0]?.host ?? '';
}

async function withClient<T>(uri: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(uri);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
