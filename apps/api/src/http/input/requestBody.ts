import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { ApiError } from '@bindery/contract';
import type { BodyRoom } from '@bindery/runtime';
import type { Request } from 'express';
import { readJsonBytes, type BodyLimits, type JsonBody } from './jsonBytes.ts';
import { largeBodyBytes, parseOnThread, roomForBodies } from './largeBodies.ts';

/**
 * Reads a body as JSON; undefined when there is no body.
 *
 * Used instead of express.json because it refuses an oversized body before all of it has arrived, refuses
 * bytes that are not UTF-8 instead of replacing them, and measures nesting before parsing. Large bodies are
 * parsed on another thread.
 *
 * @throws ApiError unsupported_media_type, payload_too_large (after decompression), request_timeout (a large
 *   body that arrives slowly while others wait) or invalid_request
 */
export async function readJson(request: Request, limits: BodyLimits): Promise<JsonBody | undefined> {
  const { headers } = request;
  const { bytes: limitBytes } = limits;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  checkMediaType(headers['content-type']);
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const read = async (room?: BodyRoom) => {
    const bytes = await collect(decompressed(request, limitBytes), request, { limitBytes, room });
    return bytes.length === 0 ? undefined : parseJson(bytes, limits);
  };
  const isSmall = limitBytes <= largeBodyBytes || isDeclaredSmall(headers);
  return isSmall ? read() : roomForBodies.withRoom(async () => read(roomForBodies));
}

/**
 * Parses a body as JSON; a large one, whose bytes move, on another thread.
 *
 * @throws ApiError invalid_request
 */
export async function parseJson(bytes: Buffer, limits: BodyLimits): Promise<JsonBody> {
  const parsed =
    bytes.length > largeBodyBytes ? await parseOnThread(bytes, limits) : readJsonBytes(bytes, limits);
  if ('problem' in parsed) throw malformed(parsed.problem);
  return parsed;
}

/**
 * Reads a body that is a file, whatever is in it. Few large files are in memory at the same time.
 *
 * @param types  the media types that it may have
 * @throws ApiError as `readJson` does
 */
export async function readFile(request: Request, options: FileOptions): Promise<Buffer> {
  return withFile(request, options, async (bytes) => bytes);
}

type FileOptions = { types: readonly string[]; limitBytes: number };

/**
 * Reads such a body and works on it, so that a large one keeps its room until the work ends.
 *
 * @param room  the memory for large files; by default that for large bodies
 */
export async function withFile<T>(
  request: Request,
  { types, limitBytes, room = roomForBodies }: FileOptions & { room?: BodyRoom },
  work: (bytes: Buffer) => Promise<T>,
): Promise<T> {
  const { headers } = request;
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (!types.includes(type.trim()))
    throw new ApiError('unsupported_media_type', 'The body must be a file.', {
      action: `Send it with one of these as \`Content-Type\`: ${types.join(', ')}.`,
    });
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const read = async (within?: BodyRoom) =>
    work(await collect(decompressed(request, limitBytes), request, { limitBytes, room: within }));
  return isDeclaredSmall(headers) ? read() : room.withRoom(async () => read(room));
}

function isDeclaredSmall({ 'content-length': length, 'content-encoding': coding }: IncomingHttpHeaders) {
  return length !== undefined && Number(length) <= largeBodyBytes && coding === undefined;
}

function checkMediaType(contentType: string | undefined): void {
  if (contentType === 'application/json') return;
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset =
    parameters
      .find((parameter) => parameter.startsWith('charset='))
      ?.slice(8)
      .replaceAll('"', '') ?? 'utf-8';
  if (type === 'application/json' && (charset === 'utf-8' || charset === 'utf8')) return;
  throw new ApiError('unsupported_media_type', 'The body must be JSON in UTF-8.', {
    action: 'Send it with `Content-Type: application/json`.',
  });
}

function decompressed(request: Request, limitBytes: number): Readable {
  const coding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (coding === 'identity') return request;
  // Small chunks, because the output is counted between them: a decompression bomb stops close to the limit.
  const options = { chunkSize: Math.min(64 * 1024, limitBytes + 1) };
  if (coding === 'gzip' || coding === 'x-gzip') return request.pipe(createGunzip(options));
  if (coding === 'deflate') return request.pipe(createInflate(options));
  if (coding === 'br') return request.pipe(createBrotliDecompress(options));
  throw new ApiError('unsupported_media_type', 'The content coding of the body is not supported.', {
    action: 'Send it uncompressed, or with `Content-Encoding: gzip`, `deflate` or `br`.',
  });
}

async function collect(
  source: Readable,
  request: Request,
  { limitBytes, room }: { limitBytes: number; room?: BodyRoom | undefined },
): Promise<Buffer> {
  let endWatch = () => {};
  const collected = new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (error: ApiError) => {
      source.removeAllListeners('data');
      if (source !== request) {
        request.unpipe();
        source.destroy();
      }
      // Discard the rest of the body as it arrives (bounded by the server's request timeout): closing the
      // connection would lose the answer.
      request.resume();
      reject(error);
    };
    if (room)
      endWatch = room.watchPace(
        () => size,
        () => stop(tooSlow()),
      );
    source.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) stop(tooLarge(limitBytes));
      else chunks.push(chunk);
    });
    source.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    source.once('error', (error) => stop(malformed('cannot be decompressed', error)));
    const refuseIncomplete = () => {
      if (!request.complete) reject(malformed('ended before it was complete'));
    };
    // Closed while it waited for its turn: the event is past, and the turn would never end.
    if (request.destroyed) refuseIncomplete();
    else request.once('close', refuseIncomplete);
  });
  return collected.finally(endWatch);
}

function tooSlow(): ApiError {
  return new ApiError('request_timeout', 'The body arrives too slowly while other large bodies wait.', {
    action: 'Send it again over a faster connection, or compressed with `Content-Encoding: gzip`.',
  });
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError(
    'payload_too_large',
    `The body exceeds the limit of ${limitBytes} bytes for this operation.`,
  );
}

function malformed(problem: string, cause?: unknown): ApiError {
  return new ApiError('invalid_request', `The body ${problem}.`, {
    details: [{ path: 'body', message: problem }],
    cause,
  });
}
