import { createHash } from 'node:crypto';
import { refuseClosed } from '@bindery/content';
import { invalid, type ImportSource } from '@bindery/contract';
import { acceptOrJoin, contentImportJobs, wikiImportJobs } from '@bindery/jobs';
import type { ChangeRequestRecord, JobRecord, SpaceRecord } from '@bindery/models';
import type { Outbound } from '@bindery/outbound';
import type { Actor } from '../../http/actor.ts';
import { splitLogin } from '../../input/splitLogin.ts';
import type { Platform } from '../../platform.ts';

/** The content that gets the pages of an import. */
export type ImportTarget = {
  space: SpaceRecord;
  changeRequest?: ChangeRequestRecord | undefined;
  page?: string | undefined;
};

export type AcceptedImport = {
  platform: Platform;
  target: ImportTarget;
  source: ImportSource;
  /** The URL to fetch, or the uploaded files. */
  from: { url: string } | { files: { key: string; name: string }[] };
  /** Position of the URL or the files in the request. */
  at: string;
  site?: string | undefined;
  actor: Actor;
  traceparent: string | undefined;
};

/**
 * Accepts an import, or joins a running one with the same source, URL and target.
 *
 * @throws precondition_failed for the main content of a locked space; conflict for a merged change request;
 *   invalid_request for a URL that is forbidden as written
 */
export async function acceptImport({
  platform,
  target,
  source,
  from,
  at,
  site,
  actor,
  traceparent,
}: AcceptedImport): Promise<JobRecord> {
  const { space, changeRequest, page } = target;
  refuseClosed({ space, changeRequest });
  const where =
    'url' in from ? { url: checkedUrl(from.url, { path: at, outbound: platform.outbound }) } : from;
  // The key includes the organization, because a space may be transferred, and only a hash of the URL, which
  // may contain a secret.
  const what = createHash('sha256').update(JSON.stringify(where)).digest('hex');
  const joinKey = [
    'content-import',
    space.organization,
    space._id,
    changeRequest?._id ?? '',
    page ?? '',
    source,
    what,
  ].join(':');
  const request = {
    organization: space.organization,
    subject: changeRequest
      ? ({ type: 'change-request', id: changeRequest._id } as const)
      : ({ type: 'space', id: space._id } as const),
    space: changeRequest && space._id,
    startedBy: actor.user.id,
    permission: 'space.edit',
    traceparent,
    joinKey,
    input: {
      spaceId: space._id,
      changeRequestId: changeRequest?._id,
      page,
      source,
      ...where,
      site,
    },
  };
  // A GitHub wiki is a git repository: only the git worker can read it.
  return source === 'github-wiki'
    ? acceptOrJoin(wikiImportJobs.importWiki, request)
    : acceptOrJoin(contentImportJobs.importContent, request);
}

function checkedUrl(text: string, at: { path: string; outbound: Outbound }): string {
  const { url, login } = splitLogin(text, at);
  // The job would store and show the login.
  if (login)
    throw invalid(at.path, 'must not contain a user name or password: only public content can be imported.');
  return url.href;
}
