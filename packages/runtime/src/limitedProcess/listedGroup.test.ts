import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { killGroup } from './listedGroup.ts';

/** Of nobody, and of no child of a worker. */
const uid = 0x7fff_fff0;
const setpriv = '/usr/bin/setpriv';
const isRoot = process.getuid?.() === 0 && spawnSync(setpriv, ['--version']).status === 0;
if (!isRoot) console.log('Processes that took over a number: not run; this test does not run as root');

describe.skipIf(!isRoot)('a process that took over the number of a group that ended', () => {
  let process: ChildProcess;
  /** Its number was that of a group which started with the machine. */
  const start = async (user: number) => {
    const asUser = ['--reuid', String(user), '--regid', String(user), '--clear-groups'];
    process = spawn(setpriv, [...asUser, '/bin/sleep', '1000'], { detached: true, stdio: 'ignore' });
    await once(process, 'spawn');
    return process.pid!;
  };
  const ended = async () => {
    await once(process, 'exit');
    return process.signalCode;
  };
  afterEach(() => void process.kill('SIGKILL'));

  it('is killed when it has the user of the group', async () => {
    const pid = await start(uid);
    // Until setpriv has become the program, its user is root.
    for (const group = { pid, startedAt: '1', uid }; process.signalCode === null; killGroup(group, setpriv))
      await new Promise(setImmediate);
    expect(process.signalCode).toBe('SIGKILL');
  });

  it('is killed by the reaper when it has the user of the group', async () => {
    const pid = await start(uid);
    const reap = () =>
      spawnSync('/bin/sh', [fileURLToPath(new URL('reaper.sh', import.meta.url)), setpriv], { input: `+${pid}:1:${uid}\n` });
    const end = ended();
    while (process.exitCode === null && process.signalCode === null) {
      reap();
      await new Promise(setImmediate);
    }
    expect(await end).toBe('SIGKILL');
  });

  it('is left alone when it has another user', async () => {
    const pid = await start(uid + 1);
    killGroup({ pid, startedAt: '1', uid }, setpriv);
    spawnSync('/bin/sh', [fileURLToPath(new URL('reaper.sh', import.meta.url)), setpriv], { input: `+${pid}:1:${uid}\n` });
    expect(process.kill(0)).toBe(true);
  });
});
