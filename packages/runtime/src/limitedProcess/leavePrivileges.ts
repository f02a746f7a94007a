import { readFileSync } from 'node:fs';

/** Names the first of the users that children have; the worker sets it where they have one of their own. */
export const childUserVariable = 'BINDERY_CHILD_UID';

/**
 * Becomes a user that no other process has: the number of this process, counted from the first one that the worker names.
 *
 * Node starts as the worker's user because only that has the compiled modules, which nothing that reads strangers' bytes may write to.
 * @throws when anything of the old user is left; this process must not take a request then
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
  const isChanged = new RegExp(`^Uid:(\\s+${uid}){4}$`, 'm').test(status) && new RegExp(`^Gid:(\\s+${uid}){4}$`, 'm').test(status);
  if (!isChanged || !/^CapPrm:\s+0+$/m.test(status) || !/^Groups:\s*$/m.test(status))
    throw new Error('The process could not change its user.');
}
