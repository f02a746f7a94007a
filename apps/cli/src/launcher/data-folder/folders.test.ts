import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareFolders } from './folders.ts';
import { readRunFile, removeRunFile, writeRunFile } from './runFile.ts';
import { keepToken, keptToken, secretKey } from './secrets.ts';

const runFile = {
  apiUrl: 'http://127.0.0.1:3000',
  adminUrl: 'http://127.0.0.1:3000/admin',
  token: 'bnd_x',
  mongodbUri: 'mongodb://m',
  redisUrl: 'redis://r',
  pids: { api: 1, 'worker-git': [2, 3] },
};

describe('the folder of a run', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-folders-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const mode = async (name: string) => ((await stat(join(folder, name))).mode & 0o777).toString(8);

  it('contains run.json, readable only by its owner and written atomically', async () => {
    writeRunFile(folder, runFile);
    expect(await mode('run.json')).toBe('600');
    expect(readRunFile(folder)).toEqual(runFile);
    expect(await readdir(folder)).toEqual(['run.json']);
    removeRunFile(folder);
    expect(readRunFile(folder)).toBeUndefined();
  });

  it('keeps the secret key and the token, readable only by their owner', async () => {
    const key = await secretKey(folder, {});
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(await secretKey(folder, {})).toBe(key);
    expect(await secretKey(folder, { BINDERY_SECRET_KEY: 'given' })).toBe('given');
    await keepToken(folder, 'bnd_x');
    expect(await keptToken(folder)).toBe('bnd_x');
    expect([await mode('secret.key'), await mode('token')]).toEqual(['600', '600']);
  });

  it('never gets a new secret key in place of a damaged one', async () => {
    await writeFile(join(folder, 'secret.key'), 'abc');
    await expect(secretKey(folder, {})).rejects.toThrow('does not hold 64 hexadecimal characters');
  });

  it('loses a stale run.json at the start, and belongs to one launcher', async () => {
    writeRunFile(folder, runFile);
    const undo = new AsyncDisposableStack();
    expect(await prepareFolders({ data: folder, ephemeral: false }, undo)).toEqual({
      home: folder,
      data: folder,
    });
    expect(readRunFile(folder)).toBeUndefined();
    await expect(
      prepareFolders({ data: folder, ephemeral: false }, new AsyncDisposableStack()),
    ).rejects.toThrow(`Bindery already runs in ${folder}`);
    await undo.disposeAsync();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is emptied at the end with --ephemeral, including leftovers of a killed run', async () => {
    const killed = new AsyncDisposableStack();
    await prepareFolders({ data: folder, ephemeral: true }, killed);
    await writeFile(join(folder, 'left'), '');
    // The leftovers of a killed run: everything, with the lock of a dead owner.
    await writeFile(join(folder, 'lock'), JSON.stringify({ pid: 2 ** 22 + 1 }));

    const undo = new AsyncDisposableStack();
    await prepareFolders({ data: folder, ephemeral: true }, undo);
    expect(await readdir(folder)).toEqual(['ephemeral', 'lock']);
    await writeFile(join(folder, 'token'), '');
    await undo.disposeAsync();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not emptied when it contains other files', async () => {
    await writeFile(join(folder, 'thesis.md'), '');
    await expect(
      prepareFolders({ data: folder, ephemeral: true }, new AsyncDisposableStack()),
    ).rejects.toThrow('is not empty, and --ephemeral with --data empties it at the end');
    expect(await readdir(folder)).toEqual(['thesis.md']);
  });
});
