import { isFinal } from '@bindery/contract';
import type { Request, Response } from 'express';
import { contextOf } from '../../http/requestContext.ts';
import type { Platform } from '../../platform.ts';
import { shownState } from '../../resources/job/shownState.ts';
import { loadJob, progressText } from './jobPage.ts';

/** Each stream ends after this time; the browser connects again, and the session is checked again. */
const streamMs = 60_000;
const maxStreams = 50;
let streams = 0;

/**
 * Streams the progress of a job to the script of its page, as server-sent events with the state and a text.
 *
 * @throws ApiError not_found
 */
export async function streamProgress(
  { jobFeed, stopping }: Platform,
  request: Request<{ job: string }>,
  response: Response,
): Promise<void> {
  const { _id, seq } = await loadJob(request.params.job);
  if (streams >= maxStreams) {
    response.status(503).set('Retry-After', '10').end();
    return;
  }
  streams += 1;
  try {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    const left = AbortSignal.any([contextOf(request).signal, stopping, AbortSignal.timeout(streamMs)]);
    for await (const { job, waiting } of jobFeed.follow(_id, left, { since: seq, explains: true })) {
      const { done, total } = job.progress ?? {};
      const event = { state: shownState(job), text: progressText(job, waiting), done, total };
      // A reader that does not keep up skips to the newest state.
      if (!response.writableNeedDrain) response.write(`data: ${JSON.stringify(event)}\n\n`);
      if (isFinal(job.state)) break;
    }
  } finally {
    streams -= 1;
    response.end();
  }
}
