import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AppProcess } from '../support/processes/appProcess.ts';
import { startContentServer, type ContentServer } from '../support/content/contentServer.ts';
import { messagesOf, newSubject } from '../support/git/exportSubjects.ts';
import { canary, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { until } from '../support/until.ts';

// One path through each worker, in real processes: what `npm run test:quick` looks at beside the tests
// without stores.

let server: ContentServer;
let lab: FaultLab;
let api: AppProcess;

beforeAll(async () => {
  server = await startContentServer();
  lab = await startFaultLab();
  const environment = { BINDERY_OUTBOUND_ALLOW: `${server.hostPort},${lab.gitServer.hostPort}` };
  [api] = await Promise.all([
    lab.start('api', { environment }),
    lab.start('worker-git', { environment }),
    lab.start('worker-maintenance', { environment }),
  ]);
});
afterAll(async () => {
  await lab.close();
  await server.close();
});

it('imports a repository, adds a page from the web, finds it by search, and exports it', async () => {
  const { space, repository } = await newSubject(lab, { isByWorker: true });
  server.put('/pruning.md', { type: 'text/plain; charset=utf-8', body: '# Pruning\n\nCut in spring.\n' });
  const ask = async (method: string, path: string, json?: unknown) => {
    const response = await lab.call(api, method, `/spaces/${space._id}${path}`, json);
    expect(response.status, path).toBeLessThan(300);
    return response;
  };
  const added = await ask('POST', '/content/import', {
    url: `${server.origin}/pruning.md`,
    source: 'markdown',
  });
  const pages = (await (await ask('GET', '/content/pages')).json()) as { pages: { title: string }[] };
  expect(pages.pages.map(({ title }) => title)).toEqual(['Home', 'Soil', 'Water', 'Pruning']);

  await until('page in the search', async () => {
    const found = (await (await ask('GET', '/search?query=spring')).json()) as { items: { title: string }[] };
    return found.items.some(({ title }) => title === 'Pruning');
  });

  const url = repository.url.replace('://', `://somebody:${canary}@`);
  const exported = await ask('POST', '/git/export', { url, ref: 'refs/heads/main', commitMessage: 'Prune' });
  const jobs = [added, exported].map(({ headers }) => headers.get('x-job-id') ?? '');
  for (const job of jobs) await lab.waitFor(job, 'succeeded');
  expect(await messagesOf(repository)).toEqual(['Prune']);
  expect((await repository.git(['show', 'main:pruning.md'])).toString()).toContain('Cut in spring.');
});
