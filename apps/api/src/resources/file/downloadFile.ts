import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { contentTypeOf } from '@bindery/content';
import { ApiError } from '@bindery/contract';
import type { Request, RequestHandler, Response } from 'express';
import { isKnown } from '../../http/reply.ts';
import { thePlatform } from '../../platform.ts';
import { isFileUrlValid, type FilePlace } from './fileUrl.ts';

/** Types that a browser may show; all others, and whatever can hold a script, are saved. */
const inlineTypes = /^(image\/(png|jpeg|gif|webp|avif)|video\/(mp4|webm)|audio\/(mpeg|ogg)|application\/pdf|text\/plain)$/;

/**
 * GET /files/:organization/:blob/:name?signature=...: the bytes of a file, whole or a range. Not an operation of the API: the URL is its own permission.
 * What is served was written by anybody: it is never sniffed, never a document of this origin.
 */
export const downloadFile: RequestHandler = async (request, response) => {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw onlyReads(request.method);
  const { organization, blob, name } = request.params as FilePlace;
  const { signature } = request.query;
  if (typeof signature !== 'string' || !isFileUrlValid({ organization, blob, name }, signature)) throw missing();
  if (isKnown(request, blob)) {
    setHeaders(response, { blob, name });
    response.status(304).end();
    return;
  }
  const { blobs } = thePlatform();
  const key = `${organization}:${blob}`;
  const whole = await blobs.open(key);
  if (!whole) throw missing();
  setHeaders(response, { blob, name });
  const range = rangeOf(request, blob, whole.sizeBytes);
  if (!range) {
    response.set('Content-Length', String(whole.sizeBytes));
    return send(request, response, whole.bytes);
  }
  whole.bytes.destroy();
  if (range === 'unsatisfiable') {
    response.set({ 'Content-Range': `bytes */${whole.sizeBytes}`, 'Content-Length': '0' }).removeHeader('Content-Type');
    response.status(416).end();
    return;
  }
  const part = await blobs.open(key, { start: range.start, end: range.end + 1 });
  if (!part) throw missing();
  response.status(206).set({
    'Content-Range': `bytes ${range.start}-${range.end}/${whole.sizeBytes}`,
    'Content-Length': String(range.end - range.start + 1),
  });
  return send(request, response, part.bytes);
};

function setHeaders(response: Response, { blob, name }: Pick<FilePlace, 'blob' | 'name'>): void {
  const contentType = contentTypeOf(name);
  const disposition = inlineTypes.test(contentType) ? 'inline' : 'attachment';
  response.set({
    'Content-Type': contentType,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    // Pages that show these files have other origins than the API.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Content-Disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`,
    'Cache-Control': 'private, max-age=31536000, immutable',
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

function onlyReads(method: string): ApiError {
  return new ApiError('method_not_allowed', `A file takes GET and HEAD, not ${method}.`, { headers: { Allow: 'GET, HEAD' } });
}

/** The same for a wrong signature and for bytes that do not exist. */
function missing(): ApiError {
  return new ApiError('not_found', 'There is no file at this URL.', { action: 'Read `downloadURL` of the file again.' });
}
