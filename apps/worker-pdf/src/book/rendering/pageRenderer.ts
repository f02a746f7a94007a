import type { RenderedPage } from '@bindery/render';
import { createPersistentThread, type PersistentThread } from '@bindery/runtime/threads';
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

type RenderThread = PersistentThread<RenderRequest, RenderReply>;

/** @param kept  the number of idle threads that are kept, and started in advance */
export function createPageRenderers(kept: number): PageRenderers {
  const idle = Array.from({ length: kept }, createThread);
  for (const thread of idle) thread.start();
  const all = new Set(idle);
  let isClosed = false;
  const take = () => {
    const thread = idle.pop() ?? createThread();
    all.add(thread);
    return thread;
  };
  const giveBack = (thread: RenderThread) => {
    // A job that was cancelled leaves its page.
    if (!isClosed && idle.length < kept && thread.waiting === 0) return void idle.push(thread);
    all.delete(thread);
    void thread.close();
  };
  return {
    async use(work) {
      const thread = take();
      let last: Promise<unknown> = Promise.resolve();
      let slowPagesMs: number = renderingMs.slowPages;
      const renderer: PageRenderer = {
        get isHurried() {
          return slowPagesMs < 0;
        },
        // Whether a page is typeset depends on those before it.
        async render(page) {
          const result = last.then(async () => renderNow(page));
          last = result.catch(() => undefined);
          return result;
        },
      };
      const renderNow = async (page: RenderRequest): Promise<RenderedPage | string> => {
        const beganMs = performance.now();
        const result = await thread.ask({ ...page, isTypeset: !renderer.isHurried }, pageMs);
        slowPagesMs -= Math.max(0, performance.now() - beganMs - renderingMs.usual);
        if (!result) return tooSlow;
        const { answer } = result;
        if ('rendered' in answer) return answer.rendered;
        if ('tooLarge' in answer) return answer.tooLarge;
        throw new Error(`A page could not be rendered: ${answer.error}`);
      };
      try {
        return await work(renderer);
      } finally {
        giveBack(thread);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...all].map(async (thread) => thread.close()));
    },
  };
}

function createThread(): RenderThread {
  return createPersistentThread(new URL('renderThread.ts', import.meta.url), { resourceLimits });
}
