import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

/**
 * The user of child processes: each child has its own, numbered `firstUid` plus its process number, or all
 * run as the worker's user.
 *
 * A user of its own can read neither the worker's environment nor the files of another child, and can signal
 * neither.
 */
export type OwnUser = {
  kind: 'own-user';
  firstUid: number;
  setpriv: string;
  perl: string;
  /**
   * Whether a task limit can be set: the kernel must exempt root, as which each child starts, from the limit.
   */
  countsTasks: boolean;
};

export type Isolation = OwnUser | { kind: 'same-user'; reason: string };

/** A range that no distribution assigns: https://systemd.io/UIDS-GIDS/ */
export const standardChildUid = 0x7000_0000;

/** The upper bound of process numbers on Linux. */
const uidCount = 2 ** 22;

/** The first user of the processes that kill a child's leftovers; they have users of their own, too. */
export function firstKillerUid(firstUid: number): number {
  return firstUid + uidCount;
}

/** The valid range of `BINDERY_CHILD_UID`. */
export const childUidRange = [0, 4_286_000_000] as const;

/** chown, dac_override, kill, setgid, setuid, setpcap */
const neededCapabilities = [0, 1, 5, 6, 7, 8];

export const projectFolder = fileURLToPath(new URL('../../../../', import.meta.url));
const found = new Map<number, Isolation>();

/**
 * Finds out which user children run as here; checks once.
 *
 * @param firstUid  `BINDERY_CHILD_UID`; 0 for the worker's own user
 */
export function findIsolation(firstUid: number = standardChildUid): Isolation {
  const known = found.get(firstUid);
  if (known) return known;
  const user = findProgramUser(firstUid);
  const refused = user.kind === 'own-user' ? findUnreadable(user.setpriv, firstUid) : undefined;
  const isolation: Isolation = refused === undefined ? user : { kind: 'same-user', reason: refused };
  found.set(firstUid, isolation);
  return isolation;
}

/**
 * Finds the user of a program of the system, such as a browser, which reads no file of the project: it can
 * have a user of its own even if the project's folder is closed to other users.
 */
export function findProgramUser(firstUid: number = standardChildUid): Isolation {
  const same = (reason: string): Isolation => ({ kind: 'same-user', reason });
  if (firstUid === 0) return same('BINDERY_CHILD_UID is 0');
  if (process.platform !== 'linux') return same('only Linux lets them have one');
  if (process.geteuid?.() !== 0) return same('the worker does not run as root');
  if (!hasCapabilities()) return same('the worker is root without the capabilities for it');
  if (!isMapped('uid_map', firstUid) || !isMapped('gid_map', firstUid)) {
    return same(`the users from ${firstUid} to ${firstUid + 2 * uidCount} do not exist in this container`);
  }
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));
  if (!setpriv) return same('there is no setpriv');
  const perl = ['/usr/bin/perl', '/bin/perl'].find((path) => existsSync(path));
  if (!perl) return same('there is no perl');
  const isHostRoot = /^\s*0\s+0\s/.test(readFileSync('/proc/self/uid_map', 'utf8'));
  return { kind: 'own-user', firstUid, setpriv, perl, countsTasks: isHostRoot };
}

function hasCapabilities(): boolean {
  const effective = /^CapEff:\s+([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return neededCapabilities.every((bit) => (BigInt(`0x${effective}`) >> BigInt(bit)) & 1n);
}

/** Whether the user namespace of this process maps the whole range. */
function isMapped(map: 'uid_map' | 'gid_map', first: number): boolean {
  const ranges = readFileSync(`/proc/self/${map}`, 'utf8').trim().split('\n');
  return ranges.some((line) => {
    const [start = 0, , length = 0] = line.trim().split(/\s+/).map(Number);
    return first >= start && first + 2 * uidCount <= start + length;
  });
}

/** Tests as such a user whether it can read the files that children need. */
function findUnreadable(setpriv: string, uid: number): string | undefined {
  const script =
    '[ -x "$1" ] || { echo "$1"; exit 1; }; [ -r "$2/packages/runtime/package.json" ] && [ -x "$2/node_modules" ] || { echo "$2"; exit 1; }; [ -x "$3" ] || { echo "$3"; exit 1; }';
  const asUser = ['--reuid', String(uid), '--regid', String(uid), '--clear-groups', '--no-new-privs'];
  const tried = spawnSync(
    setpriv,
    [...asUser, '/bin/sh', '-c', script, 'sh', process.execPath, projectFolder, tmpdir()],
    {
      cwd: '/',
      env: {},
      encoding: 'utf8',
      timeout: 5_000,
    },
  );
  if (tried.status === 0) return undefined;
  const path = (tried.stdout ?? '').trim();
  return path ? `other users cannot reach ${path}` : 'setpriv cannot change the user';
}

/** Describes the isolation in one sentence, for a log or a person. */
export function describeIsolation(isolation: Isolation): string {
  return isolation.kind === 'own-user'
    ? `Child processes run as users of their own, from ${isolation.firstUid} on.`
    : `Child processes run as the worker's user, because ${isolation.reason}.`;
}
