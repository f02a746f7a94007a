import { ApiError } from '@bindery/contract';
import type { RequestHandler } from 'express';
import { isFileUrlValid, type FilePlace } from './fileUrl.ts';
import { sendBlob } from './sendBlob.ts';

/**
 * GET /files/:organization/:blob/:name?signature=...: the bytes of a file, whole or a range. Not an operation of the API: the URL is its own permission.
 *
 * With `until`, a time in seconds, it is good for so long only, and the file is saved and not shown.
 */
export const downloadFile: RequestHandler = async (request, response) => {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw onlyReads(request.method);
  const { organization, blob, name } = request.params as Omit<FilePlace, 'until'>;
  const { signature, until: untilText } = request.query;
  if (typeof signature !== 'string' || (untilText !== undefined && typeof untilText !== 'string')) throw missing();
  const until = untilText === undefined ? undefined : Number(untilText);
  const place: FilePlace = { organization, blob, name, ...(until !== undefined && { until }) };
  if (!isFileUrlValid(place, signature)) throw missing();
  const isSent = await sendBlob(request, response, {
    organization,
    blob,
    name,
    isDownload: until !== undefined,
    cacheControl: until === undefined ? 'private, max-age=31536000, immutable' : 'private, no-store',
  });
  if (!isSent) throw missing();
};

function onlyReads(method: string): ApiError {
  return new ApiError('method_not_allowed', `A file takes GET and HEAD, not ${method}.`, { headers: { Allow: 'GET, HEAD' } });
}

/** The same for a wrong signature, one that is no longer good, and for bytes that do not exist. */
function missing(): ApiError {
  return new ApiError('not_found', 'There is no file at this URL.', { action: 'Ask the API for its URL again: it may have ended.' });
}
