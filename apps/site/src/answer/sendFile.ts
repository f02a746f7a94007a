import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { loadShownContent } from '@bindery/publishing';
import { pictureTypes } from '@bindery/contract';
import { blobKey } from '@bindery/storage';
import { cacheControl, isKnown } from './sendAnswer.ts';
import type { SiteContent } from '../page/siteContent.ts';
import type { SitePlatform } from '../sitePlatform.ts';
import type { OpenVisit } from '../visit/openVisit.ts';

/** Types that browsers show beside pictures; they save all others, which may contain a script. */
const shown = /^(?:video\/(?:mp4|webm)|audio\/(?:mpeg|ogg)|application\/pdf|text\/plain)$/;
/** Files of strangers run nothing, and are documents of no origin. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

type Asked = { id: string; hash: string };

/**
 * Sends a file that a page of the visitor shows.
 *
 * @returns whether there is one; otherwise nothing was sent
 */
export async function sendFile(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { visitor }: OpenVisit,
  { asked, content, platform }: { asked: Asked; content: SiteContent; platform: SitePlatform },
): Promise<boolean> {
  const { revision } = content;
  const { files } = await loadShownContent(revision, { links: platform.links, reader: { visitor } });
  const file = files.find(({ id }) => id === asked.id);
  if (!file || !file.blob.startsWith(asked.hash) || asked.hash.length < 16) return false;
  const etag = `"${file.blob}"`;
  // The path has the hash of the bytes.
  const lifetime = visitor.isAnybody ? cacheControl['for ever'] : 'private, max-age=0, must-revalidate';
  const cached = { ETag: etag, 'Cache-Control': lifetime };
  response.setHeader('Content-Security-Policy', policy);
  if (isKnown(request.headers['if-none-match'], etag)) {
    response.writeHead(304, cached).end();
    return true;
  }
  const blob = await platform.blobs.open(blobKey(revision.organization, file.blob));
  if (!blob) return false;
  const isShown = pictureTypes.has(file.contentType) || shown.test(file.contentType);
  response.setHeader(
    'Content-Disposition',
    `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
  );
  response.writeHead(200, {
    ...cached,
    'Content-Type': file.contentType,
    'Content-Length': blob.sizeBytes,
  });
  if (request.method === 'HEAD') {
    blob.bytes.destroy();
    response.end();
    return true;
  }
  await pipeline(blob.bytes, response).catch((error: NodeJS.ErrnoException) => {
    // The connection is closed then, so that nobody takes the bytes for the whole.
    const level = error.code === 'ERR_STREAM_PREMATURE_CLOSE' ? 'info' : 'error';
    platform.log[level]({ err: error, file: file.id }, 'a file was not sent to its end');
  });
  return true;
}
