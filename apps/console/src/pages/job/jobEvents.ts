import { apiPath } from '@bindery/runtime';
import { streamOf } from '../../api/streamOf.ts';
import type { Answer } from '../../http/answer.ts';
import type { Visit } from '../../http/route.ts';

/**
 * The events of a job for the script of its page: those of the API, which checks every few seconds whether
 * the session still reaches the job. They resume after the one that the browser has.
 *
 * @throws ApiFailure
 */
export async function jobEvents({ api, params, lastEventId, signal }: Visit): Promise<Answer> {
  const events = await api.open(apiPath`/jobs/${params['job'] ?? ''}/events`, {
    signal,
    headers: { ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
  });
  return {
    // 204: the job has ended, and the browser has its last event. It then does not connect again.
    status: events.status,
    contentType: events.headers.get('content-type') ?? 'text/event-stream',
    headers: { 'X-Accel-Buffering': 'no' },
    body: streamOf(events),
  };
}
