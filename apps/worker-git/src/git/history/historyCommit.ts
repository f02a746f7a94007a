import { decoderOf, headerLine, splitCommit, type TextReader } from '../objects/commitHeader.ts';
import { parentsIn } from '../objects/commit.ts';
import { readIdentity, type Person } from '../objects/identity.ts';
import type { ObjectStore } from '../objects/objectStore.ts';

/**
 * A commit as the history of pages needs it. `authors` begins with its author, followed by those that its
 * message names by `Co-authored-by`. `at` is the committer's time in seconds since 1970.
 */
export type HistoryCommit = {
  oid: string;
  tree: string;
  parents: string[];
  authors: Person[];
  at?: number;
};

/** Longer commits are cut: a name in them may be as long as they are. */
const maxCommitBytes = 4 * 1024 * 1024;
const maxTrailerBytes = 64 * 1024;
const maxCoAuthors = 30;

/** Reads a commit; undefined if it is missing or has no tree. */
export function readHistoryCommit(store: ObjectStore, oid: string): HistoryCommit | undefined {
  const object = store.find(oid);
  if (object?.type !== 'commit') return undefined;
  return parseHistoryCommit(oid, store.read(object, 0, Math.min(object.size, maxCommitBytes)));
}

/** Parses a commit; undefined if it has no tree. */
export function parseHistoryCommit(oid: string, bytes: Buffer): HistoryCommit | undefined {
  const { head, message } = splitCommit(bytes);
  const tree = headerLine(head, 'tree')?.toString('latin1') ?? '';
  if (!/^[0-9a-f]{40}$/.test(tree)) return undefined;
  const decoder = decoderOf(head);
  const { name, email } = readIdentity(headerLine(head, 'author'), decoder);
  const { seconds: at } = readIdentity(headerLine(head, 'committer'), decoder);
  const coAuthors = coAuthorsIn(message.subarray(-maxTrailerBytes), decoder);
  return {
    oid,
    tree,
    parents: parentsIn(head),
    authors: [{ name, email }, ...coAuthors].filter((person) => person.name !== '' || person.email !== ''),
    at,
  };
}

const trailer = /^co-authored-by:/gim;

/** Finds the lines by which GitHub, GitLab and others name further authors. */
function coAuthorsIn(message: Buffer, decoder: TextReader): Person[] {
  const text = message.toString('latin1');
  return Array.from(text.matchAll(trailer), ({ 0: { length }, index }) => {
    const end = message.indexOf(0x0a, index);
    const line = message.subarray(index + length, end < 0 ? message.length : end);
    return readIdentity(line, decoder);
  })
    .slice(0, maxCoAuthors)
    .map(({ name, email }) => ({ name, email }));
}
