import { createHash } from 'node:crypto';
import { ApiError, type Job, type PDFLink } from '@bindery/contract';
import { countUnfinishedPdfs, outputVersionsOf, renewResultFile, type ShownJob } from '@bindery/jobs';
import type { JobRecord, SpaceRecord } from '@bindery/models';
import { blobKey } from '@bindery/storage';
import type { z } from 'zod';
import type { Actor } from '../../http/actor.ts';
import type { Reply } from '../../http/answer/reply.ts';
import type { RequestContext } from '../../http/requestContext.ts';
import type { Platform } from '../../platform.ts';
import { showJob } from '../job/showJob.ts';
import { passingFailure, waitForSuccess, type FailedJob } from '../job/waitForSuccess.ts';

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
    requireRoom: () => Promise<void>;
  }) => Promise<JobRecord>;
};

/**
 * Returns a link to a PDF: reuses a stored one that would be made the same now, or waits for a new one. All
 * who ask for the same pages of the same revision share one job.
 *
 * @returns the job instead, for a caller that prefers not to wait
 * @throws conflict when the job failed for good, unavailable when it failed otherwise; rate_limited
 *   when the caller started too many that are not printed yet; the errors of `waitForSuccess`
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
    (await isOfPresentRenderer(done)) &&
    (await renewResultFile(done._id)) &&
    isStored(platform, blobKey(space.organization, fileOf(done)));
  const requireRoom = async () => requireFewWaiting(actor, platform);
  const job = await accept({ joinKey, isOfUse, requireRoom, input });
  if (job.state === 'succeeded') return linkOf(fileOf(job));

  reply.startedJob(job._id);
  if (request.prefersAsync) {
    reply.accepted();
    return showJob(job, platform.links);
  }
  const { waitMs } = platform.config.pdf;
  const done = await waitForSuccess(job, { platform, actor, request, waitMs, messages, refuse });
  await renewResultFile(done._id);
  return linkOf(fileOf(done));
}

/** One user must not keep the workers from the PDFs of others. Concurrent requests may pass it together. */
async function requireFewWaiting({ user }: Actor, { config }: Platform): Promise<void> {
  const most = config.pdf.waitingPerUser;
  if ((await countUnfinishedPdfs(user.id, most)) < most) return;
  throw new ApiError('rate_limited', `${most} PDFs that you asked for are not printed yet.`, {
    action: 'Wait for them, or cancel some of their jobs.',
    headers: { 'Retry-After': '30' },
  });
}

const messages = {
  noWorker: 'No worker that makes PDFs is running; the job starts when one does.',
  unfinished: 'The PDF is still being printed.',
  cancelled: 'Printing the PDF was cancelled.',
};

/** A new request starts another job, which helps only against some causes. */
function refuse({ message = 'The PDF could not be made.', ...failed }: FailedJob): ApiError {
  const isFinal = failed.class === 'invalid' || failed.class === 'not_found' || failed.class === 'auth';
  if (!isFinal) return passingFailure(message, failed);
  return new ApiError('conflict', message, { action: failed.action, headers: failed.headers });
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
