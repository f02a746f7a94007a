import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/** Serves built files as a good host does: from memory, compressed as well as brotli can. */
export type FileServer = { origin: string; close(): void };

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};
const quality = { [constants.BROTLI_PARAM_QUALITY]: 11 };

/** A page is found with and without `.html`. */
export async function serveFolder(folder: string): Promise<FileServer> {
  const files = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    const file = [path, `${path}.html`].find((name) => files.has(name));
    if (file === undefined) return void response.writeHead(404).end();
    response.setHeader('Cache-Control', file.endsWith('.html') ? 'no-cache' : 'max-age=31536000, immutable');
    response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream');
    if (isText(file)) response.setHeader('Content-Encoding', 'br');
    response.end(files.get(file));
  });
  for (const name of globSync('**/*.*', { cwd: folder })) {
    const bytes = readFileSync(join(folder, name));
    files.set(`/${name}`, isText(name) ? brotliCompressSync(bytes, { params: quality }) : bytes);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const isText = (name: string) => extname(name) !== '.woff2';
