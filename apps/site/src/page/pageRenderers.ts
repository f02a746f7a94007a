import { pagesRendered } from '@bindery/metrics';
import { renderThread, type RenderedPage, type RenderReply, type RenderRequest } from '@bindery/render';
import { createTurns } from '@bindery/runtime';
import { createThreadPool } from '@bindery/runtime/threads';

/** Renders pages on threads, so that a hostile page delays no other. */
export type PageRenderers = {
  /** @returns the reason instead when the page is too large, or takes too long or too much memory */
  render(page: RenderRequest): Promise<RenderedPage | string>;
  close(): Promise<void>;
};

const pageMs = 10_000;
const threads = 2;
const resourceLimits = { maxOldGenerationSizeMb: 256, stackSizeMb: 4 };
/** Memory of all threads, beside that of the process. */
export const renderingMemoryMb = threads * resourceLimits.maxOldGenerationSizeMb;
/** A page for a screen is one answer: a tenth of what fits into a book. */
const limits = { characters: 2_000_000, elements: 30_000, depth: 150 };

export function createPageRenderers(): PageRenderers {
  const pool = createThreadPool<RenderRequest, RenderReply>(renderThread, { resourceLimits, kept: threads });
  const takeTurn = createTurns(threads);
  pool.start();
  return {
    async render(page) {
      const turn = await takeTurn();
      const thread = pool.take();
      try {
        const result = await thread.ask({ ...page, limits }, pageMs);
        const isRendered = result !== undefined && 'rendered' in result.answer;
        pagesRendered.add({ outcome: isRendered ? 'ok' : 'failed' });
        if (!result) return 'It takes too long, or too much memory, to lay it out.';
        const { answer } = result;
        if ('rendered' in answer) return answer.rendered;
        if ('tooLarge' in answer) return answer.tooLarge;
        throw new Error(`A page could not be rendered: ${answer.error}`);
      } finally {
        await pool.giveBack(thread);
        turn.end();
      }
    },
    close: async () => pool.close(),
  };
}
