import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JobError } from '@bindery/contract';
import { channelDescriptor } from './channel.ts';
import { workFolderPurposes } from '../workFolder.ts';
import { findCompileCache } from './compileCache.ts';
import { projectFolder, type Isolation } from './isolation.ts';
import { childUserVariable } from './leavePrivileges.ts';

/** A kind of process: all that is the same for each of them. */
export type LimitedKind = {
  /** The module that the process runs; it calls `serveOneRequest`. */
  script: URL;
  /** Heap, in megabytes. */
  memoryMb: number;
  /** Further options of Node, such as `--max-semi-space-size=1`. */
  nodeOptions?: readonly string[];
  /** All that the process gets of an environment, beside what Node itself needs. */
  environment?: Readonly<Record<string, string>>;
  /** Whether it may start programs. Only this keeps it from that where it has the worker's user. */
  startsGroups?: boolean;
  /** See `findIsolation`. Default: `standardChildUid`. */
  firstUid?: number;
  /** How many processes and threads a process may have, with those that it starts, where it has a user of its own. Default: 64; Node has 11. */
  maxTasks?: number;
  /** Makes the error for a process that exceeded its memory limit or was killed. */
  outOfMemory(): JobError;
};

const prlimitPath = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path));

/** Address space beside the heap: buffers lie outside of it, and Node reserves 1.5 GB before it runs anything. */
const addressSpaceMb = 1_790;

/**
 * Starts one, with nothing of this process but a channel to it.
 *
 * @param scratch  its folder for temporary files
 */
export function startChild(kind: LimitedKind, isolation: Isolation, scratch: string): ChildProcess {
  const { script, memoryMb, nodeOptions = [], environment, maxTasks = 64 } = kind;
  const limits = prlimitPath ? [prlimitPath, `--as=${(addressSpaceMb + memoryMb) * 1024 * 1024}`] : [];
  if (limits.length > 0 && isolation.kind === 'own-user' && isolation.countsTasks) limits.push(`--nproc=${maxTasks}`);
  const node = [
    process.execPath,
    `--max-old-space-size=${memoryMb}`,
    // Otherwise 1 to 10 GB of address space are reserved for each WebAssembly memory, such as the HTTP parser's.
    '--disable-wasm-trap-handler',
    '--wasm-max-mem-pages=1024',
    ...nodeOptions,
    ...(isolation.kind === 'own-user' ? [] : permissions(kind)),
    fileURLToPath(script),
  ];
  const [command, ...args] = [...limits, ...(isolation.kind === 'own-user' ? fewPrivileges(isolation.setpriv) : []), ...node];
  const compileCache = findCompileCache();
  return spawn(command!, args, {
    // A group of its own: a signal for the worker's group is not for it, and it is killed with all that is in it.
    detached: true,
    // Everything else that is open closes when a program is started: Node marks it so, also what it inherited itself.
    stdio: Array.from({ length: channelDescriptor + 1 }, (_, fd) => (fd === channelDescriptor ? 'pipe' : 'ignore')),
    cwd: '/',
    // None of the worker's environment: keys and database URLs are not for a process that reads strangers' bytes.
    env: {
      ...environment,
      TMPDIR: scratch,
      // One arena for all threads of glibc's malloc: buffers are freed by another thread than the one that made them.
      MALLOC_ARENA_MAX: '1',
      ...(compileCache && { NODE_COMPILE_CACHE: compileCache }),
      ...(isolation.kind === 'own-user' && { [childUserVariable]: String(isolation.firstUid) }),
    },
  });
}

/** Root that can do nothing but change its user, and that no program can give more. It does so before it takes a request. */
function fewPrivileges(setpriv: string): string[] {
  return [setpriv, '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all,+setuid,+setgid'];
}

/** Not the project's whole folder: `npm start` keeps its keys below it. */
const sourceFolders = ['package.json', 'apps/*', 'packages/*', 'node_modules/*', 'test/*'];

/**
 * Node's own permissions, where the user is the worker's: code that a stranger got the process to run reads neither the environment nor the files of
 * the worker by Node's functions. They do not hold against a hole in Node itself.
 */
function permissions({ startsGroups }: LimitedKind): string[] {
  const workFolders = workFolderPurposes.map((purpose) => join(tmpdir(), `bindery-${purpose}-*`));
  return [
    '--permission',
    ...[...sourceFolders.map((name) => join(projectFolder, name)), ...workFolders].map((path) => `--allow-fs-read=${path}`),
    ...workFolders.map((path) => `--allow-fs-write=${path}`),
    ...(startsGroups ? ['--allow-child-process'] : []),
  ];
}
