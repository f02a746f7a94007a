import { createThreadPool } from '@bindery/runtime/threads';
import { createTurns } from '@bindery/runtime/turns';
import type { RenderedPage } from '../face.ts';
import { renderThread, type RenderReply, type RenderRequest } from './renderMessages.ts';

/** Renders pages for a screen on threads, so that a hostile page delays no other. */
export type PageRenderers = {
  /** Starts the threads in advance. */
  start(): void;
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

/** Starts nothing before the first page, or `start`. */
export function createPageRenderers(): PageRenderers {
  const pool = createThreadPool<RenderRequest, RenderReply>(renderThread, { resourceLimits, kept: threads });
  const takeTurn = createTurns(threads);
  return {
    start: () => pool.start(),
    async render(page) {
      const turn = await takeTurn();
      const thread = pool.take();
      try {
        const result = await thread.ask({ ...page, limits }, pageMs);
        if (!result) return 'Laying it out takes too long, or too much memory. Split it into several pages.';
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
