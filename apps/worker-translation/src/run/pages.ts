import { Worker } from 'node:worker_threads';
import type { CutPage, JoinedPage, PageAnswer, PageRequest, PageSettings, PageToCut } from './pageWork.ts';

/** Several times the slowest usual page on a busy machine. */
const limitMs = 30_000;
const resourceLimits = { maxOldGenerationSizeMb: 384, stackSizeMb: 4 };

/** Megabytes of memory that the thread may use. */
export const pageMemoryMb = resourceLimits.maxOldGenerationSizeMb;

/**
 * Cuts and joins pages on a thread of its own, because a hostile page would block the process that renews
 * leases.
 */
export type Pages = {
  /** @returns undefined for a page that exceeds the limits of time or memory */
  cut(page: PageToCut): Promise<CutPage | undefined>;
  /** @returns undefined as `cut` does */
  join(file: Uint8Array, translations: ReadonlyMap<number, string>): Promise<JoinedPage | undefined>;
  close(): Promise<void>;
};

type Work = PageRequest extends infer Request
  ? Request extends { id: number }
    ? Omit<Request, 'id'>
    : never
  : never;

export function openPages(settings: PageSettings): Pages {
  let thread: Worker | undefined;
  let requests = 0;
  let turn: Promise<unknown> = Promise.resolve();

  const start = () =>
    new Worker(new URL('./pageThread.ts', import.meta.url), {
      // The thread must not inherit the Node options of this process.
      execArgv: [],
      resourceLimits,
      workerData: settings,
    });
  const askNow = async (work: Work): Promise<PageAnswer | undefined> => {
    const running = (thread ??= start());
    const id = (requests += 1);
    const answer = await new Promise<PageAnswer | undefined>((resolve) => {
      const timer = setTimeout(() => settle(undefined), limitMs);
      const take = (message: PageAnswer) => message.id === id && settle(message);
      const end = () => settle(undefined);
      const settle = (value: PageAnswer | undefined) => {
        clearTimeout(timer);
        running.off('message', take).off('error', end).off('exit', end);
        resolve(value);
      };
      running.on('message', take).on('error', end).on('exit', end);
      running.postMessage({ ...work, id });
    });
    if (!answer) {
      thread = undefined;
      running.on('error', () => {});
      await running.terminate();
    }
    return answer;
  };
  // One at a time, so that a page that ends the thread harms no other.
  const ask = (work: Work): Promise<PageAnswer | undefined> => {
    const answer = turn.then(() => askNow(work));
    turn = answer.catch(() => {});
    return answer;
  };
  return {
    cut: async (page) => {
      const answer = await ask({ kind: 'cut', page });
      return answer && 'cut' in answer ? answer.cut : undefined;
    },
    join: async (file, translations) => {
      const answer = await ask({ kind: 'join', file, translations });
      return answer && 'joined' in answer ? answer.joined : undefined;
    },
    close: async () => {
      await turn;
      await thread?.terminate();
    },
  };
}
