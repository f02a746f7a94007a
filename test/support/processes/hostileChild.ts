import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, readFileSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { JobError } from '@bindery/contract/jobErrors';
import { serveOneRequest } from '@bindery/runtime/child';
import type { HostileWork, Sight } from './hostileWork.ts';

// A compromised child process: it tries forbidden actions, and does not end by itself.

/** The descriptor of the channel to the worker. */
const channel = 3;

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
    if (how === 'memory')
      for (const kept: unknown[] = []; ;) kept.push(Array.from({ length: 100_000 }, (_, n) => ({ n })));
    if (how === 'die') process.kill(process.pid, 'SIGKILL');
    if (how === 'exit') process.exit(3);
    if (how === 'close') closeSync(channel);
    if (how === 'nested') JSON.stringify(nest());
    if (how === 'disk') throw Object.assign(new Error('ENOSPC: /secret/path'), { code: 'ENOSPC' });
    if (how === 'bug') throw new TypeError('no function');
    if (how === 'throttled')
      throw new JobError('throttled', 'Later.', { class: 'transient', action: 'Wait.', retryAfterMs: 1_234 });
    return new Promise(() => {});
  },
  group:
    async () =>
    async (then, { startGroup, tell }) => {
      const group = await startGroup('/bin/sh', ['-c', 'sleep 1000 & exec sleep 1000'], {
        env: { PATH: '/usr/bin:/bin' },
      });
      // Not by `startGroup`, and in a session of its own: only its user identifies it.
      const hasOwnUser = process.getuid!() >= 0x7000_0000;
      const escaped = hasOwnUser
        ? spawn('/bin/sleep', ['1000'], { detached: true, stdio: 'ignore', env: {} })
        : undefined;
      tell({
        child: process.pid,
        group: group.pid!,
        ...(escaped?.pid !== undefined && { escaped: escaped.pid }),
      });
      // The message must be sent before the loop begins.
      if (then === 'hang')
        setTimeout(() => {
          for (;;);
        }, 100);
      return then === 'return' ? 'done' : new Promise(() => {});
    },
  say: async () => async (request) => {
    writeSync(channel, 'bytes' in request ? Buffer.from(request.bytes) : frame(request.message));
    return new Promise(() => {});
  },
  flood:
    async () =>
    async ({ events, bytes }, { tell }) => {
      for (let event = 0; event < events; event += 1) tell(new Uint8Array(bytes));
      return 'all told';
    },
  swarm: async () => async (count) => {
    const started = Array.from({ length: count }, () =>
      spawn('/bin/sleep', ['1000'], { detached: true, stdio: 'ignore', env: {} }),
    );
    return started.map((child) => {
      child.on('error', () => {});
      return child.pid === undefined ? 'refused' : 'started';
    });
  },
  files:
    async () =>
    async ({ own, lent, leave }) => {
      writeFileSync(join(tmpdir(), 'scratch'), '');
      if (leave === 'depth') descend(own);
      else if (leave === 'file') writeFileSync(join(own, 'left'), 'mine');
      else symlinkSync('/etc/hostname', join(own, 'left'));
      return {
        read: tryIt(() => readFileSync(lent, 'utf8')),
        write: tryIt(() => writeFileSync(lent, 'changed')),
        beside: tryIt(() => writeFileSync(join(own, '../beside'), '')),
        temporary: tryIt(() => writeFileSync(join(own, '../../left'), '')),
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

/** Frames a message as a worker expects it: its length, then its body. */
function frame(message: unknown): Buffer {
  const body = serialize(message);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
}

/** Nests folders until no path can name the last one. */
function descend(folder: string): void {
  process.chdir(folder);
  for (let depth = 0; depth < 100; depth += 1) {
    const name = 'x'.repeat(200);
    mkdirSync(name);
    process.chdir(name);
  }
}

function nest(): unknown {
  let nested: unknown = 0;
  for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
  return nested;
}
