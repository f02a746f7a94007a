import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTemporaryFolder, removeFolder } from '../launcher/data-folder/temporaryFolder.ts';
import { prepareSocket, removeSocket } from './storeSocket.ts';

describe('the folder of the sockets', () => {
  let base: string;
  beforeEach(async () => {
    base = await createTemporaryFolder('bindery-sockets-of-');
  });
  afterEach(() => removeFolder(base));

  async function dataFolder(name: string): Promise<string> {
    const folder = join(base, name);
    await mkdir(folder, { recursive: true });
    return folder;
  }
  const isShort = (socket: string) => /^\/.*\/bindery-sockets-[0-9a-f]{16}\/mongod\.sock$/.test(socket);

  it('is in the data folder, only for its owner, and removed with its last socket', async () => {
    const data = await dataFolder('data');
    const sockets = [await prepareSocket(data, 'mongodb'), await prepareSocket(data, 'redis')] as const;
    expect(sockets).toEqual([join(data, 'sockets/mongod.sock'), join(data, 'sockets/redis.sock')]);
    expect((await stat(join(data, 'sockets'))).mode & 0o777).toBe(0o700);
    for (const socket of sockets) await writeFile(socket, '');
    await removeSocket(sockets[0]);
    expect(await readdir(join(data, 'sockets'))).toEqual(['redis.sock']);
    await removeSocket(sockets[1]);
    expect(await readdir(data)).toEqual([]);
    await removeSocket(sockets[1]);
  });

  it('is a temporary folder if the path is too long for a socket, or the driver would not find it', async () => {
    const longest = 'x'.repeat(100 - join(base, '/sockets/mongod.sock').length - 1);
    expect(isShort(await prepareSocket(await dataFolder(longest), 'mongodb'))).toBe(false);
    const sockets = [];
    for (const name of [`${longest}x`, 'Capitals', 'two words', 'a,b', 'a:b', '100%', 'ä']) {
      const socket = await prepareSocket(await dataFolder(name), 'mongodb');
      expect([name, isShort(socket), socket.startsWith(tmpdir())]).toEqual([name, true, true]);
      expect((await stat(dirname(socket))).mode & 0o777).toBe(0o700);
      expect(await prepareSocket(join(base, name), 'mongodb')).toBe(socket);
      sockets.push(socket);
    }
    expect(new Set(sockets).size).toBe(sockets.length);
    for (const socket of sockets) await removeSocket(socket);
    expect(sockets.filter((socket) => existsSync(dirname(socket)))).toEqual([]);
  });

  it('is refused at each start if others can access it', async () => {
    const data = await dataFolder('data');
    const folder = join(data, 'sockets');
    await prepareSocket(data, 'mongodb');
    for (const mode of [0o750, 0o701, 0o770]) {
      await chmod(folder, mode);
      await expect(prepareSocket(data, 'mongodb')).rejects.toMatchObject({
        message: `MongoDB and Redis listen in ${folder}, without passwords, and it is open to other users (mode ${mode.toString(8)}).`,
        fixes: [
          `Remove it, and it is made anew: \`rm -r ${folder}\`.`,
          'Or start with another data folder: `--data DIR`.',
        ],
      });
    }
    await chmod(folder, 0o700);
    await prepareSocket(data, 'mongodb');

    await rename(folder, join(data, 'elsewhere'));
    await symlink(join(data, 'elsewhere'), folder);
    await expect(prepareSocket(data, 'mongodb')).rejects.toThrow('is not a folder');
  });

  it('is reported with the reason if it cannot be created', async () => {
    await writeFile(join(base, 'file'), '');
    const folder = join(base, 'file/sockets');
    await expect(prepareSocket(join(base, 'file'), 'redis')).rejects.toMatchObject({
      message: `MongoDB and Redis listen in ${folder}, which cannot be made: a part of the path is no folder.`,
      fixes: [
        `Make ${join(base, 'file')} a folder that this user can write to.`,
        'Or start with another data folder: `--data DIR`.',
      ],
    });
  });

  it('is refused when it belongs to another user', async () => {
    const data = await dataFolder('data');
    const folder = join(data, 'sockets');
    await prepareSocket(data, 'mongodb');
    if (process.getuid?.() === 0) {
      await chown(folder, 65_534, 65_534);
      await expect(prepareSocket(data, 'mongodb')).rejects.toMatchObject({
        message: `MongoDB and Redis listen in ${folder}, without passwords, and it belongs to another user (65534).`,
        fixes: [
          'Have that user or an administrator remove it: nobody else can.',
          'Or start with another data folder: `--data DIR`.',
        ],
      });
      // Another user was first in the shared temporary folder.
      const short = dirname(await prepareSocket(await dataFolder('Capitals'), 'mongodb'));
      await chown(short, 65_534, 65_534);
      await expect(prepareSocket(join(base, 'Capitals'), 'mongodb')).rejects.toMatchObject({
        message: expect.stringContaining(`in ${short}, without passwords, and it belongs to another user`),
        fixes: [
          'Have that user or an administrator remove it: nobody else can.',
          'Or start with another temporary folder (`TMPDIR=DIR`), or with a data folder of a short path in small letters: `--data DIR`.',
        ],
      });
      await removeFolder(short);
    } else {
      console.log('Only root can give a folder away: a folder of root stands in for it.');
      await removeFolder(folder);
      await symlink('/root', folder);
      await expect(prepareSocket(data, 'mongodb')).rejects.toThrow('is not a folder');
    }
  });
});
