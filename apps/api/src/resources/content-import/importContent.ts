import { refuseClosed } from '@bindery/content';
import { ApiError, invalid, type ImportContentResult } from '@bindery/contract';
import type { ShownJob } from '@bindery/jobs';
import {
  ChangeRequest,
  jobCollection,
  Space,
  type ChangeRequestRecord,
  type JobRecord,
  type SpaceRecord,
} from '@bindery/models';
import type { Reply } from '../../http/answer/reply.ts';
import type { RequestContext } from '../../http/requestContext.ts';
import { passingFailure, waitForSuccess, type FailedJob } from '../job/waitForSuccess.ts';
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
 * @throws invalid_request when the source has no content to import; the errors of `acceptImport` and
 *   `waitForSuccess`
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
  const job =
    (await findJob(request.earlierJob)) ??
    (await acceptImport({ platform, ...accepted, traceparent: request.traceparent }));
  reply.awaitsJob(job._id);
  const { waitMs } = platform.config.contentImport;
  const done = await waitForSuccess(job, {
    platform,
    actor: accepted.actor,
    request,
    waitMs,
    messages,
    refuse: async (failed) => {
      await refuseClosedMeanwhile(accepted.target);
      return refusalOf(failed);
    },
  });
  return resultOf(done);
}

async function findJob(id: string | undefined): Promise<JobRecord | null> {
  return id === undefined ? null : jobCollection().findOne({ _id: id });
}

const messages = {
  noWorker: 'No worker that imports content is running; the job starts when one does.',
  unfinished: 'The content is still being imported.',
  cancelled: 'The import was cancelled; nothing was imported.',
};

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

function refusalOf({
  code = 'internal',
  message = 'The import failed.',
  action,
  headers,
}: FailedJob): ApiError {
  if (passing.has(code)) return passingFailure(message, { action, headers });
  const { details } = invalid('body.url', message);
  return new ApiError('invalid_request', message, { headers, action, details });
}
