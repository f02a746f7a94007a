import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';

/** Sends a file that is written while it is sent; a client that leaves ends the writing. */
export async function sendFile(
  { request, response }: { request: Request; response: Response },
  { name, type, pieces }: { name: string; type: string; pieces: AsyncIterable<string> },
): Promise<void> {
  response.set({
    'Content-Type': `${type}; charset=utf-8`,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'private, no-store',
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  // A client recognizes a file that ends early, because its last chunk is missing.
  await pipeline(pieces, response).catch(() => {});
}
