import { readCommit } from '../git/objects/commit.ts';
import type { ObjectStore } from '../git/objects/objectStore.ts';

/**
 * A push that an export may have made without recording it: a commit whose message names a job. Anybody can write that into a message; only the
 * record of the job shows whether it is true.
 */
export type UnrecordedPush = { job: string; commit: string };

/** The last line of the message of a commit that an export makes. */
export function jobTrailer(job: string): string {
  return `${trailer}${job}`;
}

/** The job that the message of a commit names; undefined where it names none. */
export function unrecordedPush(store: ObjectStore, commit: string): UnrecordedPush | undefined {
  const lastLine = readCommit(store, commit).commit.message.split('\n').at(-1) ?? '';
  const job = lastLine.startsWith(trailer) ? lastLine.slice(trailer.length) : '';
  return /^\w{1,64}$/.test(job) ? { job, commit } : undefined;
}

const trailer = 'Bindery-Job: ';
