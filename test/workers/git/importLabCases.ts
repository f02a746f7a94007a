import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGitHttpBackend } from '../../../apps/cli/src/demo/gitHttpBackend.ts';
import { createRemoteReader } from '../../support/git/readRemote.ts';
import { createGitRepository } from '../../support/git/gitRepository.ts';
import { publicAddress, startLab } from '../../support/lab/lab.ts';

// Runs inside the lab: a hostile repository on an honest server, and URLs and redirects that lead to where
// nobody may go.
const root = await mkdtemp(join(tmpdir(), 'bindery-import-lab-'));
await createGitRepository(join(root, 'r.git'), {
  'README.md':
    '# Marker\n\n![](http://127.0.0.1/a.png) <img src="http://169.254.169.254/b.png"> [x](http://10.0.0.5/)\n',
  '.gitbook.yaml': 'redirects:\n  old: http://127.0.0.1:3000/\n',
  '.gitmodules': '[submodule "evil"]\n\tpath = evil\n\turl = http://127.0.0.1/evil.git\n',
  evil: { mode: '160000', oid: '1'.repeat(40) },
  link: { mode: '120000', content: '/etc/passwd' },
  'up.md': { mode: '120000', content: '../../../etc/passwd' },
});
const lab = await startLab();
await lab.serve(publicAddress, 80, (request, response) => {
  const location = /^\/to\/(.*?)\/info\/refs/.exec(request.url ?? '')?.[1];
  if (location !== undefined) {
    response.writeHead(302, { location: `${location}/info/refs?service=git-upload-pack` }).end();
    return;
  }
  runGitHttpBackend(request, { root, config: { 'uploadpack.allowFilter': 'true' } }).then(
    ({ status, headers, body }) => body.pipe(response.writeHead(status, headers)),
    () => response.destroy(),
  );
});

const reader = createRemoteReader();
const outcomes: Record<string, string> = {};
for (const url of process.argv.slice(2)) {
  outcomes[url] = await reader.readAll({ url, outbound: { allow: [], refused: [] } }).then(
    ({ content, skipped, blobs }) => {
      const leak = [...blobs.values()].some((bytes) => bytes.includes('root:'));
      return `read ${content.pages.map((page) => page.title).join()} without ${skipped
        .map(({ path }) => path)
        .sort()
        .join()}${leak ? ' and LEAKED' : ''}`;
    },
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
}
const hits = lab.hits();
// The control: canaries that count nothing would prove nothing.
await lab.touchCanaries();
console.log(JSON.stringify({ outcomes, hits, touched: lab.hits() }));
await reader.close();
await rm(root, { recursive: true });
process.exit();
