import { refuseClosed } from '@bindery/content';
import { ApiError, invalid, type ImportContentResult } from '@bindery/contract';
import { hasLiveWorker, type ShownJob } from '@bindery/jobs';
import { ChangeRequest, Space, type ChangeRequestRecord, type SpaceRecord } from '@bindery/models';
import type { Reply } from '../../http/answer/reply.ts';
import type { RequestContext } from '../../http/requestContext.ts';
import type { Platform } from '../../platform.ts';
import { waitForEnd } from '../job/waitForEnd.ts';
import { acceptImport, type AcceptedImport } from './acceptImport.ts';

/** Errors of the platform, not of the imported content: the same request may succeed later. */
const passing = new Set([
  'internal',
  'no_space',
  'crashed',
  'lost_lease',
  'quarantined',
  'deadline',
  'unsupported_version',
]);

/**
 * Imports content and waits for the end of the import.
 *
 * @throws invalid_request when the source has no content to import; unavailable, with the job, while the
 *   import is running
 */
export async function importContent({
  platform,
  request,
  reply,
  ...accepted
}: Omit<AcceptedImport, 'traceparent'> & {
  request: RequestContext;
  reply: Reply;
}): Promise<ImportContentResult> {
  const job = await acceptImport({ platform, ...accepted, traceparent: request.traceparent });
  reply.startedJob(job._id);
  if (!(await hasLiveWorker(job)))
    throw notYet(job, platform, 'No worker that imports content is running; the job starts when one does.');
  const { waitMs } = platform.config.contentImport;
  const ended = await waitForEnd(job._id, { platform, waitMs, left: request.signal });
  if (ended.state === 'succeeded') return resultOf(ended);
  await refuseClosedMeanwhile(accepted.target);
  throw refusalOf(ended, platform);
}

function resultOf({ result }: ShownJob): ImportContentResult {
  const { revision, importedResources, totalResources } = result as ImportContentResult;
  return { revision, importedResources, totalResources };
}

/**
 * Throws the more useful reason when the space was locked, or the change request merged, while the import
 * ran.
 */
async function refuseClosedMeanwhile({
  space: { _id: spaceId },
  changeRequest: loaded,
}: AcceptedImport['target']): Promise<void> {
  const [space, changeRequest] = await Promise.all([
    Space.findById(spaceId).lean<SpaceRecord>(),
    loaded && ChangeRequest.findById(loaded._id).lean<ChangeRequestRecord>(),
  ]);
  if (space) refuseClosed({ space, changeRequest: changeRequest ?? undefined });
}

function refusalOf(job: ShownJob, platform: Platform): ApiError {
  const { state, error } = job;
  const headers = headersOf(job, platform);
  if (state === 'failed' || state === 'timed_out') {
    const { code = 'internal', message = 'The import failed.', action } = error ?? {};
    if (passing.has(code))
      return new ApiError('unavailable', message, {
        action,
        headers: { ...headers, 'Retry-After': '10' },
      });
    const { details } = invalid('body.url', message);
    return new ApiError('invalid_request', message, { headers, action, details });
  }
  if (state === 'cancelled' || state === 'superseded')
    return new ApiError('conflict', 'The import was cancelled; nothing was imported.', {
      action: 'Start it again.',
      headers,
    });
  return notYet(job, platform, 'The content is still being imported.');
}

function notYet(job: ShownJob, platform: Platform, message: string): ApiError {
  return new ApiError('unavailable', message, {
    action: 'Follow the job that `Link` names; the same request joins it while it runs.',
    headers: { ...headersOf(job, platform), 'Retry-After': '10' },
  });
}

function headersOf({ _id }: ShownJob, { links }: Platform): Record<string, string> {
  return { 'X-Job-Id': _id, Link: `<${links.api(`/jobs/${_id}`)}>; rel="monitor"` };
}
