// `npm run bench:pdf`; `npm run bench:pdf -- 1000` also prints a book of that many pages.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSpace } from '@bindery/content';
import {
  connectMongo,
  disconnectMongo,
  ensureIndexes,
  mongoDatabase,
  Space,
  type SpaceRecord,
} from '@bindery/models';
import { appMemoryVariables, appNodeOptions } from '@bindery/runtime';
import { createBlobStore } from '@bindery/storage';
import type { PdfBook } from '../../apps/worker-pdf/src/book/pdfBook.ts';
import { buildFile, buildRevision } from '../../test/support/factories.ts';
import { findTestChromium } from '../../test/support/pdf/chromium.ts';
import { plain } from '../../test/support/pdf/readPdf.ts';
import { budgetRow, median, writeReport, type Row } from '../support/figures.ts';
import { startProgram } from '../support/programs.ts';
import { startBenchStores } from '../support/stores.ts';
import { documentationPages } from './pages.ts';
import { picturePng } from './picture.ts';
import { printToPdf } from './printToPdf.ts';
import type { PrintFigures, PrintRequest } from './printer.ts';
import { peakMemory, type Memory } from './treeMemory.ts';

const { executable, missing } = await findTestChromium();
if (missing) process.exit(1);
const more = process.argv.slice(2).map(Number);
const stores = await startBenchStores();
const uri = Object.assign(new URL(stores.mongodbUri), { pathname: '/pdf' }).href;
await connectMongo({ mongo: { uri } });
await ensureIndexes();
const folder = await mkdtemp(join(tmpdir(), 'bindery-bench-pdf-'));
/** A process like a worker, as the launcher starts it. */
const startPrinter = () =>
  startProgram(
    new URL('printer.ts', import.meta.url),
    { ...appMemoryVariables, MONGODB_URI: uri, CHROME_PATH: executable },
    appNodeOptions,
  );
const printer = await startPrinter();
const print = (request: PrintRequest) => printer.ask<PrintFigures>(request);

const blobs = createBlobStore(mongoDatabase());
await blobs.prepare();
const rows: Row[] = [];
const notes: string[] = [];
/** The jobs of a long day, and those whose memory is compared: the first with the last. */
const jobsInARow = 300;
const comparedJobs = 50;

for (const { pages, rounds } of [
  { pages: 1, rounds: 7 },
  { pages: 50, rounds: 3 },
  { pages: 300, rounds: 3 },
  ...more.map((count) => ({ pages: count, rounds: 1 })),
]) {
  console.error(`${pages} pages`);
  await measure(pages, rounds);
}
console.error(`${jobsInARow} jobs`);
await measureJobs();

await writeReport('pdf.md', {
  title: 'PDFs',
  intro:
    'A warm worker against `--print-to-pdf` of the same Chromium, started for each document, in the same run and by turns. Bindery reads the pages from the store, ' +
    'renders them, prints them with a cover and contents, merges, and stores the file; the reference gets the finished HTML of the same pages as one file. ' +
    'Medians.',
  rows,
  notes: [
    ...notes,
    'Compare ratios of one run only: times and gaps follow the load of the machine.',
    'Pages have some 650 words, 7 headings, code, a table, a list and links; one in three has a picture.',
    'Memory: the proportional set (PSS) of all processes of the browser, and the resident set of the worker, in further rounds: looking at it takes time. Gap: the longest time for which timers of the worker waited.',
  ],
});
await printer.stop();
await disconnectMongo();
await stores.stop();
await rm(folder, { recursive: true, force: true });

