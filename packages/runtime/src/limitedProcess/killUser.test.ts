import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { runsAnything } from '../processes.ts';
import { findIsolation, type OwnUser } from './isolation.ts';
import { killerCommand, killUser } from './killUser.ts';

/** An unused number, also not one of a worker's children. */
const user = 0x7fff_fff0;
const other = user + 1;
const found = findIsolation();
const isOwn = found.kind === 'own-user';
if (!isOwn) console.log(`Ending all that runs as a user: not run, because ${found.reason}`);
const isolation = found as OwnUser;
describe.runIf(isOwn)('a process that runs as the user of a child', () => {
  let started: ChildProcess;
  /** Runs a script, and resolves once it runs as the given user. */
  const start = async (uid: number, script: string) => {
    const asUser = ['--reuid', String(uid), '--regid', String(uid), '--clear-groups'];
    started = spawn(isolation.setpriv, [...asUser, '/bin/sh', '-c', `echo runs; ${script}`], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(started.stdout!, 'data');
    return started.pid!;
  };
  const runs = (uid: number) => runsAnything({ groups: new Set(), uid });
  const untilGone = async () => {
    while (runs(user)) await new Promise(setImmediate);
  };
  const reap = (entry: string) => {
    spawnSync(
      '/bin/sh',
      [fileURLToPath(new URL('reaper.sh', import.meta.url)), ...killerCommand(isolation), entry],
      { input: '' },
    );
  };
  afterEach(async () => {
    for (const uid of [user, other]) await killUser(uid, isolation);
  });

  it.each([
    { name: 'waits', script: 'sleep 1000 & exec sleep 1000' },
    { name: 'stops all that it may, over and over', script: 'while :; do kill -STOP -1; done' },
    { name: 'kills all that it may, over and over', script: 'while :; do kill -KILL -1; done' },
    { name: 'is another process at each moment', script: 'hop() { hop & exit; }; hop' },
  ])('ends when it $name', async ({ script }) => {
    await start(user, script);
    expect(await killUser(user, isolation)).toBe(true);
    await untilGone();
  });

  it('ends with the worker if it reused the number of an ended group', async () => {
    const pid = await start(user, 'exec sleep 1000');
    reap(`${pid}:1:${user}`);
    await untilGone();
  });

  it('ends, and processes of other users continue', async () => {
    const pid = await start(other, 'exec sleep 1000');
    expect(await killUser(user, isolation)).toBe(true);
    reap(`${pid}:1:${user}`);
    expect(runs(other)).toBe(true);
  });
});
