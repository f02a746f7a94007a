import { readFileSync } from 'node:fs';

/** The first user id for children; set by the worker if each has a user of its own. */
export const childUserVariable = 'BINDERY_CHILD_UID';

/**
 * Switches to a user that no other process has: the worker's first child user plus the number of this
 * process.
 *
 * Node starts as the worker's user, because only that user can read the compile cache, which no process that
 * reads untrusted bytes may write.
 * @throws when any privilege of the old user is left; this process must not take a request then
 */
export function leavePrivileges(): void {
  const first = process.env[childUserVariable];
  delete process.env[childUserVariable];
  if (first === undefined) return;
  const uid = Number(first) + process.pid;
  process.setgroups!([]);
  process.setgid!(uid);
  process.setuid!(uid);
  const status = readFileSync('/proc/self/status', 'utf8');
  const isChanged =
    new RegExp(`^Uid:(\\s+${uid}){4}$`, 'm').test(status) &&
    new RegExp(`^Gid:(\\s+${uid}){4}$`, 'm').test(status);
  if (!isChanged || !/^CapPrm:\s+0+$/m.test(status) || !/^Groups:\s*$/m.test(status))
    throw new Error('The process could not change its user.');
}
