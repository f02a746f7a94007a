import { isFinal } from '@bindery/contract';
import { explainWaiting, readLogPart } from '@bindery/jobs';
import { jobCollection, type JobRecord } from '@bindery/models';
import type { Request, Response } from 'express';
import { contextOf } from '../../http/requestContext.ts';
import { thePlatform } from '../../platform.ts';
import { presentJob, presentLogLine } from './job.presenter.ts';

const pingMs = 15_000;

/**
 * Writes a job's changes as server-sent events until it ends, the reader leaves or this process stops.
 *
 * `id` is the job's `seq`. The first event is the job as it is; each event's `log` holds only the lines that are new since the one before,
 * which after a reconnect is the one that `Last-Event-ID` names.
 */
export async function streamJobEvents(job: JobRecord, request: Request, response: Response): Promise<void> {
  const known = lastEventId(request, job);
  if (isFinal(job.state) && known === job.seq) {
    // Browsers come back after every end of a stream: this tells them that there is nothing more to come.
    response.set('Cache-Control', 'no-store').status(204).end();
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  if (request.method === 'HEAD') response.end();
  else await writeChanges(job._id, known, { response, signal: AbortSignal.any([contextOf(request).signal, thePlatform().stopping]) });
}

async function writeChanges(id: string, known: number, { response, signal }: { response: Response; signal: AbortSignal }): Promise<void> {
  const ping = setInterval(() => response.write(': ping\n\n'), pingMs);
  let seen = known;
  try {
    // The stream is open now, also where the first change is still to come.
    response.flushHeaders();
    for await (const _ of thePlatform().jobFeed.watch(id, signal)) {
      const job = await jobCollection().findOne({ _id: id });
      if (!job) break;
      if (job.seq > seen) {
        await writeEvent(response, job, seen);
        seen = job.seq;
      }
      if (isFinal(job.state)) break;
    }
  } finally {
    clearInterval(ping);
    response.end();
  }
}

async function writeEvent(response: Response, job: JobRecord, seen: number): Promise<void> {
  const shown = presentJob(job, await explainWaiting(job));
  const { lines } = await readLogPart(job, { since: seen, maxBlocks: 1_000 });
  const data = { ...shown, log: lines.map(presentLogLine) };
  const isTaken = response.write(`id: ${job.seq}\nevent: job\ndata: ${JSON.stringify(data)}\n\n`);
  // A reader that does not read must not fill our memory; the next look brings it the then present state.
  if (!isTaken && !response.destroyed) await new Promise<void>((resolve) => response.once('drain', resolve).once('close', resolve));
}

/** 0, before all, for a new reader and for an id that the job never had. */
function lastEventId(request: Request, job: JobRecord): number {
  const given = request.headers['last-event-id'];
  const id = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : 0;
  return id <= job.seq ? id : 0;
}
