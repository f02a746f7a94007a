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

/** Of these, the types that run nothing and are not guessed, so that they may come from another server. */
const shownElsewhere = /^(image|video|audio)\//;

export type SentBlob = {
  blobs: BlobStore;
  organization: string;
  blob: string;
  /** Decides the content type, and is the name of a saved file. */
  name: string;
  /** The browser saves the file, even if it could show it. */
  isDownload?: boolean;
  cacheControl: string;
  /** A large file may come from the store itself, if the operator lets readers reach it. */
  mayRedirect?: boolean;
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
  if (await redirect(request, response, sent)) return true;
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

/**
 * Redirects to a URL that the store signed for this file. The store sends neither `nosniff` nor a policy:
 * files that a browser may interpret come from the API, or are saved.
 */
async function redirect(request: Request, response: Response, sent: SentBlob): Promise<boolean> {
  if (!sent.mayRedirect || request.method !== 'GET') return false;
  const { contentType, isInline, disposition } = describe(sent);
  if (isInline && !shownElsewhere.test(contentType)) return false;
  const { cacheControl } = sent;
  const headers = { contentType, disposition, cacheControl };
  const url = await sent.blobs.signedUrl(blobKey(sent.organization, sent.blob), headers);
  if (url === undefined) return false;
  response.set({ 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'no-referrer' });
  response.redirect(307, url);
  return true;
}

function describe({ name, isDownload = false }: SentBlob) {
  const contentType = contentTypeOf(name);
  const isInline = inlineTypes.test(contentType) && !isDownload;
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  const disposition = `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${encoded}`;
  return { contentType, isInline, disposition };
}

function setHeaders(response: Response, sent: SentBlob): void {
  const { contentType, disposition } = describe(sent);
  response.set({
    'Content-Type': contentType,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    // Pages that show these files have other origins than the API.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Content-Disposition': disposition,
    'Cache-Control': sent.cacheControl,
    'Accept-Ranges': 'bytes',
    ETag: `"${sent.blob}"`,
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
