import { spawn } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JobError } from '@bindery/contract';
import { serveOneRequest } from '@bindery/runtime/child';
import type { HostileWork, Sight } from './hostileWork.ts';

// A child process that a stranger has taken over: it tries what it must not be able to do, and does not end by itself.

serveOneRequest<HostileWork>({
  look:
    async () =>
    async (request, { tell }) => {
      tell(look(request));
      return new Promise(() => {});
    },
  ask:
    async () =>
    (name, { ask }) =>
      ask(name, { of: name }),
  end: async () => async (how) => {
    if (how === 'hang') for (;;);
    if (how === 'memory') for (const kept: unknown[] = []; ;) kept.push(Array.from({ length: 100_000 }, (_, n) => ({ n })));
    if (how === 'die') process.kill(process.pid, 'SIGKILL');
    if (how === 'nested') JSON.stringify(nest());
    if (how === 'disk') throw Object.assign(new Error('ENOSPC: /secret/path'), { code: 'ENOSPC' });
    if (how === 'bug') throw new TypeError('no function');
    if (how === 'throttled') throw new JobError('throttled', 'Later.', { class: 'transient', action: 'Wait.', retryAfterMs: 1_234 });
    return new Promise(() => {});
  },
  group:
    async () =>
    async (then, { startGroup, tell }) => {
      const group = await startGroup('/bin/sh', ['-c', 'sleep 1000 & exec sleep 1000'], { env: { PATH: '/usr/bin:/bin' } });
      // Not by `startGroup`, and in a session of its own: only its user tells to whom it belongs.
      const hasOwnUser = process.getuid!() >= 0x7000_0000;
      const escaped = hasOwnUser ? spawn('/bin/sleep', ['1000'], { detached: true, stdio: 'ignore', env: {} }) : undefined;
      tell({ child: process.pid, group: group.pid!, ...(escaped?.pid !== undefined && { escaped: escaped.pid }) });
      // The message has to be on its way before the loop.
      if (then === 'hang')
        setTimeout(() => {
          for (;;);
        }, 100);
      return then === 'return' ? 'done' : new Promise(() => {});
    },
  claim:
    async () =>
    async ({ victim }) => {
      process.send!({ kind: 'group', id: 0, pid: victim });
      return new Promise(() => {});
    },
  files:
    async () =>
    async ({ own, lent, leave }) => {
      if (leave === 'file') writeFileSync(join(own, 'left'), 'mine');
      else symlinkSync('/etc/hostname', join(own, 'left'));
      return {
        read: tryIt(() => readFileSync(lent, 'utf8')),
        write: tryIt(() => writeFileSync(lent, 'changed')),
        beside: tryIt(() => writeFileSync(join(own, '../beside'), '')),
      };
    },
});

function look({ worker, others }: { worker: number; others: string[] }): Sight {
  return {
    pid: process.pid,
    environment: { ...process.env } as Record<string, string>,
    workingDirectory: process.cwd(),
    umask: process.umask(),
    user: [process.getuid!(), process.geteuid!(), process.getgid!(), process.getegid!()],
    groups: process.getgroups!(),
    workerEnvironment: tryIt(() => readFileSync(`/proc/${worker}/environ`, 'utf8')),
    others: others.map((path) => tryIt(() => readFileSync(path, 'utf8'))),
    signalToWorker: tryIt(() => String(process.kill(worker, 0))),
  };
}

function tryIt(attempt: () => string | void): string {
  try {
    return attempt() ?? 'done';
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

function nest(): unknown {
  let nested: unknown = 0;
  for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
  return nested;
}
