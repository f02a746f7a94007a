import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import MarkdownIt from 'markdown-it';
import { startImportLab, type ImportLab } from '../../test/support/git/importing.ts';
import type { KnownBlobs } from '../../apps/worker-git/src/child/repositoryReading.ts';
import { createRemoteReader, knownOf } from '../../test/support/git/readRemote.ts';
import { median, writeReport, type Row } from '../support/figures.ts';
import { startBenchStores } from '../support/stores.ts';
import { cloneAndRead, fetchAndReadChanged, listRemote } from './nativeGit.ts';
import { watchPeakMemory } from './peakMemory.ts';
import { makeRepository, pathOfPage, shapes, type Shape } from './repositories.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const chosen = process.env.BENCH_SHAPE
  ? shapes.filter(({ name }) => name.startsWith(process.env.BENCH_SHAPE ?? ''))
  : shapes;
const MB = 1024 * 1024;

const stores = await startBenchStores();
Object.assign(process.env, {
  MONGODB_URI: stores.mongodbUri,
  REDIS_URL: stores.redisUrl,
  BINDERY_SECRET_KEY: '00'.repeat(32),
  LOG_LEVEL: 'error',
  BINDERY_GIT_MAX_TOTAL_MB: '1024',
});
const lab = await startImportLab({ hasProcesses: true });
const rows: Row[] = [];
const markdown = new MarkdownIt();
for (const shape of chosen) await measureShape(shape);
if (!process.env.BENCH_SHAPE) await measureLargeSync();
await writeReport('git.md', {
  title: 'Importing from git against git itself',
  intro: `The reference is what one would use instead: \`git clone --bare --depth 1\` and \`git cat-file --batch\` for reads, \`git ls-remote\`, \`git fetch --depth 1\` with \`diff\` and \`cat-file\` for syncs. A real \`git http-backend\` on loopback serves both; they ran alternately, ${rounds} rounds.`,
  rows,
  notes: [
    'Reads hold the scan of all pages, and a page is only read when its bytes were checked against their hash.',
    'The process that reads is started ahead of its job, as in a worker; its start is not counted, as the start of git is.',
    'Whole imports end with every page, file and node stored in MongoDB, journaled. Their reference is the clone, the read and a markdown-it parse, which stores nothing.',
  ],
});
await lab.close();
await stores.stop();
process.exit();

async function measureShape(shape: Shape): Promise<void> {
  console.error(shape.name);
  const repository = await lab.gitServer.createRepository(`${shape.pages}.git`, makeRepository(shape));
  const { url } = repository;
  const names = [
    'clone',
    'cloneAll',
    'read',
    'readAll',
    'readUnfiltered',
    'parsed',
    'imported',
    'list',
    'unchanged',
    'unchangedJob',
    'fetch',
    'sync',
    'syncJob',
  ] as const;
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    (typeof names)[number],
    number[]
  >;
  let peak = 0;
  let packBytes = 0;
  let gapMs = 0;
  const kept = await cloneAndRead(url);
  const space = await lab.newSpace();
  await lab.importInto(space, url);
  const first = await readAll(url);
  const { files } = knownOf(first);
  let known: Known = { commit: first.commit.oid, blobs: knownOf(first) };
  for (let round = 0; round < rounds; round += 1) {
    samples.clone.push(await timed(async () => (await cloneAndRead(url)).remove()));
    samples.read.push(await readOnce(url, { blobs: { pages: new Uint8Array(), files } }));
    samples.readAll.push(await readOnce(url));
    lab.gitServer.options.allowFilter = false;
    lab.gitServer.requests.length = 0;
    const memory = watchPeakMemory();
    samples.readUnfiltered.push(await readOnce(url));
    peak = Math.max(peak, memory.stop());
    packBytes = Math.max(...lab.gitServer.requests.map(({ sentBytes }) => sentBytes));
    lab.gitServer.options.allowFilter = true;

    samples.parsed.push(
      await timed(async () => {
        const { pages, remove } = await cloneAndRead(url);
        for (const bytes of pages.values()) markdown.parse(bytes.toString(), {});
        await remove();
      }),
    );
    const target = await lab.newSpace();
    await idle();
    const gap = monitorEventLoopDelay({ resolution: 1 });
    gap.enable();
    samples.imported.push(await timed(() => succeed(lab.importInto(target, url))));
    gap.disable();
    gapMs = Math.max(gapMs, gap.max / 1e6);

    samples.list.push(await timed(() => listRemote(url)));
    samples.unchanged.push(await readOnce(url, known));
    await idle();
    samples.unchangedJob.push(await timed(() => succeed(lab.importInto(space, url))));

    const changes = Array.from(
      { length: 10 },
      (_, n) => [pathOfPage(n), Buffer.from(`# Page ${n}\n\nChanged in round ${round}.\n`)] as const,
    );
    await repository.commit(new Map(changes));
    samples.fetch.push(await timed(() => fetchAndReadChanged(kept.folder)));
    samples.sync.push(await readOnce(url, known));
    await idle();
    samples.syncJob.push(await timed(() => succeed(lab.importInto(space, url))));
    const synced = await readAll(url);
    known = { commit: synced.commit.oid, blobs: knownOf(synced) };
  }
  await kept.remove();
  // A row without a goal is informative only: git stores nothing in a database.
  const compare = (name: string, reference: number[], ours: number[], goal?: number) => {
    const ratio = median(ours) / median(reference);
    rows.push({
      name: `${shape.name}: ${name}`,
      reference: ms(median(reference)),
      ours: ms(median(ours)),
      ratio,
      goal: goal === undefined ? '-' : `<= ${goal}`,
      isMet: goal === undefined || ratio <= goal,
    });
  };
  compare('pages read, server offers `filter`', samples.clone, samples.read, shape.assets > 500 ? 0.2 : 1);
  compare('pages and all files read, `filter`', samples.clone, samples.readAll, 1.5);
  compare('pages and all files read, no `filter`', samples.clone, samples.readUnfiltered, 1.5);
  compare('whole import as a job, stored', samples.parsed, samples.imported, importGoal(shape));
  compare('sync, nothing changed', samples.list, samples.unchanged, 1.2);
  compare('the same as a whole job', samples.list, samples.unchangedJob);
  compare('sync of 10 changed pages', samples.fetch, samples.sync, 0.6);
  compare('the same as a whole job, stored', samples.fetch, samples.syncJob, 0.6);
  const bound = 150 * MB + 2.5 * packBytes;
  rows.push({
    name: `${shape.name}: peak memory of the reading process, no \`filter\``,
    reference: `${mb(packBytes)} pack`,
    ours: mb(peak),
    ratio: peak / bound,
    goal: '<= 150 MB + 2.5 x pack',
    isMet: peak <= bound,
  });
  rows.push({
    name: `${shape.name}: longest timer gap of the worker`,
    reference: '-',
    ours: ms(gapMs),
    ratio: gapMs / 100,
    goal: '<= 100 ms',
    isMet: gapMs <= 100,
  });
}

