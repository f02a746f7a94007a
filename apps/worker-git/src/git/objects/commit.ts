import { decoderOf, headerLine, splitCommit } from './commitHeader.ts';
import { readIdentity } from './identity.ts';
import type { ObjectStore } from './objectStore.ts';
import { malformedPack, missingObject } from './packErrors.ts';

/** The commit shown on a revision; `committedAt` is an ISO 8601 time in UTC. */
export type Commit = { oid: string; message: string; authorName: string; committedAt: string };

const maxMessageLength = 64 * 1024;

/**
 * Reads a commit and the oid of its tree.
 *
 * @throws JobError bad_content when the object is missing or is not a commit
 */
export function readCommit(store: ObjectStore, oid: string): { commit: Commit; treeOid: string } {
  const object = store.find(oid);
  if (!object) throw missingObject('the commit');
  if (object.type !== 'commit' || object.size > 1024 * 1024) throw malformedPack();
  const { head, message } = splitCommit(store.read(object));
  const treeOid = headerLine(head, 'tree')?.toString('latin1') ?? '';
  if (!/^[0-9a-f]{40}$/.test(treeOid)) throw malformedPack();
  const decoder = decoderOf(head);
  const author = readIdentity(headerLine(head, 'author'), decoder);
  const { seconds = 0 } = readIdentity(headerLine(head, 'committer'), decoder);
  return {
    commit: {
      oid,
      message: decoder.decode(message).slice(0, maxMessageLength).trimEnd(),
      authorName: author.name,
      committedAt: new Date(seconds * 1000).toISOString(),
    },
    treeOid,
  };
}

/** Returns the parents of a commit; none if the commit is missing. */
export function parentsOf(store: ObjectStore, oid: string): string[] {
  const object = store.find(oid);
  if (object?.type !== 'commit' || object.size > 1024 * 1024) return [];
  return parentsIn(splitCommit(store.read(object)).head);
}

/** Returns the parents that the header of a commit names. */
export function parentsIn(head: Buffer): string[] {
  return Array.from(head.toString('latin1').matchAll(/^parent ([0-9a-f]{40})$/gm), ([, parent]) => parent!);
}
