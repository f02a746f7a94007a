import { loadRevision, loadPageIndex } from '@bindery/content';
import { ApiError, notFound, type PDFQuery } from '@bindery/contract';
import { hasLiveWorker, type ShownJob } from '@bindery/jobs';
import type { JobRecord, SpaceRecord } from '@bindery/models';
import { blobKey } from '@bindery/storage';
import type { Reply } from '../../http/answer/reply.ts';
import type { RequestContext } from '../../http/requestContext.ts';
import type { Platform } from '../../platform.ts';
import { waitForEnd } from '../job/waitForEnd.ts';

const linkSeconds = 3_600;

/** The input of both kinds of PDF jobs. */
export type PdfInput = { spaceId: string; revision: string; page?: string; only: boolean };

export type PdfRequest = {
  platform: Platform;
  space: SpaceRecord;
  /** The printed object, its revision, and its title, which becomes the file name. */
  subject: { type: 'space' | 'change-request'; id: string };
  revision: string;
  title: string;
  query: PDFQuery;
  request: RequestContext;
  reply: Reply;
  accept: (job: {
    input: PdfInput;
    joinKey: string;
    isOfUse: (job: JobRecord) => Promise<boolean>;
  }) => Promise<JobRecord>;
};

/**
 * Returns a link to a PDF of a revision: reuses a stored PDF, or waits for a new one.
 *
 * @throws not_found for a page that the revision does not have; unavailable, with the job, while the job
 *   still runs; conflict when the job failed for good
 */
export async function makePdf({
  platform,
  space,
  subject,
  revision,
  title,
  query,
  request,
  reply,
  accept,
}: PdfRequest): Promise<{ url: string }> {
  const { page, only } = query;
  if (page !== undefined) await requirePage(space, { revision, page });
  // The key contains the organization, which stores the PDF, because a space may be transferred.
  const joinKey = [
    'pdf',
    space.organization,
    subject.type,
    subject.id,
    revision,
    page ?? '',
    only ? 'only' : '',
  ].join(':');
  const linkOf = (file: string) => {
    const until = Math.floor(Date.now() / 1_000) + linkSeconds;
    return {
      url: platform.links.file({
        organization: space.organization,
        space: space._id,
        blob: file,
        name: fileName(title),
        until,
      }),
    };
  };
  const isOfUse = async (done: JobRecord) => isStored(platform, blobKey(space.organization, fileOf(done)));
  const job = await accept({
    joinKey,
    isOfUse,
    input: { spaceId: space._id, revision, ...(page !== undefined && { page }), only },
  });
  if (job.state === 'succeeded') return linkOf(fileOf(job));

  reply.startedJob(job._id);
  if (!(await hasLiveWorker(job)))
    throw notYet(job, platform, 'No worker that makes PDFs is running; the job starts when one does.');
  const { waitMs } = platform.config.pdf;
  const ended = await waitForEnd(job._id, { platform, waitMs, left: request.signal });
  if (ended.state === 'succeeded') return linkOf(fileOf(ended));
  throw refusalOf(ended, platform);
}

async function requirePage(
  space: SpaceRecord,
  { revision: id, page }: { revision: string; page: string },
): Promise<void> {
  const revision = await loadRevision(space._id, id);
  const { byId } = await loadPageIndex(space.organization, revision.pages);
  const found = byId.get(page);
  // A link has nothing to print.
  if (!found || !('pages' in found.page)) throw notFound('page', page);
}

async function isStored({ blobs }: Platform, key: string): Promise<boolean> {
  return (await blobs.findStored([key])).has(key);
}

function fileOf({ result }: ShownJob): string {
  return String(result?.['file']);
}

function fileName(title: string): string {
  const name = title.replaceAll(/[\p{Cc}\s\\/:*?"<>|]+/gu, ' ').trim();
  return `${name || 'document'}.pdf`;
}

function refusalOf(job: ShownJob, platform: Platform): ApiError {
  const { state, error } = job;
  if (state === 'failed' || state === 'timed_out') {
    const { message, action } = error ?? { message: 'The PDF could not be made.' };
    const more = { action, headers: headersOf(job, platform) };
    // A new request starts another job, which helps only against some causes.
    const isFinal = error?.class === 'invalid' || error?.class === 'not_found' || error?.class === 'auth';
    return isFinal
      ? new ApiError('conflict', message, more)
      : new ApiError('unavailable', message, { ...more, headers: { ...more.headers, 'Retry-After': '10' } });
  }
  if (state === 'cancelled' || state === 'superseded')
    return new ApiError('conflict', 'Printing the PDF was cancelled.', {
      action: 'Try again.',
      headers: headersOf(job, platform),
    });
  return notYet(job, platform, 'The PDF is still being printed.');
}

function notYet(job: ShownJob, platform: Platform, message: string): ApiError {
  return new ApiError('unavailable', message, {
    action: 'Try again later, or follow the job that `Link` names.',
    headers: { ...headersOf(job, platform), 'Retry-After': '10' },
  });
}

function headersOf({ _id }: ShownJob, { links }: Platform): Record<string, string> {
  return { 'X-Job-Id': _id, Link: `<${links.api(`/jobs/${_id}`)}>; rel="monitor"` };
}
