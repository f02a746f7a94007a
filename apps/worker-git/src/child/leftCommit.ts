import { readCommit } from '../git/objects/commit.ts';
import type { ObjectStore } from '../git/objects/objectStore.ts';

/** A commit that says which job has made it. Anybody can write that under a commit: only the other side knows whether it is true. */
export type LeftCommit = { job: string; commit: string };

/** The last line of the message of a commit that an export makes. */
export function jobTrailer(job: string): string {
  return `${trailer}${job}`;
}

/** What the message of a commit says about the job that has made it; undefined where it says nothing. */
export function leftCommit(store: ObjectStore, commit: string): LeftCommit | undefined {
  const lastLine = readCommit(store, commit).commit.message.split('\n').at(-1) ?? '';
  const job = lastLine.startsWith(trailer) ? lastLine.slice(trailer.length) : '';
  return /^\w{1,64}$/.test(job) ? { job, commit } : undefined;
}

const trailer = 'Bindery-Job: ';
