import { renderThread, type RenderedPage, type RenderReply, type RenderRequest } from '@bindery/render';
import { createThreadPool } from '@bindery/runtime/threads';
import { pageLimits, renderingMs } from '../plan/limits.ts';

type BookPage = Omit<RenderRequest, 'reader' | 'limits' | 'isTypeset'>;

/** Renders the pages of one book, on a thread of its own. */
export type PageRenderer = {
  /** Whether slow pages have used up their time: code and formulas of the next ones are not typeset. */
  readonly isHurried: boolean;
  /** @returns the reason instead when the page is too large, or takes too long or too much memory */
  render(page: BookPage): Promise<RenderedPage | string>;
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

const tooSlow = 'Laying it out takes too long, or too much memory.';

/** @param kept  the number of idle threads that are kept, and started in advance */
export function createPageRenderers(kept: number): PageRenderers {
  const pool = createThreadPool<RenderRequest, RenderReply>(renderThread, { resourceLimits, kept });
  pool.start();
  return {
    async use(work) {
      const thread = pool.take();
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
      const renderNow = async (page: BookPage): Promise<RenderedPage | string> => {
        const beganMs = performance.now();
        const request = {
          ...page,
          reader: 'member',
          limits: pageLimits,
          isTypeset: !renderer.isHurried,
        } as const;
        const result = await thread.ask(request, pageMs);
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
        // A job that was cancelled may have left its page.
        void pool.giveBack(thread);
      }
    },
    close: () => pool.close(),
  };
}
