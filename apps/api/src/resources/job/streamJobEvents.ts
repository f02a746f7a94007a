import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, isFinal } from '@bindery/contract';
import type { JobSnapshot, ShownJob } from '@bindery/jobs';
import { createTurns, type Turn } from '@bindery/runtime';
import type { Request, Response } from 'express';
import type { Actor } from '../../http/actor.ts';
import { errorBody } from '../../http/answer/errorHandler.ts';
import { isOutage } from '../../http/outage.ts';
import { contextOf } from '../../http/requestContext.ts';
import type { Platform } from '../../platform.ts';
import { eventPart } from './jobEventParts.ts';
import { enterListener, type Listener } from './listeners.ts';

/** A client that has accepted no byte for this long counts as disconnected. */
const stuckMs = 60_000;
const retryMs = 500;
/**
 * The listeners that get parts of an event at once. Without a limit, a thousand listeners on as many jobs
 * would have their parts in memory together.
 */
const takeTurn = createTurns(8);
/** A reader that needs longer for a part ends its turn. */
const promptMs = 20;
/**
 * A turn covers several parts: objects of listeners that wait grow old, and old garbage stays in memory until
 * the next full collection.
 */
const partsInTurn = 8;

/**
 * Writes a job's changes as server-sent events until the job ends, the reader leaves or loses access, or this
 * process stops.
 *
 * `id` is the job's `seq`. The first event has the present state of the job. The `log` of each event has only
 * the lines added since the event before, which after a reconnect is the one named by `Last-Event-ID`. An
 * unavailable store delays events but does not end the stream.
 */
export async function streamJobEvents(
  { platform, actor, job }: { platform: Platform; actor: Actor; job: ShownJob },
  request: Request,
  response: Response,
): Promise<void> {
  const known = lastEventId(request, job);
  if (isFinal(job.state) && known === job.seq) {
    // Browsers reconnect after every end of a stream, unless they get 204.
    response.set('Cache-Control', 'no-store').status(204).end();
    return;
  }
  const stream = openStream(response);
  const listener =
    request.method === 'HEAD'
      ? undefined
      : enterListener({ platform, actor, job: job._id, organization: job.organization }, stream.ping);
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  if (!listener) {
    response.end();
    return;
  }
  try {
    // Opens the stream for the client even before the first change.
    response.flushHeaders();
    const left = AbortSignal.any([contextOf(request).signal, platform.stopping, listener.ended]);
    await writeChanges(job, known, { platform, stream, listener, left });
  } finally {
    listener.leave();
    const refusal: unknown = listener.ended.reason;
    if (refusal instanceof ApiError) stream.writeWhole(closedEvent(refusal, contextOf(request).id));
    response.end();
  }
}

type Listening = { platform: Platform; stream: EventStream; listener: Listener; left: AbortSignal };

async function writeChanges(
  { _id, seq }: ShownJob,
  known: number,
  { platform, stream, listener, left }: Listening,
): Promise<void> {
  let seen = known;
  for await (const snapshot of platform.jobFeed.follow(_id, left, { since: seq, explains: true })) {
    if (snapshot.job.seq > seen) {
      await throughOutages(left, () => listener.requireAccess());
      await writeEvent(snapshot, seen, { platform, stream, listener, left });
      seen = snapshot.job.seq;
    }
    if (isFinal(snapshot.job.state)) return;
  }
}

async function writeEvent(
  snapshot: JobSnapshot,
  since: number,
  { platform: { links }, stream, listener, left }: Listening,
): Promise<void> {
  // A function of its own: a thousand listeners that wait for their next part must not hold their last one.
  const writePart = async (from: number, turn: Turn) => {
    const part = await throughOutages(left, () =>
      eventPart(snapshot, { links, since, from, isShared: listener.isAccompanied() }),
    );
    if (!part) return undefined;
    const slow = setTimeout(turn.end, promptMs);
    await stream.write(part.bytes, { isLast: part.next === undefined });
    clearTimeout(slow);
    return part.next;
  };
  for (let from: number | undefined = 0; from !== undefined;) {
    const turn = await takeTurn();
    try {
      for (let n = 0; n < partsInTurn && from !== undefined && !turn.hasEnded(); n += 1)
        from = await writePart(from, turn);
    } finally {
      turn.end();
    }
  }
}

type EventStream = ReturnType<typeof openStream>;

/** A response for events in parts, with nothing between the parts of one event. */
function openStream(response: Response) {
  let isBetween = true;
  return {
    /**
     * Waits until the reader has taken the data, so that unread events do not fill the memory. The next event
     * then has the state of that time.
     */
    write: async (bytes: Buffer, { isLast }: { isLast: boolean }) => {
      // Writing to a closed connection is an error.
      if (response.destroyed) return;
      isBetween = false;
      await written(response, bytes);
      isBetween = isLast;
    },
    /** Sends a last event; in the middle of another event it cuts the connection instead. */
    writeWhole: (text: string) => {
      if (!isBetween) response.destroy();
      else if (!response.destroyed) response.write(text);
    },
    ping: () => {
      if (isBetween && !response.destroyed) response.write(': ping\n\n');
    },
  };
}

/** Resolves once the system has taken all bytes, or the connection is closed. */
async function written(response: Response, bytes: Buffer): Promise<void> {
  const stuck = setTimeout(() => response.destroy(), stuckMs);
  const closed = Promise.withResolvers<void>();
  response.once('close', closed.resolve);
  try {
    await Promise.race([new Promise((resolve) => response.write(bytes, resolve)), closed.promise]);
  } finally {
    clearTimeout(stuck);
    response.off('close', closed.resolve);
  }
}

/**
 * Runs `work`, and repeats it while a store is unavailable; undefined when `left` aborts, whatever `work`
 * throws then.
 */
async function throughOutages<T>(left: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  while (!left.aborted) {
    try {
      return await work();
    } catch (error) {
      if (!left.aborted && !isOutage(error)) throw error;
      await delay(retryMs, undefined, { signal: left }).catch(() => {});
    }
  }
  return undefined;
}

function closedEvent(refusal: ApiError, requestId: string): string {
  return `event: closed\ndata: ${JSON.stringify(errorBody(refusal, requestId))}\n\n`;
}

/**
 * The `seq` of the last event that the reader has; 0 for a new reader and for an id that the job never had.
 */
function lastEventId(request: Request, job: ShownJob): number {
  const given = request.headers['last-event-id'];
  const id = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : 0;
  return id <= job.seq ? id : 0;
}
