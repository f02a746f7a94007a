import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { JobError } from '@bindery/contract';
import { startProgram, type Logger, type Program, messageOf } from '@bindery/runtime';
import { connect, type Browser } from 'puppeteer-core';
import type { BrowserSettings } from './browser.ts';
import { chromiumFlags } from './chromiumFlags.ts';
import { PipeTransport } from './pipeTransport.ts';
import { treeMemoryMb } from './treeMemory.ts';

const startMs = 30_000;
const endMs = 500;
const memoryEveryMs = 500;
/** With less, a crash is most likely one for lack of space. */
const leastFreeBytes = 16 * 1024 * 1024;
/** The last lines of Chromium's own log, for the error when it does not start. */
const keptLogBytes = 2_000;

/**
 * One Chromium with all of its processes. It fails once, as a whole, for one reason: then it is killed, and
 * everything that waits for it gets that reason.
 */
export class Chromium {
  readonly #program: Program;
  readonly #logger: Logger;
  readonly browser: Browser;
  readonly #failure = Promise.withResolvers<never>();
  #works = 0;
  #isFailed = false;
  #isEnding = false;
  /** The jobs that it has served. */
  books = 0;
  memoryMb = 0;

  private constructor(program: Program, browser: Browser, { memoryMb, logger }: BrowserSettings) {
    this.#program = program;
    this.#logger = logger;
    this.browser = browser;
    this.#failure.promise.catch(() => {});
    const watch = setInterval(() => {
      if (this.#works === 0) return;
      this.memoryMb = treeMemoryMb(program.pid) ?? 0;
      if (this.memoryMb > memoryMb) this.fail(outOfMemory(memoryMb));
    }, memoryEveryMs);
    watch.unref();
    program.child.once('exit', () => {
      clearInterval(watch);
      this.fail(died());
    });
  }

  /**
   * Starts it and waits until it answers.
   *
   * @param flags  default: `chromiumFlags`
   * @throws Error that says why it does not start
   */
  static async start(settings: BrowserSettings, flags: readonly string[] = chromiumFlags): Promise<Chromium> {
    const program = await startProgram(settings.executable, {
      purpose: 'pdf',
      firstUid: settings.firstUid,
      args: (folder) => [...flags, `--user-data-dir=${folder}`, 'about:blank'],
      // Nothing else of the worker's environment, which holds keys.
      environment: {
        LANG: 'C.UTF-8',
        ...(settings.fontConfigFile && { FONTCONFIG_FILE: settings.fontConfigFile }),
      },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    });
    const log = keepLastBytes(program.child.stderr!);
    const ended = endOf(program);
    const late = rejectAfter(startMs, `it did not answer within ${startMs / 1_000} s`);
    try {
      const transport = new PipeTransport(
        program.child.stdio[3] as Writable,
        program.child.stdio[4] as Readable,
      );
      // The deadlines of `run` apply instead of one for each call.
      const connected = connect({ transport, defaultViewport: null, protocolTimeout: 0 });
      return new Chromium(program, await firstOf([connected, ended, late]), settings);
    } catch (error) {
      // Its pipes close first when it ends; its end says more.
      const reason = await firstOf([ended, rejectAfter(endMs, messageOf(error))]).catch(messageOf);
      await program.end();
      throw new Error(`${reason}${reasonIn(log())}`, { cause: error });
    }
  }

  get pid(): number {
    return this.#program.pid;
  }

  get isUsable(): boolean {
    return !this.#isFailed && !this.#isEnding;
  }

  /** Ends it; everything that waits for it fails with the reason. Only the first reason counts. */
  fail(reason: unknown): void {
    if (this.#isFailed || this.#isEnding) return;
    this.#isFailed = true;
    this.#failure.reject(reason);
    // Never `browser.close()`: a frozen browser would not answer.
    this.#program.kill();
  }

  /**
   * Does some work in it, which fails with the reason when it fails, and at the latest after `deadlineMs`.
   * The time is not extended by an answer: a page cannot gain time with progress.
   */
  async run<T>(deadlineMs: number, work: () => Promise<T>): Promise<T> {
    const late = setTimeout(() => this.fail(tooSlow(deadlineMs)), deadlineMs);
    this.#works += 1;
    try {
      return await Promise.race([this.#failure.promise, work()]);
    } catch (error) {
      // Work fails first when Chromium dies; its end has the reason.
      throw await this.#reasonFor(error);
    } finally {
      clearTimeout(late);
      this.#works -= 1;
    }
  }

  /** Ends it without a failure. Resolves when no process and no folder of it is left. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#failure.reject(new JobError('internal', 'The worker stops.'));
    if (!(await this.#program.end()))
      this.#logger.error({ pid: this.pid }, 'Chromium is still there although it was killed');
  }

  async #reasonFor(error: unknown): Promise<unknown> {
    if (!(error instanceof JobError))
      this.fail(
        new JobError('crashed', 'Chromium could not print the document.', {
          class: 'resource',
          cause: error,
        }),
      );
    const reason =
      error instanceof JobError ? error : await this.#failure.promise.catch((failure: unknown) => failure);
    const isCrash = reason instanceof JobError && reason.code === 'crashed';
    return isCrash && (await isDiskFull()) ? noSpace(reason) : reason;
  }
}

/** Chromium writes what it prints, and much else, to the temporary folder; it does not say what it lacks. */
async function isDiskFull(): Promise<boolean> {
  const { bavail, bsize } = await statfs(tmpdir());
  return bavail * bsize < leastFreeBytes;
}

function noSpace(cause: JobError): JobError {
  return new JobError('no_space', 'There is no space left in the temporary folder of the PDF worker.', {
    action: 'An operator must free space there, or name another folder with TMPDIR.',
    cause,
  });
}

function outOfMemory(memoryMb: number): JobError {
  return new JobError('memory', `Printing the document takes more than ${memoryMb} MB of memory.`, {
    action:
      'Make large images smaller, or print a part of the space; an operator can raise BINDERY_PDF_MEMORY_MB.',
  });
}

function tooSlow(deadlineMs: number): JobError {
  return new JobError('timeout', `A part of the document took more than ${deadlineMs / 1_000} s to print.`, {
    // Tried once more, because the machine may have been busy.
    class: 'resource',
    action: 'Split very long pages and tables, and try again.',
  });
}

function died(): JobError {
  return new JobError('crashed', 'Chromium ended while it printed the document.', { class: 'resource' });
}

/** @returns a function that returns what was kept */
function keepLastBytes(stream: Readable): () => string {
  let kept = '';
  stream.on('data', (bytes: Buffer) => (kept = `${kept}${bytes.toString()}`.slice(-keptLogBytes)));
  return () => kept;
}

/** Finds the line of Chromium's log that says why it ended, without its date and source file. */
function reasonIn(log: string): string {
  const line = log
    .split('\n')
    .findLast((one) => /FATAL|ERROR|sandbox|cannot open shared|no such file|denied/i.test(one));
  return line ? `: ${line.replace(/^\[[^\]]*\]\s*/, '').trim()}` : '';
}

function endOf({ child }: Program): Promise<never> {
  return new Promise((_, reject) =>
    child.once('exit', (code, signal) => reject(new Error(`it ended with ${signal ?? `exit code ${code}`}`))),
  );
}

function rejectAfter(ms: number, message: string): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error(message)), ms).unref());
}

/** As `Promise.race`; the losers may fail unnoticed. */
async function firstOf<T>(promises: readonly Promise<T>[]): Promise<T> {
  for (const promise of promises) promise.catch(() => {});
  return Promise.race(promises);
}
