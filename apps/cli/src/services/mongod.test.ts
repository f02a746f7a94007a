import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTemporaryFolder, removeFolder } from '../launcher/data-folder/temporaryFolder.ts';
import { guardedCommand } from './guardedCommand.ts';
import { planMongod } from './mongod.ts';
import { mongodProblem } from './mongodProblem.ts';
import { planRedisServer } from './redisServer.ts';
import type { Version } from './service.ts';

describe('the stores of a data folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await createTemporaryFolder('bindery-stores-');
  });
  afterEach(() => removeFolder(folder));

  async function plan(version: Version, path = '/opt/mongod') {
    const planned = await planMongod(
      { path, version, found: 'on PATH' },
      { folder, environment: process.env },
    );
    await planned.remember();
    return planned;
  }

  it('keep their socket, and start once without the replica set if the data records another address', async () => {
    const { socket, alone } = await plan([6, 0, 5]);
    expect(alone).toBeUndefined();
    await writeFile(join(folder, 'mongodb', 'WiredTiger'), '');
    const again = await plan([6, 0, 5]);
    expect([again.socket, again.alone]).toEqual([socket, undefined]);

    const path = join(folder, 'mongodb.json');
    const { socket: _socket, ...record } = JSON.parse(await readFile(path, 'utf8')) as { socket: string };
    for (const before of [{ port: 27017 }, { socket: '/before/it/was/moved/mongod.sock' }]) {
      await writeFile(path, JSON.stringify({ ...record, ...before }));
      const planned = await plan([6, 0, 5]);
      expect(planned.socket).toBe(socket);
      expect(planned.alone?.args).not.toContain('--replSet');
      expect((await plan([6, 0, 5])).alone).toBeUndefined();
    }
  });

  it('are opened only by their own version of MongoDB and the next one', async () => {
    await plan([6, 0, 5]);
    await plan([7, 0, 1]);
    await plan([6, 0, 27]);
    await expect(plan([8, 0, 0], '/usr/bin/mongod')).rejects.toMatchObject({
      message: `The data in ${folder} was made by MongoDB 6, and /usr/bin/mongod (8.0.0) cannot open it.`,
      fixes: [
        'Set MONGOD_BINARY to a mongod of version 6 or 7; last used was /opt/mongod.',
        'Or start with other data: `--data DIR`.',
      ],
    });
  });

  it('start with an empty Redis when its version changes', async () => {
    const redis = (version: Version) =>
      planRedisServer(
        { path: '/opt/redis-server', version, found: 'on PATH' },
        { folder, environment: process.env },
      );
    await redis([9, 1, 2]);
    const { program, socket } = await redis([7, 2, 0]);
    expect(await readdir(folder)).toEqual(['owner.json', 'redis', 'redis.json', 'sockets']);
    expect(program.args.join(' ')).toContain(`--port 0 --unixsocket ${socket} --unixsocketperm 700`);
    expect(program.args.join(' ')).toContain(
      '--appendonly yes --appendfsync everysec --save  --maxmemory-policy noeviction',
    );
  });

  it('recognize the ready line of each Redis version', async () => {
    const { program } = await planRedisServer(
      { path: '/opt/redis-server', version: [9, 1, 2], found: 'on PATH' },
      { folder, environment: process.env },
    );
    const lines = [
      '1:M 23 Nov 2026 17:12:01.575 * The server is now ready to accept connections at /data/sockets/redis.sock',
      '1:M 23 Nov 2026 17:12:01.575 * Ready to accept connections unix',
    ];
    expect(lines.map((line) => program.isReadyLine?.(line))).toEqual([true, true]);
    expect(program.isReadyLine?.('1:M 23 Nov 2026 17:12:01.575 * Server initialized')).toBe(false);
  });

  it('end with the launcher through a guard process when setpriv is missing', async () => {
    const { command, args, needsChannel } = await guardedCommand('/opt/mongod', ['--port', '1'], {
      PATH: folder,
    });
    expect([command, needsChannel, args.slice(1)]).toEqual([
      process.execPath,
      true,
      ['/opt/mongod', '--port', '1'],
    ]);
  });

  it('fail with the message of mongod about the cause, without its other lines', () => {
    const line = (severity: string) =>
      JSON.stringify({
        t: { $date: '' },
        s: severity,
        msg: 'Failed to start',
        attr: { error: 'DBPathInUse: another mongod' },
      });
    expect(mongodProblem(line('E'))).toBe('Failed to start: DBPathInUse: another mongod');
    expect(mongodProblem(line('I'))).toBeUndefined();
  });
});
