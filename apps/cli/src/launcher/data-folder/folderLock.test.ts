import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from './folderLock.ts';
import { identityOf, isRunning, ownIdentity } from '@bindery/runtime';

describe('the lock of a folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('has one owner, even if several processes find a dead one at once', async () => {
    await writeFile(join(folder, 'lock'), JSON.stringify({ pid: 2 ** 22 + 1 }));
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it('can be taken again after its release', async () => {
    const unlock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(`process ${process.pid}`);
    await unlock();
    await (
      await lockFolder(folder)
    )();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken over from a process whose number was reused', async () => {
    await writeFile(join(folder, 'lock'), JSON.stringify({ pid: process.ppid, startedAt: '1' }));
    await (
      await lockFolder(folder)
    )();
  });

  it('is taken over when it is unreadable', async () => {
    await writeFile(join(folder, 'lock'), '{"pi');
    await (
      await lockFolder(folder)
    )();
  });

  it('is refused with the reason if the folder cannot be created', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(lockFolder(join(folder, 'file', 'data'))).rejects.toMatchObject({
      message: expect.stringContaining('cannot hold the data: ENOTDIR'),
      fixes: ['Choose another folder: `--data DIR`.'],
    });
  });

  it('distinguishes running processes from ended ones', () => {
    expect(isRunning(ownIdentity())).toBe(true);
    expect(isRunning(identityOf(process.ppid))).toBe(true);
    expect(isRunning({ pid: 2 ** 22 + 1 })).toBe(false);
  });
});
