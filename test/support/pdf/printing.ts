import { pdfJobs, startWorker } from '@bindery/jobs';
import { dropPreparedWriter } from '@bindery/pdf';
import { createLogger } from '@bindery/runtime';
import { createPageRenderers } from '../../../apps/worker-pdf/src/book/rendering/pageRenderer.ts';
import { createPrinters, outputVersionOf } from '../../../apps/worker-pdf/src/book/printers.ts';
import { createBrowsers } from '../../../apps/worker-pdf/src/browser/createBrowsers.ts';
import { provideDebianPrograms } from '../debianPrograms.ts';
import { it as base } from '../it.ts';
import { slowness } from '../machine.ts';
import { findTestChromium } from './chromium.ts';
import { findTestFonts } from './fonts.ts';
import { readPdf, type ReadPdf } from './readPdf.ts';

const readers = await provideDebianPrograms({ qpdf: ['qpdf'], pdfinfo: ['poppler-utils'] });
if (readers) console.warn(`Tests of books not run: ${readers}`);
const chromium = await findTestChromium();
const fonts = await findTestFonts();

/** The reason why the fonts of PDFs are not here, if they are not: books then have other fonts. */
export const missingFonts = fonts.missing;

/** The reason why books cannot be printed and read here, if they cannot. */
export const missingPrograms = readers ?? chromium.missing;

/** A PDF from the API, and the job that made it. */
export type Printed = ReadPdf & { job: Record<string, any> | undefined }; // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

/**
 * The `it` of tests that print: a worker in this process, with Chromium. `print` asks the API for a PDF,
 * waits, and reads it. A file may give the browsers less memory than usual.
 */
export const it = base
  .extend('browserMemoryMb', { scope: 'file' }, 1_500)
  .extend('printing', { scope: 'file' }, async ({ api, browserMemoryMb }, { onCleanup }) => {
    const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
    const browsers = await createBrowsers({
      executable: chromium.executable,
      fontConfigFile: fonts.fontConfigFile,
      firstUid: api.config.children.firstUid,
      memoryMb: browserMemoryMb,
      logger,
    });
    const renderers = createPageRenderers(1);
    const outputVersion = outputVersionOf(browsers.version);
    const { chunkDeadlineMs } = api.config.pdf;
    const printers = createPrinters({
      blobs: api.blobs,
      browsers,
      renderers,
      outputVersion,
      chunkDeadlineMs: chunkDeadlineMs * slowness(),
    });
    const worker = await startWorker(pdfJobs, printers, {
      app: 'test',
      concurrency: 2,
      outputVersion,
      config: api.config,
      logger,
    });
    onCleanup(async () => {
      await worker.stop(0);
      await Promise.all([browsers.close(), renderers.close(), dropPreparedWriter()]);
    });
    return { browsers, renderers };
  })
  .extend(
    'print',
    { scope: 'file' },
    ({ api, reader, printing: _started }) =>
      async (path: string): Promise<Printed> => {
        const ask = () => api.call('GET', path, { token: reader.token });
        let answer = await ask();
        const id = answer.headers.get('x-job-id');
        // A slow book takes longer than a request waits.
        while (answer.status === 503 && id) {
          const { state } = (await api.call('GET', `/v1/jobs/${id}?wait=60`, { token: reader.token })).body;
          if (state === 'failed' || state === 'timed_out') break;
          if (state === 'succeeded') answer = await ask();
        }
        const { status, text, body } = answer;
        if (status !== 200) throw new Error(`${status} ${text}`);
        const job = id ? (await api.call('GET', `/v1/jobs/${id}`, { token: reader.token })).body : undefined;
        const file = await api.call('GET', body.url);
        return { ...(await readPdf(file.bytes)), job };
      },
  );
