import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gather } from '../../../apps/worker-maintenance/src/import/gather.ts';
import { unpackPages } from '../../../packages/content/src/import/packedContent.ts';
import { publicAddress, startLab } from '../../support/lab/lab.ts';

// Runs inside the lab: URLs, redirects, images and links that lead to where nobody may go, and pages on an
// honest server.
const folder = await mkdtemp(join(tmpdir(), 'bindery-content-lab-'));
const lab = await startLab();
const closed = [
  '127.0.0.1:3000',
  '10.0.0.5',
  '169.254.169.254',
  '[::1]',
  'meta.test',
  'mix.test',
  'loop.test',
  'six.test',
  'nat64.test',
];
await lab.serve(publicAddress, 80, (request, response) => {
  const location = /^\/to\/(.*)$/.exec(request.url ?? '')?.[1];
  if (location !== undefined) {
    response.writeHead(302, { location }).end();
    return;
  }
  const images = closed.map((host) => `![x](http://${host}/a.png) ![y](/to/http://${host}/b.png)`).join('\n');
  const links = closed
    .map((host) => `<a href="http://${host}/docs/">x</a><a href="/docs/to/${host}">y</a>`)
    .join('\n');
  const redirected = /^\/docs\/to\/(.*)$/.exec(request.url ?? '')?.[1];
  if (redirected !== undefined) response.writeHead(302, { location: `http://${redirected}/` }).end();
  else if (request.url === '/a.md')
    response.writeHead(200, { 'content-type': 'text/markdown' }).end(`# A\n\n${images}\n`);
  else
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<base href="http://127.0.0.1/"><main><h1>W</h1><p>w</p>${links}</main>`);
});

const outcomes: Record<string, string> = {};
for (const [index, argument] of process.argv.slice(2).entries()) {
  const [source, url] = argument.split(' ') as ['markdown', string];
  const request = {
    source,
    from: { url },
    outbound: { allow: [], refused: [] },
    spool: join(folder, `spool-${index}`),
  };
  outcomes[argument] = await gather(request, () => {}).then(
    ({ pages, failed }) =>
      `read ${unpackPages(pages)
        .map((page) => page.title)
        .join()} without ${failed}`,
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
}
const hits = lab.hits();
// The control: canaries that count nothing would prove nothing.
await lab.touchCanaries();
console.log(JSON.stringify({ outcomes, hits, touched: lab.hits() }));
await rm(folder, { recursive: true });
process.exit();
