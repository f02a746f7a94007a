import { newId } from '@bindery/runtime/ids';
import { createThreadPool } from '@bindery/runtime/threads';
import type {
  CutPage,
  JoinedPage,
  PageAnswer,
  PageRequest,
  PageSettings,
  PageToCut,
  PageToJoin,
} from './pageWork.ts';

/** Several times the slowest usual page on a busy machine. */
const limitMs = 30_000;
const resourceLimits = { maxOldGenerationSizeMb: 384, stackSizeMb: 4 };
/** Threads of one run: while one joins a page, the other cuts the next. */
const threadsOfRun = 2;

/** Megabytes of memory that the threads of one run may use. */
export const pageMemoryMb = threadsOfRun * resourceLimits.maxOldGenerationSizeMb;

/**
 * Cuts and joins the pages of one run on threads of their own, because a hostile page would block the process
 * that renews leases.
 */
export type Pages = {
  /** @returns undefined for a page that exceeds the limits of time or memory */
  cut(page: PageToCut): Promise<CutPage | undefined>;
  /**
   * Joins a page with its translated texts; quick if the page was cut before from the same bytes.
   *
   * @returns undefined as `cut` does
   */
  join(page: PageToJoin): Promise<JoinedPage | undefined>;
  /** Leaves the threads to the next run. */
  close(): Promise<void>;
};

/** A worker usually has one run at a time. */
const pool = createThreadPool<PageRequest, PageAnswer>(new URL('./pageThread.ts', import.meta.url), {
  ...{ resourceLimits, kept: threadsOfRun },
});

/** Starts the threads of the next run in advance. */
export function preparePages(): void {
  pool.start();
}

/** Ends the threads of all runs. */
export async function dropPreparedPages(): Promise<void> {
  await pool.close();
}

/** @param signal  ends the threads, and with them pages that are not read yet */
export function openPages(settings: PageSettings, signal: AbortSignal): Pages {
  const threads = Array.from({ length: threadsOfRun }, pool.take);
  /** The thread that has cut a file need not parse it again to join it. */
  const cutBy = new WeakMap<Uint8Array, (typeof threads)[number]>();
  const run = { id: newId(), settings: shared(settings) };
  const end = () => threads.forEach((thread) => void thread.close());
  signal.addEventListener('abort', end);
  const freest = () => threads.reduce((one, other) => (other.waiting < one.waiting ? other : one));
  return {
    cut: async (page) => {
      const thread = freest();
      if (page.file) cutBy.set(page.file, thread);
      const result = await thread.ask({ kind: 'cut', run, page }, limitMs);
      return result?.answer as CutPage | undefined;
    },
    join: async (page) => {
      const thread = cutBy.get(page.file) ?? freest();
      const result = await thread.ask({ kind: 'join', run, page }, limitMs);
      return result?.answer as JoinedPage | undefined;
    },
    close: async () => {
      signal.removeEventListener('abort', end);
      await Promise.all(threads.map(giveBack));
    },
  };
}

/** Text that threads share instead of getting a copy with each request. */
function shared(settings: PageSettings): SharedArrayBuffer {
  const bytes = Buffer.from(JSON.stringify(settings));
  const buffer = new SharedArrayBuffer(bytes.length);
  bytes.copy(new Uint8Array(buffer));
  return buffer;
}

async function giveBack(thread: ReturnType<typeof pool.take>): Promise<void> {
  // The next request starts the thread again if it fails.
  if (await pool.giveBack(thread)) void thread.ask({ kind: 'forget' }, limitMs).catch(() => undefined);
}
