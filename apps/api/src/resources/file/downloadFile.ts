import { pipeline } from 'node:stream/promises';
import { contentTypeOf } from '@bindery/content';
import { ApiError } from '@bindery/contract';
import type { RequestHandler } from 'express';
import { isKnown } from '../../http/reply.ts';
import { thePlatform } from '../../platform.ts';
import { isFileUrlValid } from './fileUrl.ts';

/** Types that a browser may show; all others, and whatever can hold a script, are saved. */
const inlineTypes = /^(image\/(png|jpeg|gif|webp|avif)|video\/(mp4|webm)|audio\/(mpeg|ogg)|application\/pdf|text\/plain)$/;

/**
 * GET /files/:organization/:blob/:name?signature=...: the bytes of a file, whole or a range. Not an operation of the API: the URL is its own permission.
 * What is served was written by anybody: it is never sniffed, never a document of this origin.
 */
export const downloadFile: RequestHandler = async (request, response) => {
  const { organization, blob, name } = request.params as { organization: string; blob: string; name: string };
  const { signature } = request.query;
  if (typeof signature !== 'string' || !isFileUrlValid({ organization, blob }, signature)) throw missing();
  const contentType = contentTypeOf(name);
  response.set({
    'Content-Type': contentType,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Content-Disposition': `${inlineTypes.test(contentType) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`,
    'Cache-Control': 'private, max-age=31536000, immutable',
    'Accept-Ranges': 'bytes',
    ETag: `"${blob}"`,
  });
  if (isKnown(request, blob)) {
    response.status(304).end();
    return;
  }
  const { blobs } = thePlatform();
  const whole = await blobs.open(`${organization}:${blob}`);
  if (!whole) throw missing();
  const range = request.range(whole.sizeBytes, { combine: true });
  if (range === -1) {
    whole.bytes.destroy();
    response.set('Content-Range', `bytes */${whole.sizeBytes}`).status(416).end();
    return;
  }
  // Several ranges would need a multipart answer: the whole is as good.
  const part = Array.isArray(range) && range.length === 1 && range.type === 'bytes' ? range[0] : undefined;
  if (!part) {
    response.set('Content-Length', String(whole.sizeBytes));
    return send(request.method, whole.bytes, response);
  }
  whole.bytes.destroy();
  const opened = await blobs.open(`${organization}:${blob}`, { start: part.start, end: part.end + 1 });
  if (!opened) throw missing();
  response.status(206).set({ 'Content-Range': `bytes ${part.start}-${part.end}/${whole.sizeBytes}`, 'Content-Length': String(part.end - part.start + 1) });
  return send(request.method, opened.bytes, response);
};

async function send(method: string, bytes: NodeJS.ReadableStream & { destroy(): void }, response: Parameters<RequestHandler>[1]): Promise<void> {
  if (method === 'HEAD') {
    bytes.destroy();
    response.end();
    return;
  }
  // The reader may leave at any time; the store must not go on for nobody.
  await pipeline(bytes, response).catch(() => {});
}

/** The same for a wrong signature and for bytes that do not exist. */
function missing(): ApiError {
  return new ApiError('not_found', 'There is no file at this URL; read `downloadURL` of the file again.');
}
