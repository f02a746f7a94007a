import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { mongodb } from '../../apps/cli/src/services/mongodb.ts';
import { redis } from '../../apps/cli/src/services/redis.ts';
import { startContentServer } from '../support/content/contentServer.ts';
import { zipOf } from '../support/content/zipWriter.ts';
import { startGitServer } from '../support/git/gitServer.ts';
import { findTestChromium } from '../support/pdf/chromium.ts';
import { compose, megabytes } from '../support/stores/composeFile.ts';
import { provideStore } from '../support/stores/storeProcess.ts';
import { dockerStack } from './dockerStack.ts';
import { createClient, importUntil } from './load.ts';
import type { Stack } from './stack.ts';
import { startStack } from './startStack.ts';

// `npm run test:compose`: what docker-compose.yml describes, with two containers of each service, through its
// life: jobs of each kind, a rolling restart, killed stores, more and fewer workers.

if (!dockerStack.isThere() && process.env.BINDERY_COMPOSE !== 'entered' && process.getuid?.() === 0)
  process.exit(await enterNamespaces());

const pets = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: { '/pets': { get: { responses: { 200: { description: 'All pets.' } } } } },
};

let failures = 0;
let stack: Stack | undefined;

/** Runs a step and prints how it went. */
async function step<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
  const startMs = performance.now();
  const took = () => `${((performance.now() - startMs) / 1_000).toFixed(1)} s`;
  try {
    const told = await work();
    console.log(`ok      ${name} (${took()})${typeof told === 'string' ? `: ${told}` : ''}`);
    return told;
  } catch (error) {
    failures += 1;
    console.log(`FAILED  ${name} (${took()}): ${error instanceof Error ? error.stack : String(error)}`);
    return undefined;
  }
}

// Loopback of the containers is their own: both servers answer on all addresses of this machine.
const gitServer = await startGitServer({ host: '0.0.0.0' });
const web = await startContentServer('0.0.0.0');
const portOf = (url: string) => new URL(url).port;
const started = await step('starts from nothing', async () => {
  const answer = await startStack({
    allow: (host) => `${host}:${portOf(gitServer.url)},${host}:${portOf(web.origin)}`,
  });
  if ('missing' in answer) throw new Error(`Not run: ${answer.missing}.`);
  stack = answer;
  return answer.engine;
});
if (started && stack) await runSteps(stack);
await gitServer.close();
await web.close();
console.log(failures === 0 ? 'all steps passed' : `${failures} steps failed`);
process.exit(failures === 0 ? 0 : 1);

