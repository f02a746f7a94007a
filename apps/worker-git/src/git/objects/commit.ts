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
  const bytes = store.read(object);
  const headEnd = bytes.indexOf('\n\n');
  const head = bytes.toString('utf8', 0, headEnd < 0 ? bytes.length : headEnd);
  const field = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(head)?.[1];
  const treeOid = field('tree');
  if (!treeOid || !/^[0-9a-f]{40}$/.test(treeOid)) throw malformedPack();
  const text = decoder(field('encoding'));
  const message = headEnd < 0 ? '' : text.decode(bytes.subarray(headEnd + 2));
  const seconds = Number(/> (\d{1,11}) [+-]\d{4}$/.exec(field('committer') ?? '')?.[1] ?? 0);
  return {
    commit: {
      oid,
      message: message.slice(0, maxMessageLength).trimEnd(),
      authorName: (/^(.*?) ?</.exec(field('author') ?? '')?.[1] ?? '').slice(0, 255),
      committedAt: new Date(seconds * 1000).toISOString(),
    },
    treeOid,
  };
}

/** Returns the parents of a commit; none if the commit is missing. */
export function parentsOf(store: ObjectStore, oid: string): string[] {
  const object = store.find(oid);
  if (object?.type !== 'commit' || object.size > 1024 * 1024) return [];
  const head = store.read(object).toString('latin1').split('\n\n', 1)[0]!;
  return Array.from(head.matchAll(/^parent ([0-9a-f]{40})$/gm), ([, parent]) => parent!);
}

/** Old commits may name another encoding; an unknown name is read as UTF-8, as git does. */
function decoder(encoding = 'utf-8'): { decode(bytes: Uint8Array): string } {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder();
  }
}
