import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { GitSyncPoint, PageHistory, Space } from '@bindery/models';
import { editContent, setFields, storeSource } from '../../test/support/content/editContent.ts';
import type { GitRepository } from '../../test/support/git/gitRepository.ts';
import { flatten, startImportLab } from '../../test/support/git/importing.ts';
import { median, writeReport, type Row } from '../support/figures.ts';
import { startBenchStores } from '../support/stores.ts';
import { cloneAndRead } from './nativeGit.ts';
import { watchPeakMemory } from './peakMemory.ts';
import { makeRepository, pathOfPage, type Shape } from './repositories.ts';

// Compares exports as whole jobs with the native alternative on a kept clone: `git fast-import` and `git
// push`.

/** A partial clone has no files. */
const noBlobs = ['--filter=blob:none'];
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const MB = 1024 * 1024;
const run = promisify(execFile);

const shapes: Shape[] = [
  { name: '160 pages, 110 images', pages: 160, pageBytes: 3_200, assets: 110, assetBytes: 135_000 },
  { name: '4,000 pages', pages: 4_000, pageBytes: 8_000, assets: 0, assetBytes: 0 },
];

const stores = await startBenchStores();
Object.assign(process.env, {
  MONGODB_URI: stores.mongodbUri,
  REDIS_URL: stores.redisUrl,
  BINDERY_SECRET_KEY: '00'.repeat(32),
  LOG_LEVEL: 'error',
});
const lab = await startImportLab({ hasProcesses: true });
const rows: Row[] = [];
for (const shape of shapes)
  for (const count of [1, 50, 500]) if (count < shape.pages) await measure(shape, count);
await writeReport('git-export.md', {
  title: 'Exporting to git against git itself',
  intro: `The reference has a clone ready and writes the changed files with \`git fast-import\` and \`git push\`; with its fetch, it has a clone without files and begins with \`git fetch --depth 1 --filter=blob:none\`. Ours is the whole job, from its acceptance to its end in MongoDB: refs, plan, commit, push, the new revision. A real \`git http-backend\` on loopback serves both; they ran alternately, ${rounds} rounds.`,
  rows,
  notes: [
    'Each round begins with the same branch and the same edited space.',
    'The space was imported before: its sync point has the trees of the branch, and only texts of pages have changed, so the job fetches nothing.',
  ],
});
await lab.close();
await stores.stop();
process.exit();

async function measure(shape: Shape, count: number): Promise<void> {
  const name = `${shape.name}: ${count} changed`;
  console.error(name);
  const repository = await lab.gitServer.createRepository(
    `export-${shape.pages}-${count}.git`,
    makeRepository(shape),
  );
  const space = await lab.newSpace();
  await succeed(lab.importInto(space, repository.url));
  const base = await repository.oid('main');
  const textOf = (n: number) => `# Page ${n}\n\nWritten anew.\n`;
  const ids = new Map(flatten((await lab.contentOf(space)).tree).map(({ page }) => [page.title, page.id]));
  const documents = await Promise.all(
    Array.from({ length: count }, (_, n) => storeSource(space.organization, textOf(n))),
  );
  const edited = await editContent(space, (tree) => {
    for (const [n, document] of documents.entries())
      setFields(tree, ids.get(`Page ${n}`) ?? '', { document });
  });
  const history = await PageHistory.collection.findOne({ _id: space._id as never });
  const point = await GitSyncPoint.collection.findOne({ space: space._id as never });
  if (!point) throw new Error('The import left no sync point.');
  const kept = await cloneAndRead(repository.url);
  const bare = `${kept.folder}-trees`;
  await run('git', ['clone', '--quiet', '--bare', '--depth', '1', ...noBlobs, repository.url, bare]);
  const samples = { git: [] as number[], fetching: [] as number[], job: [] as number[] };
  let gapMs = 0;
  let peak = 0;
  for (let round = 0; round < rounds; round += 1) {
    await repository.git(['update-ref', 'refs/heads/main', base]);
    const files = Array.from({ length: count }, (_, n) => [pathOfPage(n), textOf(n)] as [string, string]);
    samples.git.push(await timed(() => importAndPush(kept.folder, { base, files })));
    const expected = await treeOf(repository);
    await repository.git(['update-ref', 'refs/heads/main', base]);
    samples.fetching.push(
      await timed(async () => {
        await run('git', ['-C', bare, 'fetch', '--quiet', '--depth', '1', ...noBlobs, 'origin', 'main']);
        await importAndPush(bare, { base, files });
      }),
    );
    await repository.git(['update-ref', 'refs/heads/main', base]);
    await Space.updateOne({ _id: space._id }, { $set: { revision: edited._id } });
    await GitSyncPoint.collection.replaceOne({ _id: point._id }, point);
    if (history) await PageHistory.collection.replaceOne({ _id: history._id }, history);
    // An idle worker starts the next process in advance and has it read a small repository.
    await delay(4_500);
    const gap = monitorEventLoopDelay({ resolution: 1 });
    gap.enable();
    const memory = watchPeakMemory();
    samples.job.push(await timed(() => succeed(lab.exportFrom(space, repository.url))));
    peak = Math.max(peak, memory.stop());
    gap.disable();
    gapMs = Math.max(gapMs, gap.max / 1e6);
    if ((await treeOf(repository)) !== expected) throw new Error('The export is not what git wrote.');
  }
  await kept.remove();
  await rm(bare, { recursive: true, force: true });
  const compare = (what: string, reference: number, ours: number, goal?: number) =>
    rows.push({
      name: what,
      reference: ms(reference),
      ours: ms(ours),
      ratio: ours / reference,
      goal: goal === undefined ? '-' : `<= ${goal}`,
      isMet: goal === undefined || ours / reference <= goal,
    });
  compare(name, median(samples.git), median(samples.job), 2);
  compare(`${name}, reference with its fetch`, median(samples.fetching), median(samples.job), 1.2);
  compare(`${name}, fastest`, Math.min(...samples.git), Math.min(...samples.job));
  rows.push({
    name: `${name}, peak memory of the writing process`,
    reference: '-',
    ours: `${Math.round(peak / MB)} MB`,
    ratio: peak / (1_000 * MB),
    goal: '<= 1 GB',
    isMet: peak <= 1_000 * MB,
  });
  rows.push({
    name: `${name}, longest timer gap of the worker`,
    reference: '-',
    ours: ms(gapMs),
    ratio: gapMs / 100,
    goal: '<= 100 ms',
    isMet: gapMs <= 100,
  });
}

async function importAndPush(
  folder: string,
  { base, files }: { base: string; files: [path: string, text: string][] },
): Promise<void> {
  const person = 'Ada Example <ada@example.com> 1700000000 +0000';
  const parts = [
    `commit refs/heads/main\nauthor ${person}\ncommitter ${person}\ndata 6\nExport\nfrom ${base}\n`,
  ];
  for (const [path, text] of files)
    parts.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  const child = spawn('git', ['-C', folder, 'fast-import', '--quiet', '--force'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(parts.join(''));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error('git fast-import failed.');
  await run('git', ['-C', folder, 'push', '--quiet', '--force', 'origin', 'refs/heads/main:refs/heads/main']);
}

async function treeOf(repository: GitRepository): Promise<string> {
  return repository.oid('main^{tree}');
}

async function succeed(job: ReturnType<typeof lab.exportFrom>): Promise<void> {
  const { state, error } = await job;
  if (state !== 'succeeded') throw new Error(`The job ended as ${state}: ${error?.message}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
