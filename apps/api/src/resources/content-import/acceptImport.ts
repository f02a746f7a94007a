import { createHash } from 'node:crypto';
import { refuseClosed } from '@bindery/content';
import { invalid, type ImportSource } from '@bindery/contract';
import { acceptOrJoin, contentImportJobs, wikiImportJobs } from '@bindery/jobs';
import type { ChangeRequestRecord, JobRecord, SpaceRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { splitLogin } from '../../input/splitLogin.ts';

/** Where the pages of an import go. */
export type ImportTarget = { space: SpaceRecord; changeRequest?: ChangeRequestRecord | undefined; page?: string | undefined };

export type AcceptedImport = {
  target: ImportTarget;
  source: ImportSource;
  /** Fetched, or the files that were uploaded in its place. */
  from: { url: string } | { files: { key: string; name: string }[] };
  /** Where that stands in the request. */
  at: string;
  site?: string | undefined;
  actor: Actor;
  traceparent: string | undefined;
};

/**
 * Accepts an import, or joins the one that is under way with the same source, URL and target.
 *
 * @throws precondition_failed for the main content of a locked space; conflict for a merged change request; invalid_request when the URL shows by
 *   itself that it is refused
 */
export async function acceptImport({ target, source, from, at, site, actor, traceparent }: AcceptedImport): Promise<JobRecord> {
  const { space, changeRequest, page } = target;
  refuseClosed({ space, changeRequest });
  const where = 'url' in from ? { url: checkedUrl(from.url, at) } : from;
  // The organization too: a space may change hands. Of the URL its hash: it may be a key to what is behind it.
  const what = createHash('sha256').update(JSON.stringify(where)).digest('hex');
  const joinKey = ['content-import', space.organization, space._id, changeRequest?._id ?? '', page ?? '', source, what].join(':');
  const request = {
    organization: space.organization,
    subject: changeRequest ? ({ type: 'change-request', id: changeRequest._id } as const) : ({ type: 'space', id: space._id } as const),
    ...(changeRequest && { space: space._id }),
    startedBy: actor.user.id,
    permission: 'space.edit',
    traceparent,
    joinKey,
    input: {
      spaceId: space._id,
      ...(changeRequest && { changeRequestId: changeRequest._id }),
      ...(page !== undefined && { page }),
      source,
      ...where,
      ...(site !== undefined && { site }),
    },
  };
  // What is a git repository is read by the worker that has the reader for those.
  return source === 'github-wiki'
    ? acceptOrJoin(wikiImportJobs.importWiki, request)
    : acceptOrJoin(contentImportJobs.importContent, request);
}

function checkedUrl(text: string, path: string): string {
  const { url, login } = splitLogin(text, path);
  // It would be stored and shown with the job.
  if (login) throw invalid(path, 'must not contain a user name or password: only what can be read without signing in is imported.');
  return url.href;
}
