import { JobError } from '@bindery/contract';
import type { BrowserContext, Page } from 'puppeteer-core';
import { bookUrl, type Chunk, type LoadedChunk } from './browser.ts';
import type { Chromium } from './chromium.ts';
import { answerRequests } from './requests.ts';

const prepareMs = 15_000;
const aliveMs = 2_000;
/** Far more than a chunk of 350 kB of HTML; ends a page that repeats an image on each of its sheets. */
const largestPdfBytes = 100 * 1024 * 1024;

/**
 * A context of a browser, with one page, made before a job needs it: making them takes longer than printing.
 */
export class Book {
  readonly #chromium: Chromium;
  readonly #context: BrowserContext;
  #readyPage: Page | undefined;

  private constructor(chromium: Chromium, context: BrowserContext, page: Page) {
    this.#chromium = chromium;
    this.#context = context;
    this.#readyPage = page;
  }

  /** @throws JobError */
  static async prepare(chromium: Chromium): Promise<Book> {
    return chromium.run(prepareMs, async () => {
      const context = await chromium.browser.createBrowserContext();
      return new Book(chromium, context, await openPage(context));
    });
  }

  /**
   * Whether the page that waits for a job answers; if its browser or its renderer died or froze meanwhile, it
   * does not. Puppeteer would answer questions about the browser itself from memory.
   */
  async isAlive(): Promise<boolean> {
    return this.#chromium
      .run(aliveMs, async () => this.#readyPage?.evaluate('1'))
      .then(
        (answer) => answer === 1,
        () => false,
      );
  }

  /** See `OpenBook`. */
  async load(chunk: Chunk): Promise<LoadedChunk> {
    const chromium = this.#chromium;
    return chromium.run(chunk.deadlineMs, async () => {
      const ready = this.#readyPage;
      this.#readyPage = undefined;
      const page = ready ?? (await openPage(this.#context));
      page.once('error', () => chromium.fail(rendererDied()));
      const refusals = answerRequests(page, chunk);
      /** Does some work that counts only if the page stays where it is. */
      const onPage = async <T>(work: () => Promise<T>): Promise<T> => {
        const hasPageLeft = () => refusals.hasTriedToLeave || page.url() !== bookUrl;
        const done = await work().catch((error: unknown) => {
          // A navigation ends what the page was doing.
          throw hasPageLeft() ? hasLeft() : error;
        });
        if (hasPageLeft()) throw hasLeft();
        return done;
      };
      await onPage(() => page.goto(bookUrl, { waitUntil: 'load', timeout: 0 }));
      return {
        get refused() {
          return refusals.count;
        },
        setFirstSheet: (number) => chromium.run(chunk.deadlineMs, () => setFirstSheet(page, number)),
        print: () => chromium.run(chunk.deadlineMs, () => onPage(() => print(page))),
        close: async () => {
          await chromium.run(chunk.deadlineMs, () => page.close()).catch(() => {});
        },
      };
    });
  }

  /** Closes it with all of its pages. @throws JobError */
  async close(): Promise<void> {
    await this.#chromium.run(prepareMs, () => this.#context.close());
  }
}

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await Promise.all([
    page.setJavaScriptEnabled(false),
    page.setRequestInterception(true),
    page.setCacheEnabled(false),
  ]);
  return page;
}

/** Chromium's page counter counts on from here; `counter-reset` would set each sheet to the same number. */
async function setFirstSheet(page: Page, number: number): Promise<void> {
  if (!Number.isSafeInteger(number) || number < 1) throw new RangeError(`There is no sheet ${number}.`);
  // Our own script runs although the page's may not.
  await page.evaluate(`document.documentElement.style.counterIncrement = 'page ${number - 1}'`);
}

async function print(page: Page): Promise<Uint8Array> {
  const stream = await page.createPDFStream({
    preferCSSPageSize: true,
    printBackground: true,
    tagged: true,
    outline: true,
    timeout: 0,
  });
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of stream) {
    sizeBytes += part.length;
    if (sizeBytes > largestPdfBytes)
      throw new JobError('too_large', 'A part of the document is larger than 100 MB as a PDF.', {
        action: 'Make large images smaller.',
      });
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  if (bytes.subarray(0, 5).toString('latin1') !== '%PDF-') throw new Error('Chromium printed no PDF.');
  return bytes;
}

function hasLeft(): JobError {
  return new JobError('bad_content', 'The document tried to open another page while it was printed.', {
    action: 'Remove frames and redirects from its content.',
  });
}

function rendererDied(): JobError {
  return new JobError('crashed', 'Chromium ended while it printed the document.', { class: 'resource' });
}
