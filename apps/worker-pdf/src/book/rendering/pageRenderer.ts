import { Worker } from 'node:worker_threads';
import type { RenderedPage } from '@bindery/render';
import { renderingMs } from '../plan/limits.ts';
import type { RenderReply, RenderRequest } from './renderMessages.ts';

/** Renders the pages of one book, on a thread of its own. */
export type PageRenderer = {
  /** Whether slow pages have used up their time: code and formulas of the next ones are not typeset. */
  readonly isHurried: boolean;
  /** @returns the reason instead when the page is too large, or takes too long or too much memory */
  render(page: RenderRequest): Promise<RenderedPage | string>;
};

export type PageRenderers = {
  /**
   * Lends a renderer for one job. An idle thread is kept: its modules are loaded, and so are the languages
   * that it has highlighted.
   */
  use<T>(work: (renderer: PageRenderer) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** Several times the slowest page on a busy machine; a slower one is printed as its source. */
const pageMs = 20_000;
const resourceLimits = { maxOldGenerationSizeMb: 384, stackSizeMb: 4 };
/** Memory of the thread of one job, in megabytes. */
export const renderingMemoryMb = resourceLimits.maxOldGenerationSizeMb;

const tooSlow = 'It takes too long, or too much memory, to lay it out.';

/** @param kept  the number of idle threads that are kept, and started in advance */
export function createPageRenderers(kept: number): PageRenderers {
  const idle: Worker[] = Array.from({ length: kept }, startThread);
  const all = new Set(idle);
  let isClosed = false;
  const take = () => {
    const thread = idle.pop() ?? startThread();
    all.add(thread);
    return thread;
  };
  const giveBack = (thread: Worker) => {
    thread.unref();
    if (!isClosed && idle.length < kept) idle.push(thread);
    else void end(thread);
  };
  const end = async (thread: Worker) => {
    all.delete(thread);
    await thread.terminate();
  };
  return {
    async use(work) {
      let thread: Worker | undefined;
      let last: Promise<unknown> = Promise.resolve();
      let slowPagesMs: number = renderingMs.slowPages;
      const renderer: PageRenderer = {
        get isHurried() {
          return slowPagesMs < 0;
        },
        // One after the other, so that each has the whole of its time.
        async render(page) {
          const result = last.then(async () => renderNow(page));
          last = result.catch(() => undefined);
          return result;
        },
      };
      const renderNow = async (page: RenderRequest): Promise<RenderedPage | string> => {
        thread ??= take();
        const beganMs = performance.now();
        const reply = await ask(thread, { ...page, isTypeset: !renderer.isHurried });
        slowPagesMs -= Math.max(0, performance.now() - beganMs - renderingMs.usual);
        if (reply && 'rendered' in reply) return reply.rendered;
        if (reply && 'tooLarge' in reply) return reply.tooLarge;
        void end(thread);
        thread = undefined;
        if (reply) throw new Error(`A page could not be rendered: ${reply.error}`);
        return tooSlow;
      };
      try {
        return await work(renderer);
      } finally {
        if (thread) giveBack(thread);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...all].map(end));
    },
  };
}

function startThread(): Worker {
  // The thread must not inherit the Node options of this process.
  const thread = new Worker(new URL('renderThread.ts', import.meta.url), { execArgv: [], resourceLimits });
  // Whoever waits for a reply sees the exit.
  thread.on('error', () => undefined);
  // An idle thread must not keep the process alive.
  thread.unref();
  return thread;
}

/** @returns undefined when the thread ended, or took too long */
async function ask(thread: Worker, page: RenderRequest): Promise<RenderReply | undefined> {
  thread.ref();
  return new Promise((resolve) => {
    const settle = (reply?: RenderReply) => {
      clearTimeout(timer);
      thread.off('message', settle).off('exit', ended);
      resolve(reply);
    };
    const ended = () => settle();
    const timer = setTimeout(settle, pageMs);
    thread.once('message', settle).once('exit', ended);
    thread.postMessage(page);
  });
}
