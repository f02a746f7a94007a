import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identityOf, isRunning, ownFolder, removeWorkFolder } from '@bindery/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { areGone } from '../support/processes/appProcess.ts';
import type { Sight, Started } from '../support/processes/hostileWork.ts';
import {
  membersOf,
  startLimitedWorker,
  type LimitedWorker,
  type StartedRun,
} from '../support/processes/startLimitedWorker.ts';
import { until } from '../support/until.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const internal = { code: 'internal', class: 'transient' };
/** A user that has nothing here. */
const somebody = 54_321;
const isRoot = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;
const ways = [
  { name: 'as a user of its own', isolation: 'own-user', within: [] as string[], isThere: isRoot },
  {
    name: "as the worker's user",
    isolation: 'same-user',
    within: isRoot
      ? ['setpriv', '--reuid', String(somebody), '--regid', String(somebody), '--clear-groups']
      : [],
    isThere: true,
  },
] as const;

for (const { name, isolation, within, isThere } of ways) {
  const isOwn = isolation === 'own-user';
  if (!isThere) console.log(`A child ${name}: not run; this test does not run as root`);
  describe.skipIf(!isThere)(`a child process ${name}`, { timeout: 60_000 }, () => {
    let folder: string;
    const workers: LimitedWorker[] = [];
    const made: string[] = [];
    const start = async (environment: Record<string, string> = {}) => {
      // Shared by the workers of this user, who can write nowhere else.
      const compiled = join(folder, 'compiled');
      const worker = await startLimitedWorker(
        { TMPDIR: folder, NODE_COMPILE_CACHE: compiled, STARTS_GROUPS: '1', ...environment },
        within,
      );
      workers.push(worker);
      return worker;
    };
    let worker: LimitedWorker;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'bindery-limited-'));
      // As docker-compose.yml has it for root: nobody else makes files in it.
      chmodSync(folder, isOwn ? 0o711 : 0o1777);
      mkdirSync(join(project, '.bindery'), { recursive: true });
      worker = await start();
    });
    afterEach(() => {
      for (const one of workers.splice(1)) one.kill('SIGKILL');
    });
    afterAll(async () => {
      worker.kill('SIGKILL');
      await worker.ended;
      for (const path of [folder, ...made]) rmSync(path, { recursive: true, force: true });
    });

    /** A folder as a worker makes it for a run. */
    const newFolder = () => {
      const path = mkdtempSync(join(folder, 'bindery-git-1-'));
      writeFileSync(join(path, 'lent'), 'for the child', { mode: 0o600 });
      if (isRoot && !isOwn) spawnSync('chown', ['-R', String(somebody), path]);
      return path;
    };
    /** A file as `npm start` leaves its keys, below the project. */
    const newKeys = () => {
      const keysFolder = mkdtempSync(join(project, '.bindery', 'test-keys-'));
      made.push(keysFolder);
      const path = join(keysFolder, 'secret.key');
      writeFileSync(path, 'the-sealing-key', { mode: 0o600 });
      if (isRoot && !isOwn) spawnSync('chown', ['-R', String(somebody), keysFolder]);
      return path;
    };
    const failureOf = async (run: StartedRun) => {
      const ended = await run.ended;
      return 'failure' in ended ? ended.failure : expect.fail(`it ended well: ${JSON.stringify(ended)}`);
    };
    const resultOf = async (run: StartedRun) => {
      const ended = await run.ended;
      return 'result' in ended ? ended.result : expect.fail(`it failed: ${JSON.stringify(ended)}`);
    };

    it('has no access to the environment, files and open descriptors of the worker', async () => {
      expect(worker.isolation).toBe(isolation);
      const foreign = newFolder();
      const keys = newKeys();
      const run = worker.run('look', {
        worker: worker.pid,
        others: [join(foreign, 'lent'), '/etc/shadow', keys],
      });
      const seen = (await run.event) as Sight;
      const { NODE_COMPILE_CACHE: _, ...environment } = seen.environment;
      const scratch = expect.stringMatching(new RegExp(`^${folder}/bindery-child-${worker.pid}-`));
      expect(environment).toEqual({ GIVEN: 'yes', MALLOC_ARENA_MAX: '1', TMPDIR: scratch });
      expect(seen).toMatchObject({ workingDirectory: '/', umask: 0o077 });
      const status = readFileSync(`/proc/${seen.pid}/status`, 'utf8');
      for (const set of ['Inh', 'Prm', 'Eff', 'Amb'])
        expect(status).toMatch(new RegExp(`^Cap${set}:\\s0+$`, 'm'));
      const openFiles = readdirSync(`/proc/${seen.pid}/fd`).map((fd) =>
        readlinkSync(`/proc/${seen.pid}/fd/${fd}`),
      );
      // The channel is the one socket; the rest is what Node opens for itself.
      expect(openFiles.filter((path) => !/^(\/dev\/null|pipe:|anon_inode:)/.test(path))).toEqual([
        expect.stringMatching(/^socket:/),
      ]);
      expect(seen.workerEnvironment).not.toContain('the-sealing-key');
      expect(seen.workerEnvironment).toBe(isOwn ? 'EACCES' : 'ERR_ACCESS_DENIED');
      for (const other of seen.others.slice(1)) expect(other).toMatch(/^(EACCES|ERR_ACCESS_DENIED)$/);
      run.abort();
      await run.ended;
      if (!isOwn) return;
      expect(seen.signalToWorker).toBe('EPERM');
      expect(seen.others[0]).toBe('EACCES');
      expect(seen.groups.filter((group) => group !== seen.user[2])).toEqual([]);
      expect(new Set(seen.user).size).toBe(1);
      expect(seen.user[0]).toBeGreaterThanOrEqual(0x7000_0000);
    });

    it('may request only the offered data, and fails with the error of a failing answer', async () => {
      expect(await resultOf(worker.run('ask', 'known', { asks: { known: 42 } }))).toBe(42);
      expect(await failureOf(worker.run('ask', 'secret', { asks: { known: 42 } }))).toMatchObject({
        message: expect.stringContaining('may not have'),
      });
      expect(await failureOf(worker.run('ask', 'constructor', { asks: { known: 42 } }))).toMatchObject({
        message: expect.stringContaining('may not have'),
      });
      expect(
        await failureOf(worker.run('ask', 'known', { asks: { known: 42 }, failingAsk: 'known' })),
      ).toMatchObject({
        code: 'not_found',
        message: 'Gone.',
      });
    });

    it('passes its errors to the worker', async () => {
      expect(await failureOf(worker.run('end', 'throttled'))).toEqual({
        name: 'JobError',
        code: 'throttled',
        class: 'transient',
        message: 'Later.',
        action: 'Wait.',
        retryAfterMs: 1_234,
      });
      expect(await failureOf(worker.run('end', 'disk'))).toMatchObject({
        code: 'no_space',
        message: expect.not.stringContaining('/secret'),
      });
      expect(await failureOf(worker.run('end', 'nested'))).toMatchObject({ code: 'bad_content' });
      expect(await failureOf(worker.run('end', 'bug'))).toMatchObject({
        code: 'internal',
        class: 'transient',
        cause: expect.stringContaining('TypeError'),
      });
    });

    it('is ended when it takes too much memory, dies, is silent for too long, or is cancelled', async () => {
      expect(await failureOf(worker.run('end', 'memory'))).toMatchObject({
        code: 'memory',
        class: 'resource',
      });
      expect(await failureOf(worker.run('end', 'die'))).toMatchObject({ code: 'memory' });
      // Not for its memory: another try may go well.
      expect(await failureOf(worker.run('end', 'exit'))).toMatchObject({
        message: 'A process ended by itself, with code 3.',
      });
      expect(await failureOf(worker.run('end', 'close'))).toMatchObject({
        message: 'A process closed its channel.',
      });
      expect(await failureOf(worker.run('end', 'hang', { quietMs: 3_000 }))).toMatchObject({
        code: 'limit',
        message: 'Too slow.',
      });
      const run = worker.run('group', 'hang');
      await run.event;
      run.abort();
      expect(await failureOf(run)).toMatchObject({ message: 'cancelled by its user' });
      await until('end of all children', () => worker.children('hostileChild').length === 0);
    });

    it('writes into its own folder only, whose files then belong to the worker', async () => {
      const path = newFolder();
      const request = { own: ownFolder(path), lent: join(path, 'lent'), leave: 'file' as const };
      const tried = await resultOf(worker.run('files', request, { folder: { path, lent: ['lent'] } }));
      expect(tried).toMatchObject({
        read: 'for the child',
        ...(isOwn && { write: 'EACCES', beside: 'EACCES', temporary: 'EACCES' }),
      });
      expect(readdirSync(folder).filter((name) => name.startsWith('bindery-child-'))).toEqual([]);
      expect(readFileSync(join(ownFolder(path), 'left'), 'utf8')).toBe('mine');
      expect(statSync(join(ownFolder(path), 'left'))).toMatchObject({
        uid: isOwn || !isRoot ? process.getuid!() : somebody,
        nlink: 1,
      });
      const other = newFolder();
      const left = worker.run(
        'files',
        { ...request, own: ownFolder(other), leave: 'link' },
        { folder: { path: other } },
      );
      // Node's permissions refuse the link itself.
      expect(await failureOf(left)).toMatchObject({ code: isOwn ? 'bad_content' : 'internal' });
    });

    const itOwn = isOwn ? it : () => {};
    // Node's permissions refuse these to the worker's user before they are tried.
    itOwn('leaves no folder that cannot be removed', async () => {
      const path = newFolder();
      const request = { own: ownFolder(path), lent: join(path, 'lent'), leave: 'depth' as const };
      expect(
        await failureOf(worker.run('files', request, { folder: { path, lent: ['lent'] } })),
      ).toMatchObject({ code: 'bad_content' });
      await removeWorkFolder(path);
      expect(existsSync(path)).toBe(false);
    });

    it.each([
      { name: 'nothing', said: { message: null } },
      { name: 'another kind', said: { message: { kind: 'other' } } },
      { name: 'an ask without a name', said: { message: { kind: 'ask', id: 0 } } },
      { name: 'an ask for no function', said: { message: { kind: 'ask', id: 0, name: 7 } } },
      {
        name: 'a failure that is none',
        said: { message: { kind: 'failed', failure: { code: 'mine', class: 'mine', message: {} } } },
      },
      {
        name: 'a failure of 20,000 letters',
        said: { message: { kind: 'failed', failure: { ...internal, message: 'x'.repeat(20_000) } } },
      },
      { name: 'a message of no bytes', said: { bytes: [0, 0, 0, 0] } },
      { name: 'a message of 4 GB', said: { bytes: [0xff, 0xff, 0xff, 0xff] } },
      { name: 'bytes that are no data', said: { bytes: [8, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8] } },
      {
        name: 'an array that is longer than its message',
        said: { bytes: [8, 0, 0, 0, 0xff, 15, 0x41, 0xff, 0xff, 0xff, 0xff, 0x0f] },
      },
    ])('fails its run when it sends $name', async ({ said }) => {
      expect(await failureOf(worker.run('say', said))).toMatchObject({
        message: 'A process sent a message that is none.',
      });
    });

    it('waits while many of its events are not handled yet', async () => {
      const ended = await worker.run('flood', { events: 200, bytes: 100_000 }, { eventMs: 200 }).ended;
      expect(ended).toMatchObject({ result: 'all told' });
      expect('most' in ended && ended.most).toBeGreaterThanOrEqual(64);
      // The rest of what was read at once.
      expect('most' in ended && ended.most).toBeLessThan(70);
    });

    itOwn('has 64 processes and threads at most', async () => {
      const started = await resultOf(worker.run('swarm', 100));
      expect(started).toContain('started');
      expect(started).toContain('refused');
      await until('end of all', () => worker.children('sleep').length === 0);
    });

    it('is started ahead, taken by the next run, replaced when it dies, and ended with the others', async () => {
      const ahead = await start({ PREWARMED: '1' });
      await until('child', () => ahead.children('hostileChild').length === 1);
      const [first] = ahead.children('hostileChild');
      // One that lives for less than a second is replaced only after a pause.
      process.kill(first!, 'SIGKILL');
      await until('another child', () => ahead.children('hostileChild').some((pid) => pid !== first), {
        timeoutMs: 10_000,
      });
      const [second] = ahead.children('hostileChild');
      const run = ahead.run('group', 'wait');
      expect(((await run.event) as Started).child).toBe(second);
      run.abort();
      await run.ended;
      await until(
        'third child',
        () =>
          ahead.children('hostileChild').length === 1 && !ahead.children('hostileChild').includes(second!),
      );
      ahead.close();
      await until('end of all children', () => ahead.children('hostileChild').length === 0);
      expect(await failureOf(ahead.run('ask', 'known'))).toMatchObject({ code: 'internal' });
    });

    /**
     * Starts a child with a group of two processes, and says which processes must be gone when it is over.
     */
    const startGroup = async (then: 'return' | 'hang' | 'wait', of = worker) => {
      const run = of.run('group', then);
      const { child, group, escaped } = (await run.event) as Started;
      const members =
        then === 'return'
          ? []
          : await until('both processes', () =>
              membersOf(group!).length === 2 ? membersOf(group!) : undefined,
            );
      const all = [...members, identityOf(child), ...(escaped === undefined ? [] : [identityOf(escaped)])];
      return { run, child, group: group!, all };
    };
    it('leaves nothing of a group when the run ends', async () => {
      const { run, group, all } = await startGroup('return');
      expect(await resultOf(run)).toBe('done');
      expect(membersOf(group)).toEqual([]);
      expect(areGone(all)).toBe(true);
    });

    it('leaves nothing of a group when it is killed', async () => {
      const { run, child, all } = await startGroup('wait');
      process.kill(child, 'SIGKILL');
      expect(await failureOf(run)).toMatchObject({ code: 'memory' });
      expect(areGone(all)).toBe(true);
    });

    it('leaves nothing of a group when the worker is killed', async () => {
      const dying = await start();
      const { all } = await startGroup('wait', dying);
      dying.kill('SIGKILL');
      await until('end of all', () => areGone(all), { timeoutMs: 10_000 });
    });

    it('leaves nothing of a group when worker and child are killed, or the worker during a loop of the child', async () => {
      for (const withChild of [true, false]) {
        const dying = await start();
        const { all, child } = await startGroup('hang', dying);
        dying.kill('SIGKILL');
        if (withChild) process.kill(child, 'SIGKILL');
        await until('end of all', () => areGone(all), { timeoutMs: 10_000 });
      }
    });

    it('leaves nothing of a group when the reaper was killed first', async () => {
      const dying = await start();
      const { all } = await startGroup('hang', dying);
      const [reaper] = dying.children('reaper.sh');
      process.kill(reaper!, 'SIGKILL');
      const other = await until(
        'another reaper',
        () => dying.children('reaper.sh').find((pid) => pid !== reaper),
        { timeoutMs: 10_000 },
      );
      expect(membersOf(other)).toHaveLength(1);
      dying.kill('SIGKILL');
      await until('end of all', () => areGone(all), { timeoutMs: 10_000 });
    });

    it('is ended by the next worker when its own and the reaper were killed, unless its worker lives', async () => {
      const living = await start();
      const other = await startGroup('wait', living);
      const dying = await start();
      const { all } = await startGroup('hang', dying);
      // So that it cannot start another one.
      dying.kill('SIGSTOP');
      for (const reaper of dying.children('reaper.sh')) process.kill(reaper, 'SIGKILL');
      dying.kill('SIGKILL');
      await dying.ended;
      expect(areGone(all)).toBe(false);
      const left = mkdtempSync(join(folder, `bindery-git-${dying.pid}-1-`));
      const reused = join(folder, `bindery-git-${living.pid}-1-reused`);
      const kept = join(folder, `bindery-git-${living.pid}-${identityOf(living.pid).startedAt}-kept`);
      for (const path of [reused, kept]) mkdirSync(path);
      if (isRoot && !isOwn)
        for (const path of [left, reused, kept]) spawnSync('chown', [String(somebody), path]);
      const next = await start();
      expect(next.reaped).toBe(2);
      await until('end of all', () => areGone(all), { timeoutMs: 10_000 });
      expect(areGone(other.all)).toBe(false);
      expect(
        readdirSync(folder).filter(
          (name) => /-(1-......|reused|kept)$/.test(name) && !name.startsWith('bindery-git-1-'),
        ),
      ).toEqual([expect.stringMatching(/kept$/)]);
      other.run.abort();
      await other.run.ended;
    });

    it('cannot make the worker kill a process of others', async () => {
      const victim = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
      for (const pid of [victim.pid!, 1]) {
        expect(await failureOf(worker.run('say', { message: { kind: 'group', id: 0, pid } }))).toMatchObject({
          message: pid === 1 ? expect.stringContaining('is none') : expect.stringContaining('not its own'),
        });
      }
      expect(isRunning(identityOf(victim.pid!))).toBe(true);
      victim.kill('SIGKILL');
    });

    it('cannot start processes unless its worker allows it', async () => {
      const strict = await start({ STARTS_GROUPS: '' });
      expect(await failureOf(strict.run('group', 'wait'))).toMatchObject(
        isOwn
          ? { message: expect.stringContaining('may not') }
          : { code: 'internal', cause: expect.stringContaining('restricted') },
      );
    });
  });
}
