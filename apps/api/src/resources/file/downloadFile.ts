import { ApiError } from '@bindery/contract';
import { Site, SiteSpace, Space, type SpaceRecord } from '@bindery/models';
import type { RequestHandler } from 'express';
import { isFileUrlValid, type SignedFile } from '../../presenters/fileUrl.ts';
import type { Platform } from '../../platform.ts';
import { sendBlob } from './sendBlob.ts';

/**
 * GET /files/:organization/:blob/:name?signature=...: sends the bytes of a file, whole or a range. Not an
 * operation of the API: the signed URL is the permission.
 *
 * With `until`, in seconds since 1970, the URL expires at that time, and browsers save the file instead of
 * showing it. With `space` it is valid as long as that space exists: a purged space has no files, although
 * their bytes stay for a while. With `site` it belongs to a visitor: browsers show the file, and the URL is
 * valid until it expires, as long as that site shows the space.
 */
export function downloadFile({ config, blobs }: Pick<Platform, 'config' | 'blobs'>): RequestHandler {
  return async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw onlyReads(request.method);
    const { organization, blob, name } = request.params as Pick<SignedFile, 'organization' | 'blob' | 'name'>;
    const { signature, until: untilText, space, site, preview } = request.query;
    if (
      typeof signature !== 'string' ||
      !isTextOrAbsent(untilText) ||
      !isTextOrAbsent(space) ||
      !isTextOrAbsent(site)
    )
      throw missing();
    const file: SignedFile = {
      organization,
      blob,
      name,
      until: untilText === undefined ? undefined : Number(untilText),
      space,
      site,
      isPreview: site !== undefined && preview === '1',
    };
    if (!isFileUrlValid(config.secrets, file, signature)) throw missing();
    const isSent = await sendBlob(request, response, {
      blobs,
      organization: await ownerOf(file),
      blob,
      name,
      isDownload: file.until !== undefined && site === undefined,
      cacheControl: cacheControlOf(file),
      mayRedirect: true,
    });
    if (!isSent) throw missing();
  };
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

/**
 * The organization that stores the bytes now. @throws not_found when the space or the site of the URL is gone
 */
async function ownerOf({ organization, space, site, isPreview }: SignedFile): Promise<string> {
  if (space === undefined) return organization;
  const found = await Space.findById(space, { organization: 1, isDeleted: 1 }).lean<
    Pick<SpaceRecord, 'organization' | 'isDeleted'>
  >();
  if (!found) throw missing();
  if (site === undefined) return found.organization;
  const [isThere, isPublished] = await Promise.all([
    SiteSpace.exists({ space, site }),
    isPreview ? true : Site.exists({ _id: site, isPublished: true }),
  ]);
  if (found.isDeleted || !isThere || !isPublished) throw missing();
  return found.organization;
}

function cacheControlOf({ until, site }: SignedFile): string {
  if (until === undefined) return 'private, max-age=31536000, immutable';
  return site === undefined
    ? 'private, no-store'
    : `private, max-age=${Math.max(0, Math.floor(until - Date.now() / 1_000))}`;
}

function onlyReads(method: string): ApiError {
  return new ApiError('method_not_allowed', `Files support GET and HEAD, not ${method}.`, {
    headers: { Allow: 'GET, HEAD' },
  });
}

/** One answer for a wrong signature, an expired one, and missing bytes. */
function missing(): ApiError {
  return new ApiError('not_found', 'There is no file at this URL.', {
    action: 'Request its URL from the API again: this one may have expired.',
  });
}
