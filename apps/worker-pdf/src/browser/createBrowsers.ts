import { setTimeout as delay } from 'node:timers/promises';
import { JobError } from '@bindery/contract';
import { fontsVersion } from './fontsVersion.ts';
import { Book } from './book.ts';
import type { Browsers, BrowserSettings, OpenBook } from './browser.ts';
import { Chromium } from './chromium.ts';

/** Chromium grows slowly over jobs: it is replaced after this many. */
const booksPerBrowser = 50;
/** It is also replaced when it keeps this part of its memory limit after a job. */
const largestKeptPart = 0.5;
/** Browsers started for jobs at the same time are ended after this time without a job. */
const idleMs = 60_000;
const pauseMs = 1_000;
/** The longest wait for a browser that is made ready for its next job; starting another takes as long. */
const readyMs = 500;

/** A browser with a context ready for the next job. */
type Idle = { chromium: Chromium; book: Book; sinceMs: number };

/**
 * Starts the first browser, so that a Chromium that does not work is noticed before a job needs it.
 *
 * @throws Error that says why Chromium does not start
 */
export async function createBrowsers(settings: BrowserSettings): Promise<Browsers> {
  const { logger, prewarmed = 1 } = settings;
  const idle: Idle[] = [];
  /** All that may still have a process or a folder. */
  const ends = new Set<Promise<void>>();
  const running = new Set<Chromium>();
  /** Those that are made ready for their next job. */
  const returning = new Set<Promise<void>>();
  let isClosed = false;

  const end = (chromium: Chromium) => {
    // One that is closed while it is made ready for the next job would end twice.
    if (!running.delete(chromium)) return;
    const ended = chromium.end().finally(() => ends.delete(ended));
    ends.add(ended);
  };
  const start = async (): Promise<Idle> => {
    const chromium = await Chromium.start(settings);
    running.add(chromium);
    return ready(chromium);
  };
  const ready = async (chromium: Chromium): Promise<Idle> => {
    try {
      return { chromium, book: await Book.prepare(chromium), sinceMs: performance.now() };
    } catch (error) {
      end(chromium);
      throw error;
    }
  };
  const keep = (one: Idle) => {
    if (isClosed || !one.chromium.isUsable) return end(one.chromium);
    idle.push(one);
  };
  /** Starts a browser in advance where there are too few; again and again, with a pause, while that fails. */
  let warming: Promise<void> | undefined;
  const warmUp = () => {
    warming ??= (async () => {
      while (!isClosed && running.size < prewarmed) {
        await start().then(keep, async (error: unknown) => {
          logger.warn({ err: error }, 'Chromium could not be started in advance');
          await delay(pauseMs, undefined, { ref: false });
        });
      }
    })().finally(() => (warming = undefined));
  };
  /** Ends idle browsers that have died, and those that only a busy hour needed. */
  const tidy = () => {
    for (const one of idle.splice(0)) {
      const isLeftOver = idle.length >= prewarmed && performance.now() - one.sinceMs > idleMs;
      if (!one.chromium.isUsable || isLeftOver) end(one.chromium);
      else idle.push(one);
    }
    warmUp();
  };
  const takeIdle = async (): Promise<Idle | undefined> => {
    for (let one = idle.pop(); one; one = idle.pop()) {
      if (one.chromium.isUsable && (await one.book.isAlive())) return one;
      end(one.chromium);
    }
    return undefined;
  };
  const take = async (): Promise<Idle> => {
    const found = await takeIdle();
    if (found || returning.size === 0) return found ?? start();
    await Promise.race([...returning, delay(readyMs, undefined, { ref: false })]);
    return (await takeIdle()) ?? start();
  };
  /** Gives a browser to the next job, when the last one has ended. */
  const giveBack = async ({ chromium, book }: Idle) => {
    const isWornOut =
      chromium.books >= booksPerBrowser || chromium.memoryMb > settings.memoryMb * largestKeptPart;
    if (isClosed || !chromium.isUsable || isWornOut) {
      end(chromium);
      return warmUp();
    }
    try {
      await book.close();
      keep(await ready(chromium));
    } catch {
      end(chromium);
      warmUp();
    }
  };

  const first = await start();
  const version = `${await first.chromium.browser.version()}, fonts ${await fontsVersion(settings.fontConfigFile)}`;
  keep(first);
  warmUp();
  const tidying = setInterval(tidy, idleMs / 10);
  tidying.unref();

  return {
    version,
    async openBook(signal) {
      signal.throwIfAborted();
      if (isClosed) throw new JobError('internal', 'The worker stops.');
      const one = await take().catch((error: unknown) => {
        throw new JobError('internal', 'Chromium could not be started.', { cause: error });
      });
      const stop = () => one.chromium.fail(signal.reason);
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      one.chromium.books += 1;
      let isOpen = true;
      const book: OpenBook = {
        load: async (chunk) => {
          // By then another job may have the browser.
          if (!isOpen) throw new JobError('crashed', 'The browser was replaced.', { class: 'resource' });
          return one.book.load(chunk);
        },
        close: () => {
          if (!isOpen) return;
          isOpen = false;
          signal.removeEventListener('abort', stop);
          const returned = giveBack(one).finally(() => returning.delete(returned));
          returning.add(returned);
        },
        discard: () => {
          if (!isOpen) return;
          one.chromium.fail(new JobError('crashed', 'The browser was replaced.', { class: 'resource' }));
          book.close();
        },
      };
      return book;
    },
    async close() {
      isClosed = true;
      clearInterval(tidying);
      for (const chromium of running) end(chromium);
      await warming;
      await Promise.all(ends);
    },
  };
}