async function runSteps(on: Stack): Promise<void> {
  const { output } = await on.run('api', ['node', 'apps/cli/src/main.ts', 'token', 'create']);
  const token = /bnd_\S+/.exec(output)?.[0] ?? '';
  const client = createClient(on, token);
  const reach = (url: string) => url.replace(/\/\/[^/:]+:/, `//${on.hostAddress}:`);
  const repository = await gitServer.createRepository('load.git', {
    'README.md': '# Home\n',
    'soil.md': '# Soil\n\nWords about soil.\n',
  });
  const url = reach(repository.url);
  const { items } = (await client.send('GET', '/orgs')).body as { items: { id: string }[] };
  const organization = items[0]?.id ?? '';
  /** Runs `change` while imports go on; all of them must succeed. */
  const underLoad = async (change: () => Promise<void>): Promise<string> => {
    const over = new AbortController();
    const loading = importUntil(client, { organization, url, signal: over.signal });
    // A failed import ends the step at once.
    await Promise.race([change(), loading]).finally(() => over.abort());
    const imported = await loading;
    const others = [...client.statuses].filter(([status]) => status >= 500 && status !== 503);
    if (others.length > 0)
      throw new Error(`There were answers ${others.map(([status]) => status).join(', ')}.`);
    return `${imported} imports`;
  };

  await step('has read-only files and the /tmp of the file in each container', () => checkLimits(on));
  await step('reaches other hosts from `outside` only', async () => {
    const look = `fetch('${reach(web.origin)}/').then(() => console.log('reached'), () => console.log('refused'))`;
    for (const [service, expected] of [
      ['worker-git', 'reached'],
      ['api', 'reached'],
      ['worker-pdf', 'refused'],
    ] as const) {
      const { output: found } = await on.run(service, ['node', '-e', look]);
      if (found.trim() !== expected) throw new Error(`${service}: ${found}`);
    }
  });
  await step('runs jobs of each kind', () => runEachKind());
  await step('doubles each service', async () => {
    for (const service of ['api', ...on.workers]) await on.scale(service, 2);
    return `${(await on.apiUrls()).length} containers of the API`;
  });
  await step('goes on while each container is restarted in turn', () =>
    underLoad(async () => {
      for (const service of ['api', ...on.workers])
        for (const index of [0, 1]) await on.restart(service, index);
    }),
  );
  for (const store of ['redis', 'mongo'])
    await step(`goes on after ${store} was killed`, () =>
      underLoad(async () => {
        await delay(2_000);
        await on.kill(store);
        await delay(3_000);
      }),
    );
  await step('goes on with four git workers, and with one', () =>
    underLoad(async () => {
      for (const count of [4, 1]) {
        await on.scale('worker-git', count);
        await delay(3_000);
      }
    }),
  );
  if (failures > 0) console.log(await on.logs());
  await step('ends, and leaves nothing', () => on.down());

  async function runEachKind(): Promise<string> {
    const kinds: string[] = [];
    const run = async (method: string, path: string, json?: unknown) => {
      const answer = await client.send(method, path, json);
      const { kind } = await client.finish(answer.job);
      kinds.push(kind);
      return answer.body;
    };
    const { body } = await client.send('POST', `/orgs/${organization}/spaces`, { title: 'Each kind' });
    const space = `/spaces/${String(body.id)}`;
    const remote = { url, ref: 'refs/heads/main' };
    await run('POST', `${space}/git/import`, remote);
    const request = await client.send('POST', `${space}/change-requests`, { subject: 'One more page' });
    const changes = [{ operation: 'insert_page', title: 'Water', document: { markdown: 'Words.' } }];
    const changeRequest = `${space}/change-requests/${String(request.body.id)}`;
    await client.send('POST', `${changeRequest}/content`, { changes });
    const later = async (path: string) => {
      // The PDF answers when it is there, and names its job only where it waits.
      const { body: pdf } = await client.send('GET', path);
      if (typeof pdf.url !== 'string') throw new Error(`${path} answered ${JSON.stringify(pdf)}`);
      kinds.push(path.includes('change-requests') ? 'change-request-pdf' : 'space-pdf');
    };
    await later(`${changeRequest}/pdf`);
    await later(`${space}/pdf`);
    await client.send('POST', `${changeRequest}/merge`);
    const branch = await gitServer.createRepository('written.git', { 'README.md': '# Home\n' });
    const written = { url: reach(branch.url), ref: 'refs/heads/main', force: true, commitMessage: 'Write' };
    await run('POST', `${space}/git/export`, written);
    web.put('/guide.md', { type: 'text/markdown', body: '# Guide\n\nWords.\n' });
    await client.send('POST', `${space}/content/import`, {
      source: 'markdown',
      url: `${reach(web.origin)}/guide.md`,
    });
    kinds.push('content-import');
    const archive = zipOf({ 'README.md': '# Home\n\nWords of a folder.\n' });
    const file = { name: 'folder.zip', type: 'application/zip', size: archive.length };
    const upload = await client.send('POST', `/orgs/${organization}/storage/upload`, {
      file,
      kind: 'import_file',
    });
    const sent = await fetch(String(upload.body.url), { method: 'PUT', body: new Uint8Array(archive) });
    if (!sent.ok) throw new Error(`The upload was answered with ${sent.status}.`);
    await run('POST', `${space}/content/folder`, { files: [upload.body.key], name: 'docs' });
    web.put('/pets.json', { type: 'application/json', body: JSON.stringify(pets) });
    const source = { url: `${reach(web.origin)}/pets.json` };
    await run('PUT', `/orgs/${organization}/openapi/pets`, { source });
    const translation = await run('POST', `/orgs/${organization}/translations`, {
      language: 'es',
      source: { space: String(body.id), language: 'en' },
    });
    await run('POST', `/orgs/${organization}/translations/${String(translation.id)}/run?dryRun=true`);
    return kinds.join(', ');
  }
}

/** Compares each container with the file: read-only files, and the size of /tmp. */
async function checkLimits(on: Stack): Promise<string> {
  const services = compose();
  const look = [
    'touch /mnt/left 2>/dev/null && echo writable || echo read-only',
    "df --output=size --block-size=1M /tmp | tail -1 | tr -d ' '",
  ].join('; ');
  const checked = ['api', ...on.workers];
  for (const name of checked) {
    const service = services[name];
    const { output } = await on.run(name, ['sh', '-c', look]);
    const [files, size] = output.trim().split('\n');
    const wanted = megabytes(/size=(\d+[mg])/.exec(service?.tmpfs?.[0] ?? '')?.[1]);
    if (files !== 'read-only' || Number(size) !== wanted)
      throw new Error(`${name} has ${files} files and ${size} MB in /tmp, of ${wanted}.`);
  }
  return `${checked.length} services`;
}

/** Runs this file again in network and mount namespaces of its own; what it needs is fetched before. */
async function enterNamespaces(): Promise<number> {
  const folder = await createTemporaryFolder('bindery-compose-');
  for (const service of [mongodb, redis]) await provideStore(service, folder);
  await findTestChromium();
  await removeFolder(folder);
  const script = 'ip link set lo up && mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && exec "$@"';
  const again = [process.execPath, join(import.meta.dirname, 'run.ts')];
  const { status } = spawnSync(
    'unshare',
    // When this process ends, however it does, so does all that it started.
    [
      '--mount',
      '--net',
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
      '--propagation=private',
      'sh',
      '-ec',
      script,
      'sh',
      ...again,
    ],
    { stdio: 'inherit', env: { ...process.env, BINDERY_COMPOSE: 'entered' } },
  );
  return status ?? 1;
}