/** Storing, which git does not do, weighs most in a small import. */
function importGoal({ pages, assetBytes }: Shape): number {
  if (pages > 1_000) return 0.6;
  return assetBytes > 200_000 ? 1.5 : 1;
}

/** Measures the sync of one changed page among 10,000. */
async function measureLargeSync(): Promise<void> {
  const shape = { name: '10,000 pages', pages: 10_000, pageBytes: 1_500, assets: 0, assetBytes: 0 };
  console.error(shape.name);
  const repository = await lab.gitServer.createRepository('large.git', makeRepository(shape));
  const space = await lab.newSpace();
  await succeed(lab.importInto(space, repository.url));
  const kept = await cloneAndRead(repository.url);
  const samples = { fetch: [] as number[], sync: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    await repository.commit({ [pathOfPage(77)]: `# Page 77\n\nChanged in round ${round}.\n` });
    samples.fetch.push(await timed(() => fetchAndReadChanged(kept.folder)));
    await idle();
    samples.sync.push(await timed(() => succeed(lab.importInto(space, repository.url))));
  }
  await kept.remove();
  const ratio = median(samples.sync) / median(samples.fetch);
  rows.push({
    name: '10,000 pages: one changed (as a job)',
    reference: ms(median(samples.fetch)),
    ours: ms(median(samples.sync)),
    ratio,
    goal: '<= 0.5',
    isMet: ratio <= 0.5,
  });
}

type Known = { commit?: string; blobs: KnownBlobs };

/** Reads with a process started in advance. @returns the time in milliseconds */
async function readOnce(
  url: string,
  { commit, blobs }: Known = { blobs: { pages: new Uint8Array(), files: new Uint8Array() } },
): Promise<number> {
  const reader = createRemoteReader({ prewarm: true });
  await idle();
  const durationMs = await timed(() =>
    reader.read({ url, ...(commit && { known: { commit } }) }, { loadKnown: async () => blobs }),
  );
  await reader.close();
  return durationMs;
}

async function readAll(url: string) {
  const reader = createRemoteReader();
  const reading = await reader.readAll({ url });
  await reader.close();
  return reading;
}

/** Waits as between two jobs, while the next process is started in advance. */
async function idle(): Promise<void> {
  await delay(800);
}

async function succeed(job: ReturnType<ImportLab['importInto']>): Promise<void> {
  const { state, error } = await job;
  if (state !== 'succeeded') throw new Error(`The import ended as ${state}: ${error?.message}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}

function mb(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`;
}
