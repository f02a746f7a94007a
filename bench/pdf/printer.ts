// Prints books like the PDF worker, in a process of its own, and measures it.
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pipeline } from 'node:stream/promises';
import type { Run } from '@bindery/jobs';
import { connectMongo, mongoDatabase } from '@bindery/models';
import { createLogger, reapOrphans } from '@bindery/runtime';
import { blobKey, createBlobStore } from '@bindery/storage';
import type { PdfBook } from '../../apps/worker-pdf/src/book/pdfBook.ts';
import { printBook } from '../../apps/worker-pdf/src/book/printBook.ts';
import { createPageRenderers } from '../../apps/worker-pdf/src/book/rendering/pageRenderer.ts';
import { printedOnly } from '../../apps/worker-pdf/src/book/sheets/sheetStyle.ts';
import type { Browsers, Chunk } from '../../apps/worker-pdf/src/browser/browser.ts';
import { createBrowsers } from '../../apps/worker-pdf/src/browser/createBrowsers.ts';

/** Prints a book; with `html`, the printed chunks go there as one document. */
export type PrintRequest = { book: PdfBook; pdf: string; html?: string };
export type PrintFigures = {
  ms: number;
  sheets: number;
  sizeBytes: number;
  /** The longest time for which timers of this process waited. */
  gapMs: number;
};

const logger = createLogger({ log: { level: 'silent' } }, { app: 'bench' });
await connectMongo({ mongo: { uri: process.env.MONGODB_URI ?? '' } });
await reapOrphans();
const blobs = createBlobStore(mongoDatabase());
await blobs.prepare();
const browsers = await createBrowsers({
  executable: process.env.CHROME_PATH ?? '',
  fontConfigFile: process.env.BINDERY_PDF_FONTS || undefined,
  memoryMb: 2_000,
  logger,
});
const renderers = createPageRenderers(1);

process.on('message', (request: PrintRequest) => {
  void print(request).then((figures) => process.send?.(figures));
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });

async function print({ book, pdf, html }: PrintRequest): Promise<PrintFigures> {
  const chunks: Chunk[] = [];
  const run = {
    signal: new AbortController().signal,
    logger,
    progress: () => undefined,
    log: () => undefined,
    stats: () => undefined,
  } as unknown as Run;
  const gap = monitorEventLoopDelay({ resolution: 5 });
  gap.enable();
  const startMs = performance.now();
  const { file, sheets, sizeBytes } = await printBook(book, run, {
    blobs,
    browsers: html === undefined ? browsers : keeping(browsers, chunks),
    renderers,
    outputVersion: 'bench',
    chunkDeadlineMs: 120_000,
  });
  const ms = performance.now() - startMs;
  gap.disable();
  const stored = await blobs.open(blobKey('bench', file));
  if (!stored) throw new Error('The PDF was not stored.');
  await pipeline(stored.bytes, createWriteStream(pdf));
  if (html !== undefined) await writeFile(html, oneDocument(chunks));
  return { ms, sheets, sizeBytes, gapMs: gap.max / 1e6 };
}

function keeping({ version, openBook, close }: Browsers, chunks: Chunk[]): Browsers {
  return {
    version,
    close,
    openBook: async (signal) => {
      const book = await openBook(signal);
      return {
        close: () => book.close(),
        discard: () => book.discard(),
        load: (chunk) => {
          chunks.push(chunk);
          return book.load(chunk);
        },
      };
    },
  };
}

/** The chunks of the body as one document with embedded pictures: what a user would give to Chromium. */
function oneDocument(chunks: readonly Chunk[]): string {
  const body = chunks.filter(({ html }) => html.includes('class="chapter'));
  const pictures = new Map(
    body.flatMap(({ files }) =>
      [...(files ?? [])].map(([path, { bytes, type }]) => [
        `https://render.invalid/${path}`,
        `data:${type};base64,${Buffer.from(bytes).toString('base64')}`,
      ]),
    ),
  );
  const styles = new Set(
    body.flatMap(({ html }) => /<style>(.*?)<\/style>/s.exec(html)?.[1]?.replace(printedOnly, '') ?? []),
  );
  const texts = body.map(({ html }) => /<body>(.*)<\/body>/s.exec(html)?.[1] ?? '');
  let text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Book</title><style>${[...styles].join('\n')}</style></head><body>${texts.join('\n')}</body></html>`;
  for (const [from, to] of pictures) text = text.replaceAll(from, to);
  return text.replaceAll('https://render.invalid/book#', '#');
}
