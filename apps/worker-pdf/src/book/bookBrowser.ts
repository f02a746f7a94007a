import type { Browsers, OpenBook } from '../browser/browser.ts';

/** The browser of a book: another one after a failure. */
export type BookBrowser = {
  readonly current: OpenBook;
  /** Ends the current browser, with all that loads or prints in it, and takes another. @throws JobError */
  replace(): Promise<void>;
  close(): void;
  /** As `close`, when something may still load. */
  discard(): void;
};

/** @throws JobError when Chromium does not start */
export async function openBookBrowser(browsers: Browsers, signal: AbortSignal): Promise<BookBrowser> {
  let current = await browsers.openBook(signal);
  return {
    get current() {
      return current;
    },
    async replace() {
      current.discard();
      current = await browsers.openBook(signal);
    },
    close: () => current.close(),
    discard: () => current.discard(),
  };
}
