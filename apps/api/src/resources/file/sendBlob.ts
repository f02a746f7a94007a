import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { contentTypeOf } from '@bindery/content';
import { ApiError } from '@bindery/contract';
import { blobKey, type BlobStore } from '@bindery/storage';
import type { Request, Response } from 'express';
import { isKnown } from '../../http/answer/reply.ts';

/** Types that a browser may show; it saves all others, as they may contain a script. */
const inlineTypes =
  /^(image\/(png|jpeg|gif|webp|avif)|video\/(mp4|webm)|audio\/(mpeg|ogg)|application\/pdf|text\/plain)$/;

export type SentBlob = {
  blobs: BlobStore;
  organization: string;
  blob: string;
  /** Decides the content type, and is the name of a saved file. */
  name: string;
  /** The browser saves the file, even if it could show it. */
  isDownload?: boolean;
  cacheControl: string;
};

/**
 * Sends stored bytes, whole or a range, after the caller has checked the permission of the reader.
 *
 * Any member may have written these bytes: browsers must neither sniff their type nor run them as a document
 * of this origin.
 * @returns whether the bytes exist; if they do not, nothing was sent
 */
export async function sendBlob(request: Request, response: Response, sent: SentBlob): Promise<boolean> {
  if (isKnown(request, sent.blob)) {
    setHeaders(response, sent);
    response.status(304).end();
    return true;
  }
  const { blobs } = sent;
  const key = blobKey(sent.organization, sent.blob);
  const whole = await blobs.open(key);
  if (!whole) return false;
  const range = rangeOf(request, sent.blob, whole.sizeBytes);
  if (!range) {
    setHeaders(response, sent);
    response.set('Content-Length', String(whole.sizeBytes));
    await send(request, response, whole.bytes);
    return true;
  }
  whole.bytes.destroy();
  if (range === 'unsatisfiable') {
    throw new ApiError(
      'range_not_satisfiable',
      `The requested \`Range\` is outside the ${whole.sizeBytes} bytes of the file.`,
      {
        headers: { 'Content-Range': `bytes */${whole.sizeBytes}` },
      },
    );
  }
  const part = await blobs.open(key, { start: range.start, end: range.end + 1 });
  if (!part) return false;
  setHeaders(response, sent);
  response.status(206).set({
    'Content-Range': `bytes ${range.start}-${range.end}/${whole.sizeBytes}`,
    'Content-Length': String(range.end - range.start + 1),
  });
  await send(request, response, part.bytes);
  return true;
}

function setHeaders(response: Response, { blob, name, isDownload = false, cacheControl }: SentBlob): void {
  const contentType = contentTypeOf(name);
  const disposition = inlineTypes.test(contentType) && !isDownload ? 'inline' : 'attachment';
  response.set({
    'Content-Type': contentType,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    // Pages that show these files have other origins than the API.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Content-Disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`,
    'Cache-Control': cacheControl,
    'Accept-Ranges': 'bytes',
    ETag: `"${blob}"`,
  });
}

/**
 * The requested range; undefined for the whole file, and for several ranges, which would need a multipart
 * answer.
 */
function rangeOf(
  request: Request,
  blob: string,
  sizeBytes: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  // The reader has part of a different file, so it needs the whole one.
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== `"${blob}"`) return undefined;
  const ranges = request.range(sizeBytes, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  return Array.isArray(ranges) && ranges.length === 1 && ranges.type === 'bytes' ? ranges[0] : undefined;
}

async function send(request: Request, response: Response, bytes: Readable): Promise<void> {
  if (request.method === 'HEAD') {
    bytes.destroy();
    response.end();
    return;
  }
  // A store that does not answer is an error with an answer of its own only before the first byte.
  await once(bytes, 'readable');
  // When the reader disconnects, pipeline stops reading from the store.
  await pipeline(bytes, response).catch((error: NodeJS.ErrnoException) => {
    if (typeof error.code !== 'string') throw error;
  });
}
