import { LRUCache } from 'lru-cache';
import { createPersistentThread } from '@bindery/runtime/threads';
import type { CardRequest } from './cardThread.ts';
import type { PageCard } from './pageCard.ts';

/** Draws cards on a thread, one after the other, and keeps them. */
export type CardDrawer = {
  /** @returns the card as PNG; undefined when too many wait, or it takes too long */
  draw(card: PageCard): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
};

const cardMs = 5_000;
const mostWaiting = 20;
const keptBytes = 16 * 1024 * 1024;
const resourceLimits = { maxOldGenerationSizeMb: 64, stackSizeMb: 4 };

export function createCardDrawer(): CardDrawer {
  const thread = createPersistentThread<CardRequest, Uint8Array>(new URL('cardThread.ts', import.meta.url), {
    resourceLimits,
  });
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: keptBytes,
    sizeCalculation: (bytes) => bytes.length,
  });
  const pending = new Map<string, Promise<Uint8Array | undefined>>();
  const begin = async ({ svg, fonts, hash }: PageCard) => {
    const result = await thread.ask({ svg, fonts }, cardMs);
    if (result) kept.set(hash, result.answer);
    return result?.answer;
  };
  return {
    async draw(card) {
      const known = kept.get(card.hash) ?? pending.get(card.hash);
      if (known) return known;
      if (thread.waiting >= mostWaiting) return undefined;
      const drawing = begin(card).finally(() => pending.delete(card.hash));
      pending.set(card.hash, drawing);
      return drawing;
    },
    close: async () => thread.close(),
  };
}
