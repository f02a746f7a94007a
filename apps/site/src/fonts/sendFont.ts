import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { cacheControl } from '../answer/sendAnswer.ts';
import { findFontFile } from './fontFiles.ts';
import { mathFolder, mathFonts } from './mathFonts.ts';

const folder = /\/~\/assets\/fonts\/(\w+)\/([\w-]+\.woff2)$/;

/**
 * Sends the font at a path of any site. Its name has the hash of its bytes, which woff2 compressed already.
 *
 * @returns whether there is one; otherwise nothing was sent
 */
export async function sendFont(
  pathname: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<boolean> {
  const [, font, name] = folder.exec(pathname) ?? [];
  if (font === undefined || name === undefined) return false;
  const location = font === mathFolder ? mathFonts.get(name) : (await findFontFile(font, name))?.location;
  if (!location) return false;
  const bytes = await readFile(location);
  response.writeHead(200, {
    'Content-Type': 'font/woff2',
    'Content-Length': bytes.length,
    'Cache-Control': cacheControl['for ever'],
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
  return true;
}
