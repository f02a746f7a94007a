import type { Logger } from '@bindery/runtime';

/** The origin under which Chromium gets a chunk and its files; nobody else answers there. */
export const bookUrl = 'https://render.invalid/';

/** A file of a chunk, such as an image; `type` is its content type. */
export type ChunkFile = { bytes: Uint8Array; type: string };

/**
 * A piece of a book.
 *
 * Scripts never run. `files` are keyed by their path below `bookUrl`, without a leading slash: the HTML names
 * `images/1.png` or `https://render.invalid/images/1.png`. Everything else that the HTML asks for is refused.
 */
export type Chunk = {
  html: string;
  files?: ReadonlyMap<string, ChunkFile>;
  /** The time limit for loading it, and again for printing it, in milliseconds. */
  deadlineMs: number;
};

/** A chunk in Chromium, ready to be printed. */
export type LoadedChunk = {
  /** The number of its requests that were refused so far. */
  readonly refused: number;
  /** Numbers its first sheet, from 1; for `counter(page)` in margin boxes. */
  setFirstSheet(number: number): Promise<void>;
  /**
   * Prints it to a tagged PDF with an outline, on the sheets of its style sheet (`@page`).
   *
   * @throws JobError when the page was left, when Chromium does not answer in time, dies, or needs too much
   *   memory
   */
  print(): Promise<Uint8Array>;
  /** Frees its memory in Chromium. Never fails. */
  close(): Promise<void>;
};

/** The part of a browser that one job has for itself; nothing is kept from the job before. */
export type OpenBook = {
  /** Loads a chunk; while one prints, the next one may load. At most two chunks may be open. */
  load(chunk: Chunk): Promise<LoadedChunk>;
  /** Closes what is open, after the caller goes on. Never fails. */
  close(): void;
  /** As `close`, and ends the browser at once, with all that still loads or prints in it. */
  discard(): void;
};

/** Browsers for the jobs of a worker: each job has one for itself while it runs. */
export type Browsers = {
  /** The versions of Chromium and of its fonts: others print other bytes. */
  readonly version: string;
  /**
   * Takes a warm browser, or starts one.
   *
   * @param signal  its abort ends the browser at once; everything pending fails with the signal's reason
   * @throws JobError when Chromium does not start
   */
  openBook(signal: AbortSignal): Promise<OpenBook>;
  /** Ends all browsers. Resolves when no process and no folder of theirs is left. */
  close(): Promise<void>;
};

export type BrowserSettings = {
  /** Chromium's program: `chromium-headless-shell`, else `chromium`. */
  executable: string;
  /** Fontconfig's configuration with the fonts of the platform; by default those of the machine. */
  fontConfigFile?: string | undefined;
  /** See `findIsolation`. */
  firstUid?: number;
  /** The most memory (PSS) of all processes of one browser, in megabytes. */
  memoryMb: number;
  /** The number of browsers to start in advance. Default: 1. */
  prewarmed?: number;
  logger: Logger;
};
