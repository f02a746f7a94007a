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

/** The properties shared by all processes of one kind. */
export type LimitedKind = {
  /** Its name in the metrics. */
  name: string;
  /** The module that the process runs; it calls `serveOneRequest`. */
  script: URL;
  /** Heap, in megabytes. */
  memoryMb: number;
  /** Further Node options, such as `--max-semi-space-size=1`. */
  nodeOptions?: readonly string[];
  /** The whole environment of the process, besides the variables that Node itself needs. */
  environment?: Readonly<Record<string, string>>;
  /** Whether it may start programs. If it runs as the worker's user, only this prevents it. */
  startsGroups?: boolean;
  /** See `findIsolation`. Default: `standardChildUid`. */
  firstUid?: number;
  /**
   * The most processes and threads of a process and its children, if it has a user of its own. Default: 64;
   * Node needs 11.
   */
  maxTasks?: number;
  /** Makes the error for a process that exceeded its memory limit or was killed. */
  outOfMemory(): JobError;
};

const prlimitPath = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path));

/** Address space beside the heap, for buffers and the 1.5 GB that Node reserves before it runs anything. */
const addressSpaceMb = 1_790;

/**
 * Starts a child process, which inherits only a channel to this one.
 *
 * @param scratch  its folder for temporary files
 */
export function startChild(kind: LimitedKind, isolation: Isolation, scratch: string): ChildProcess {
  const { script, memoryMb, nodeOptions = [], environment, maxTasks = 64 } = kind;
  const limits = prlimitPath ? [prlimitPath, `--as=${(addressSpaceMb + memoryMb) * 1024 * 1024}`] : [];
  if (limits.length > 0 && isolation.kind === 'own-user' && isolation.countsTasks)
    limits.push(`--nproc=${maxTasks}`);
  const node = [
    process.execPath,
    `--max-old-space-size=${memoryMb}`,
    // Without this, each WebAssembly memory, such as the HTTP parser's, reserves 1 to 10 GB of address space.
    '--disable-wasm-trap-handler',
    '--wasm-max-mem-pages=1024',
    ...nodeOptions,
    ...(isolation.kind === 'own-user' ? [] : permissions(kind)),
    fileURLToPath(script),
  ];
  const [command, ...args] = [
    ...limits,
    ...(isolation.kind === 'own-user' ? fewPrivileges(isolation.setpriv) : []),
    ...node,
  ];
  const compileCache = findCompileCache();
  return spawn(command!, args, {
    // A group of its own: signals to the worker's group do not reach it, and it is killed with its whole
    // group.
    detached: true,
    // All other descriptors close when a program starts: Node marks them so, even inherited ones.
    stdio: Array.from({ length: channelDescriptor + 1 }, (_, fd) =>
      fd === channelDescriptor ? 'pipe' : 'ignore',
    ),
    cwd: '/',
    // Nothing of the worker's environment: a process that reads untrusted bytes must not see keys and
    // database URLs.
    env: {
      ...environment,
      TMPDIR: scratch,
      // One glibc malloc arena for all threads, because buffers are freed by another thread than the one that
      // allocated them.
      MALLOC_ARENA_MAX: '1',
      ...(compileCache && { NODE_COMPILE_CACHE: compileCache }),
      ...(isolation.kind === 'own-user' && { [childUserVariable]: String(isolation.firstUid) }),
    },
  });
}

/**
 * Builds the command for a root that can only change its user, and that no program can give more privileges.
 * It changes its user before it takes a request.
 */
function fewPrivileges(setpriv: string): string[] {
  return [setpriv, '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all,+setuid,+setgid'];
}

/** Not the project's whole folder, because `npm start` keeps its keys in it. */
const sourceFolders = ['package.json', 'apps/*', 'packages/*', 'node_modules/*', 'test/*'];

/**
 * Node's permission flags, for a child with the worker's user: injected code cannot use Node's functions to
 * read the worker's environment or files. They do not protect against a vulnerability in Node itself.
 */
function permissions({ startsGroups }: LimitedKind): string[] {
  const workFolders = workFolderPurposes.map((purpose) => join(tmpdir(), `bindery-${purpose}-*`));
  return [
    '--permission',
    ...[...sourceFolders.map((name) => join(projectFolder, name)), ...workFolders].map(
      (path) => `--allow-fs-read=${path}`,
    ),
    ...workFolders.map((path) => `--allow-fs-write=${path}`),
    ...(startsGroups ? ['--allow-child-process'] : []),
  ];
}
