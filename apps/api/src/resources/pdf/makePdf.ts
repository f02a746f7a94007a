import { createHash } from 'node:crypto';
import { ApiError, type Job, type PDFLink } from '@bindery/contract';
import { hasLiveWorker, outputVersionsOf, type ShownJob } from '@bindery/jobs';
import type { JobRecord, SpaceRecord } from '@bindery/models';
import { blobKey } from '@bindery/storage';
import type { z } from 'zod';
import type { Actor } from '../../http/actor.ts';
import type { Reply } from '../../http/answer/reply.ts';
import type { RequestContext } from '../../http/requestContext.ts';
import type { Platform } from '../../platform.ts';
import { enterListener } from '../job/listeners.ts';
import { showJob } from '../job/showJob.ts';
import { waitForEnd } from '../job/waitForEnd.ts';

const linkSeconds = 3_600;

export type PdfRequest<Input> = {
  platform: Platform;
  actor: Actor;
  space: SpaceRecord;
  /** The name of the downloaded file, without its extension. */
  name: string;
  /** Everything that decides the bytes of the PDF, except the version of the renderer. */
  input: Input;
  request: RequestContext;
  reply: Reply;
  accept: (job: {
    input: Input;
    joinKey: string;
    isOfUse: (job: JobRecord) => Promise<boolean>;
  }) => Promise<JobRecord>;
};

/**
 * Returns a link to a PDF: reuses a stored one that would be made the same now, or waits for a new one. All
 * who ask for the same pages of the same revision share one job.
 *
 * @returns the job instead, for a caller that prefers not to wait
 * @throws unavailable, with the job, while the job still runs; conflict when the job failed for good;
 *   not_found when the caller loses access while waiting; rate_limited when too many wait
 */
export async function makePdf<Input>({
  platform,
  actor,
  space,
  name,
  input,
  request,
  reply,
  accept,
}: PdfRequest<Input>): Promise<z.input<typeof PDFLink> | Job> {
  const linkOf = (file: string) => {
    const until = Math.floor(Date.now() / 1_000) + linkSeconds;
    return {
      url: platform.links.file({
        organization: space.organization,
        space: space._id,
        blob: file,
        name: fileName(name),
        until,
      }),
    };
  };
  // The organization stores the PDF, and a space may be transferred.
  const hash = createHash('sha256').update(JSON.stringify(input)).digest('hex');
  const joinKey = `pdf:${space.organization}:${hash}`;
  const isOfUse = async (done: JobRecord) =>
    (await isOfPresentRenderer(done)) && isStored(platform, blobKey(space.organization, fileOf(done)));
  const job = await accept({ joinKey, isOfUse, input });
  if (job.state === 'succeeded') return linkOf(fileOf(job));

  reply.startedJob(job._id);
  if (request.prefersAsync) {
    reply.accepted();
    return showJob(job, platform.links);
  }
  if (!(await hasLiveWorker(job)))
    throw notYet(job, platform, 'No worker that makes PDFs is running; the job starts when one does.');
  const ended = await waitAllowed(job, { platform, actor, left: request.signal });
  if (ended.state === 'succeeded') return linkOf(fileOf(ended));
  throw refusalOf(ended, platform);
}

/** Waits as one of the listeners of this process: their number is limited, and each must keep its access. */
async function waitAllowed(
  { _id: id, organization }: JobRecord,
  { platform, actor, left }: { platform: Platform; actor: Actor; left: AbortSignal },
): Promise<ShownJob> {
  const listener = enterListener({ platform, actor, job: id, organization });
  try {
    const ended = await waitForEnd(id, {
      platform,
      waitMs: platform.config.pdf.waitMs,
      left: AbortSignal.any([left, listener.ended]),
    });
    await listener.requireAccess();
    return ended;
  } finally {
    listener.leave();
  }
}

/** Without a live worker, an older PDF is better than none. */
async function isOfPresentRenderer(done: JobRecord): Promise<boolean> {
  const versions = await outputVersionsOf(done);
  return versions.length === 0 || versions.includes(String(done.result?.['renderer']));
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
