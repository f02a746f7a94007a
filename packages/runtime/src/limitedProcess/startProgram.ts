import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { createWorkFolder, ownFolder, removeWorkFolder, type WorkFolderPurpose } from '../workFolder.ts';
import { endGroups } from './endGroups.ts';
import { handOver } from './handOver.ts';
import { findProgramUser } from './isolation.ts';
import { killList } from './killList.ts';
import { killGroup, listedGroup } from './listedGroup.ts';
import { startGroup } from './startGroup.ts';

/** A program that reads untrusted bytes, with a process group and, under root, a user of its own. */
export type Program = {
  child: ChildProcess;
  /** Its process number, which is also that of its group. */
  pid: number;
  /** Its user; undefined if it runs as the user of this process. */
  uid: number | undefined;
  /** The only folder that it may write to. */
  folder: string;
  /** Kills the group at once. */
  kill(): void;
  /** Kills everything of it. Resolves to true when no process and no folder of it is left. */
  end(): Promise<boolean>;
};

/**
 * Starts a program that ends with this process, even when this one is killed. Its folder is its home and its
 * temporary folder.
 *
 * @param args  gets the program's own folder
 * @param firstUid  see `findIsolation`
 * @throws Error for a root that cannot give it another user, because no browser runs its sandbox as root, and
 *   when that user could not reach its folder
 */
export async function startProgram(
  command: string,
  {
    args,
    purpose,
    firstUid,
    environment = {},
    stdio,
  }: {
    args: (folder: string) => readonly string[];
    purpose: WorkFolderPurpose;
    firstUid?: number | undefined;
    environment?: Readonly<Record<string, string>>;
    stdio: readonly ('ignore' | 'pipe')[];
  },
): Promise<Program> {
  const user = findProgramUser(firstUid);
  if (user.kind === 'same-user' && process.geteuid?.() === 0)
    throw new Error(`it cannot get a user of its own: ${user.reason}`);
  const isolation = user.kind === 'own-user' ? user : undefined;
  if (isolation && !(await isOpenToOthers(tmpdir())))
    throw new Error(`its user cannot reach the temporary folder ${tmpdir()} (TMPDIR)`);
  const workFolder = await createWorkFolder(purpose);
  const folder = ownFolder(workFolder);
  let group: ReturnType<typeof listedGroup> | undefined;
  const end = async () => {
    if (group) {
      killGroup(group);
      if (!(await endGroups([group], isolation))) return false;
      killList.remove(group);
    }
    await removeWorkFolder(workFolder);
    return true;
  };
  try {
    const [program = '', ...rest] = [...(isolation ? asOwnUser(isolation) : []), command, ...args(folder)];
    const child = await startGroup(program, rest, {
      stdio,
      cwd: '/',
      env: { ...environment, HOME: folder, TMPDIR: folder },
      announce: async (pid) => {
        const uid = isolation && isolation.firstUid + pid;
        group = listedGroup(pid, uid);
        await killList.add(group, isolation);
        await handOver({ path: workFolder }, uid);
      },
    });
    const { pid, uid } = group!;
    return { child, pid, uid, folder, kill: () => killGroup({ pid }), end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Whether every user may enter this folder, which includes all folders above it. */
async function isOpenToOthers(folder: string): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    if (((await stat(path)).mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

/**
 * Builds the command that becomes the user numbered after its process, which is only known when it runs, and
 * gives up all privileges.
 */
function asOwnUser({ setpriv, firstUid }: { setpriv: string; firstUid: number }): string[] {
  const script =
    'user=$(($1 + $$)) setpriv=$2; shift 2; exec "$setpriv" --reuid=$user --regid=$user --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all "$@"';
  return ['/bin/sh', '-c', script, 'sh', String(firstUid), setpriv];
}
