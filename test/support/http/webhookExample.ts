import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export type SignedRequest = { headers: IncomingHttpHeaders; body: string; secret: string; nowMs?: number };

/** Loads the code by which docs/webhooks.md tells receivers to verify a request. */
export async function loadWebhookExample(): Promise<(request: SignedRequest) => boolean> {
  const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
  const [, source] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  if (source === undefined) throw new Error('docs/webhooks.md has no example.');
  const folder = await mkdtemp(join(tmpdir(), 'bindery-example-'));
  const file = join(folder, 'example.mjs');
  await writeFile(file, source);
  const { isGenuine } = await import(pathToFileURL(file).href);
  await rm(folder, { recursive: true });
  return isGenuine;
}
