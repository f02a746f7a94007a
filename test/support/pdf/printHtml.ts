import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import { findOnPath } from '../../../apps/cli/src/services/probeBinary.ts';

/** Chromium's sandbox refuses to run as root; this user has nothing here. */
const somebody = 54_322;

export type Printer = {
  /** Prints a document; in it, `#id` is a place in the document itself. */
  print(html: string): Promise<Uint8Array>;
  close(): Promise<void>;
};

/** Starts chromium-headless-shell, in its sandbox, for printing HTML as the PDF worker does. */
export async function startPrinter(): Promise<Printer> {
  const [program, setpriv] = await Promise.all(
    ['chromium-headless-shell', 'setpriv'].map((name) => findOnPath(name, process.env.PATH)),
  );
  if (!program || !setpriv) throw new Error('chromium-headless-shell or setpriv is not on PATH.');
  const folder = await mkdtemp(join(tmpdir(), 'bindery-printer-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, somebody, somebody);
  const ids = [`--reuid=${somebody}`, `--regid=${somebody}`, '--clear-groups', program];
  const browser = await puppeteer.launch({
    executablePath: isRoot ? setpriv : program,
    ignoreDefaultArgs: true,
    pipe: true,
    args: [
      ...(isRoot ? ids : []),
      '--headless',
      '--remote-debugging-pipe',
      '--host-resolver-rules=MAP * ~NOTFOUND',
      `--user-data-dir=${folder}`,
      'about:blank',
    ],
    env: { HOME: folder, PATH: process.env.PATH },
  });
  return {
    print: (html) => print(browser, html),
    close: async () => {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function print(browser: Browser, html: string): Promise<Uint8Array> {
  const page = await browser.newPage();
  try {
    await page.setContent(html);
    return await page.pdf({
      tagged: true,
      outline: true,
      preferCSSPageSize: true,
      printBackground: true,
      timeout: 0,
    });
  } finally {
    await page.close();
  }
}
