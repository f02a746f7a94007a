import type { Browser } from 'puppeteer-core';
import { startTestBrowser } from '../testBrowser.ts';

export type Printer = {
  /** Prints a document; in it, `#id` is a place in the document itself. */
  print(html: string): Promise<Uint8Array>;
  close(): Promise<void>;
};

/** Starts chromium-headless-shell for printing HTML as the PDF worker does. */
export async function startPrinter(): Promise<Printer> {
  const { browser, close } = await startTestBrowser();
  return { print: (html) => print(browser, html), close };
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
