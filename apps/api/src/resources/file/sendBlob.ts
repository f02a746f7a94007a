import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { contentTypeOf } from '@bindery/content';
import { ApiError } from '@bindery/contract';
import { blobKey } from '@bindery/storage';
import type { Request, Response } from 'express';
import { isKnown } from '../../http/answer/reply.ts';
import { thePlatform } from '../../platform.ts';

/** Types that a browser may show; all others, and whatever can hold a script, are saved. */
const inlineTypes = /^(image\/(png|jpeg|gif|webp|avif)|video\/(mp4|webm)|audio\/(mpeg|ogg)|application\/pdf|text\/plain)$/;

export type SentBlob = {
  organization: string;
  blob: string;
  /** Decides the type, and is what it is saved as. */
  name: string;
  /** Saved, also where a browser could show it. */
  isDownload?: boolean;
  cacheControl: string;
};

/**
 * Sends stored bytes, whole or a range, to whoever was found to be allowed to read them.
 *
 * What is sent was written by anybody: it is never sniffed, never a document of this origin.
 * @returns whether they exist; where not, nothing was sent
 */
export async function sendBlob(request: Request, response: Response, sent: SentBlob): Promise<boolean> {
  if (isKnown(request, sent.blob)) {
    setHeaders(response, sent);
    response.status(304).end();
    return true;
  }
  const { blobs } = thePlatform();
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
    throw new ApiError('range_not_satisfiable', `The requested \`Range\` is outside the ${whole.sizeBytes} bytes of the file.`, {
      headers: { 'Content-Range': `bytes */${whole.sizeBytes}` },
    });
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

/** The one range that was asked for; undefined for the whole, which several ranges get too: they would need a multipart answer. */
function rangeOf(request: Request, blob: string, sizeBytes: number): { start: number; end: number } | 'unsatisfiable' | undefined {
  // A reader that has a part of something else wants the whole of this.
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
  // The reader may leave at any time; the store must not go on for nobody.
  await pipeline(bytes, response).catch(() => {});
}
