import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '@bindery/openapi';
import { createLogger, createWorkFolder, ownFolder, removeWorkFolder } from '@bindery/runtime';
import { createSpecReader } from '../../../apps/worker-openapi/src/child/specReader.ts';
import { publicAddress, startLab } from '../../support/lab/lab.ts';

// Runs inside the lab: the reading process gets sources and references that lead to where nobody may go.
const lab = await startLab();
const good = '{"openapi":"3.0.3","info":{"title":"T","version":"1"},"paths":{}}';
let othersAsked = 0;
await lab.serve(publicAddress, 80, (request, response) => {
  if (request.headers.host === 'other.test') othersAsked += 1;
  const url = request.url ?? '';
  const location = /^\/to\/(.*)$/.exec(url)?.[1];
  const reference = /^\/refer\/(.*)$/.exec(url)?.[1];
  if (location !== undefined) response.writeHead(302, { location }).end();
  else if (reference !== undefined) response.end(referring([decodeURIComponent(reference)]));
  // A connection for each file, so that the name is looked up again.
  else if (url === '/many.json')
    response.end(referring(Array.from({ length: 16 }, (_, index) => `/file-${index}.json`)));
  else if (url.startsWith('/file-')) setTimeout(() => response.end(good), 200);
  else response.end(good);
});

const reader = await createSpecReader({
  openapi: { memoryMb: 256, timeoutMs: 30_000, fetchTimeoutMs: 30_000, refreshMinutes: 0 },
  children: { firstUid: 0x7000_0000 },
});
const outcomes: Record<string, string> = {};
for (const argument of process.argv.slice(2)) {
  const [kind, url = ''] = argument.split(' ');
  const [outcome = ''] =
    kind === 'url' ? await read(url) : await read(`http://pub.test/refer/${encodeURIComponent(url)}`);
  outcomes[argument] = outcome;
}
// Public when the entry is asked for, then 127.0.0.1, and so on.
const flipped = await read('http://flip.test/many.json');
const hits = lab.hits();
// The control: canaries that count nothing would prove nothing.
await lab.touchCanaries();
console.log(JSON.stringify({ outcomes, flipped, othersAsked, hits, touched: lab.hits() }));
await reader.close();
process.exit();

function referring(refs: string[]): string {
  const paths = Object.fromEntries(refs.map(($ref, index) => [`/p${index}`, { $ref }]));
  return JSON.stringify({ ...(JSON.parse(good) as object), paths });
}

/** Reads a specification: the code of its error, or else the messages of all refused files. */
async function read(url: string): Promise<string[]> {
  const path = await createWorkFolder('openapi');
  try {
    const { kind } = await reader.read(
      { source: { url }, outbound: { allow: [], refused: [] }, folder: ownFolder(path) },
      {
        signal: new AbortController().signal,
        logger: createLogger({ log: { level: 'silent' } }, { app: 'test' }),
        folder: { path },
        onFetched: async () => {},
      },
    );
    if (kind !== 'usable') return [kind];
    const findings = JSON.parse(await readFile(join(ownFolder(path), 'findings'), 'utf8')) as Finding[];
    const refused = findings.filter(({ rule }) => rule === 'file-refused').map(({ message }) => message);
    return refused.length > 0 ? refused : ['read'];
  } catch (error) {
    return [(error as { code?: string }).code ?? String(error)];
  } finally {
    await removeWorkFolder(path);
  }
}