async function measure(pages: number, rounds: number): Promise<void> {
  const book = await bookOf(pages);
  const [pdf, html, reference] = ['ours.pdf', 'book.html', 'reference.pdf'].map((name) => join(folder, name));
  // Another process: it keeps the whole document.
  const writer = await startPrinter();
  await writer.ask({ book, pdf: pdf!, html: html! } satisfies PrintRequest);
  await writer.stop();
  // Warms up.
  await print({ book, pdf: pdf! });
  const ours: PrintFigures[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await print({ book, pdf: pdf! }));
    theirs.push(await printToPdf(html!, reference!, executable));
  }
  const memory = await peakMemory(printer.pid, async () => {
    // A short job ends between two looks.
    for (let round = 0; round < (pages === 1 ? rounds : 1); round += 1) await print({ book, pdf: pdf! });
  });
  const ms = median(ours.map((figures) => figures.ms));
  const referenceMs = median(theirs);
  const gapMs = Math.max(...ours.map((figures) => figures.gapMs));
  const isSame = (await bodyText(pdf!)) === (await bodyText(reference!));
  const goal = pages === 1 ? 0.33 : 0.85;
  const [{ sheets, sizeBytes } = { sheets: 0, sizeBytes: 0 }] = ours;
  const name = `${pages} ${pages === 1 ? 'page' : 'pages'}`;
  rows.push({
    name: `${name} (${sheets} sheets)`,
    reference: `${Math.round(referenceMs)} ms`,
    ours: `${Math.round(ms)} ms`,
    ratio: ms / referenceMs,
    goal: `<= ${goal}`,
    isMet: ms / referenceMs <= goal,
  });
  addMemory(name, memory, { browserMb: pages <= 50 ? 250 : 450, workerMb: 500 });
  rows.push(budgetRow(`${name}: gap`, { ours: gapMs, budget: 100, unit: 'ms' }));
  notes.push(
    `${name}: ${(sizeBytes / 1e6).toFixed(1)} MB; text ${isSame ? 'the same as' : '**different from**'} that of the reference.`,
  );
}

/** The memory of the last of many jobs beside that of the first, which is as large if nothing stays. */
async function measureJobs(): Promise<void> {
  const book = await bookOf(1);
  const some = () =>
    peakMemory(printer.pid, async () => {
      for (let job = 0; job < comparedJobs; job += 1) await print({ book, pdf: join(folder, 'ours.pdf') });
    });
  const first = await some();
  let last = first;
  for (let done = comparedJobs; done < jobsInARow; done += comparedJobs) last = await some();
  addMemory(`${jobsInARow} jobs, the last ${comparedJobs} against the first`, last, {
    browserMb: first.browserMb * 1.05,
    workerMb: first.workerMb * 1.05,
  });
}

function addMemory(name: string, memory: Memory, budget: Memory): void {
  const row = (of: string, key: keyof Memory) =>
    budgetRow(`${name}: memory of the ${of}`, { ours: memory[key], budget: budget[key], unit: 'MB' });
  rows.push(row('browser', 'browserMb'), row('worker', 'workerMb'));
}

async function bookOf(pages: number): Promise<PdfBook> {
  const created = await createSpace({ organization: 'bench', createdBy: 'bench', title: 'Handbook' });
  const picture = await buildFile(blobs, 'bench', {
    name: 'picture.png',
    bytes: picturePng(),
    contentType: 'image/png',
  });
  await buildRevision(created, { pages: documentationPages(pages, picture), files: [picture] });
  const space = await Space.findById(created._id).lean<SpaceRecord>();
  return {
    spaceId: created._id,
    revision: space?.revision ?? '',
    only: false,
    pageSize: 'a4',
    title: 'Handbook',
    author: 'Bench',
    language: 'en',
    appUrl: 'https://app.test',
  };
}

/** The text of the body in the order of the document, without margins, cover, contents and white space. */
async function bodyText(path: string): Promise<string> {
  const area = ['-x', '50', '-y', '55', '-W', '495', '-H', '735'];
  const { stdout } = await promisify(execFile)('pdftotext', ['-raw', ...area, path, '-'], {
    maxBuffer: 2 ** 28,
  });
  const sheets = stdout.split('\f').map(plain);
  const contents = sheets.findIndex((sheet) => sheet.startsWith('Contents'));
  const first =
    contents === -1 ? 0 : sheets.findIndex((sheet, index) => index > contents && !/\d{2,}$/.test(sheet));
  return sheets.slice(first).join('');
}
