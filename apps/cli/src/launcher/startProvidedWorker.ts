import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '@bindery/runtime';
import { findChromium, provideChromium } from '../services/pdf/chromium.ts';
import { findFonts, provideFonts } from '../services/pdf/fonts.ts';
import type { Tools } from '../services/runTool.ts';
import type { PlannedApp } from './apps.ts';
import type { FailureNotices } from './output/failureNotices.ts';
import type { Run } from './run.ts';
import { startApps } from './startApps.ts';
import { surroundings } from './startStores.ts';
import type { Supervised } from './supervise.ts';

/** The network may be away; nothing else waits for Chromium. */
const retryMs = 600_000;

export const pdfWorkerName = 'worker-pdf';

/**
 * Starts the PDF workers with Chromium and the fonts of PDFs. What has to be downloaded first is downloaded
 * while everything else starts and runs; until then, jobs that print wait, and say why.
 *
 * @returns the workers; none while a download goes on, after which they start
 */
export async function startPdfWorker(
  run: Run,
  app: PlannedApp,
  options: { environment: NodeJS.ProcessEnv; graceMs: number; notices: FailureNotices },
): Promise<Supervised[]> {
  const tools: Tools = { surroundings: surroundings(run.environment), say: run.say, signal: run.signal };
  const start = async (given: NodeJS.ProcessEnv) =>
    startApps(run, [app], { ...options, environment: { ...options.environment, ...given } });
  const found = await findAll(tools);
  if (found) return start(found);
  const later = provideAndStart(tools, { notices: options.notices, start });
  run.undo.defer(() => later);
  return [];
}

async function provideAndStart(
  tools: Tools,
  { notices, start }: { notices: FailureNotices; start: (given: NodeJS.ProcessEnv) => Promise<unknown> },
): Promise<void> {
  const { signal, say } = tools;
  const note = (reason: string) =>
    notices.listenersFor(pdfWorkerName).onDeath({ reason, deaths: 0, pauseMs: retryMs, pid: undefined });
  while (!signal?.aborted) {
    try {
      note('Chromium or fonts are being downloaded');
      // One after the other: the network is the limit.
      const chromium = await provideChromium(tools);
      const fonts = await fontsOf(tools, provideFonts);
      say(`PDF: Chromium ${chromium.version.join('.')}, ${chromium.found} (${chromium.path})`);
      await start({ CHROME_PATH: chromium.path, BINDERY_PDF_FONTS: fonts });
      return;
    } catch (error) {
      if (signal?.aborted) return;
      say(`PDF: ${messageOf(error)}\nPDF: everything else works without it.`);
      note('Chromium or fonts could not be downloaded; `bindery doctor` says what is missing');
      await delay(retryMs, undefined, { signal }).catch(() => {});
    }
  }
}

/** @returns the variables for the worker; undefined if something is missing */
async function findAll(tools: Tools): Promise<NodeJS.ProcessEnv | undefined> {
  const [chromium, fonts] = await Promise.all([
    findChromium(tools).catch(() => undefined),
    fontsOf(tools, findFonts),
  ]);
  return chromium && fonts ? { CHROME_PATH: chromium.path, BINDERY_PDF_FONTS: fonts } : undefined;
}

async function fontsOf<T>(tools: Tools, look: (tools: Tools) => Promise<T>): Promise<T | string> {
  return tools.surroundings.environment.BINDERY_PDF_FONTS || look(tools);
}
