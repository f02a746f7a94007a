import { readLogPart, type JobSnapshot } from '@bindery/jobs';
import { LRUCache } from 'lru-cache';
import type { Links } from '../../presenters/links.ts';
import { presentJob, presentLogLine } from './job.presenter.ts';

/** A part of the text of an event; `next` is the number of the following part. */
export type EventPart = { bytes: Buffer; next?: number };

type PartRequest = { links: Links; since: number; from: number };
type SharedPartRequest = PartRequest & { isShared: boolean };

/**
 * Blocks of log lines in one part. Bounds the memory for a listener that does not read, and the size of one
 * read of a log.
 */
const blocksInPart = 1;
const cachedBytes = 4 * 1024 * 1024;

const cached = new LRUCache<string, EventPart>({
  maxSize: cachedBytes,
  sizeCalculation: ({ bytes }) => bytes.length,
});
const underWay = new Map<string, Promise<EventPart>>();

/**
 * Makes a part of the event that shows a job: its fields, and the lines of its log after `since`. Listeners
 * that get the same part share its bytes and one read of the log.
 *
 * @param from  `next` of the part before; 0 is the first
 * @param isShared  whether other listeners will want the part. Other parts are not cached: they would outlive
 *   the collections of new objects, and a thousand listeners on as many jobs would fill the memory with them
 */
export async function eventPart(
  snapshot: JobSnapshot,
  { links, since, from, isShared }: SharedPartRequest,
): Promise<EventPart> {
  const { _id, seq } = snapshot.job;
  const key = `${_id} ${seq} ${since} ${from}`;
  const known = cached.get(key) ?? underWay.get(key);
  if (known) return known;
  if (!isShared) return makePart(snapshot, { links, since, from });
  const making = makePart(snapshot, { links, since, from }).finally(() => underWay.delete(key));
  underWay.set(key, making);
  const part = await making;
  cached.set(key, part);
  return part;
}

async function makePart(
  { job, waiting: why }: JobSnapshot,
  { links, since, from }: PartRequest,
): Promise<EventPart> {
  const { lines, next } = await readLogPart(job, { since, from, maxBlocks: blocksInPart });
  const log = lines.map((line) => JSON.stringify(presentLogLine(line))).join(',');
  const head = `id: ${job.seq}\nevent: job\ndata: ${JSON.stringify(presentJob(job, { links, waiting: why })).slice(0, -1)},"log":[`;
  const isLast = next === undefined;
  const text = `${from === 0 ? head : log && ','}${log}${isLast ? ']}\n\n' : ''}`;
  return { bytes: Buffer.from(text), next };
}
