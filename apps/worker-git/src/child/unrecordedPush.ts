import { readCommit } from '../git/objects/commit.ts';
import type { ObjectStore } from '../git/objects/objectStore.ts';

/**
 * A push that an export may have made without recording it: a commit whose message names a job. Anyone can
 * write that; only the job's record proves it.
 */
export type UnrecordedPush = { job: string; commit: string };

/** The last line of an export's commit message. */
export function jobTrailer(job: string): string {
  return `${trailer}${job}`;
}

/** Finds the job named in a commit message; undefined without one. */
export function unrecordedPush(store: ObjectStore, commit: string): UnrecordedPush | undefined {
  const lastLine = readCommit(store, commit).commit.message.split('\n').at(-1) ?? '';
  const job = lastLine.startsWith(trailer) ? lastLine.slice(trailer.length) : '';
  return /^\w{1,64}$/.test(job) ? { job, commit } : undefined;
}

const trailer = 'Bindery-Job: ';
