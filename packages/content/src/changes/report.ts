import { setImmediate } from 'node:timers/promises';
import type { BlockChange, GitImportChanges } from '@bindery/contract';
import { chunksOf } from '@bindery/runtime/chunksOf';

/** Further entries of a list are counted but not listed. */
const maxEntries = 250;
/**
 * A report is part of one record: the limits are bytes of its entries without their blocks, and of all
 * together.
 */
const maxEntryBytes = 500_000;
const maxBytes = 1_000_000;
/** Of these, the bytes for the blocks of one text. */
const maxTextBytes = 100_000;
/** Texts beyond this total are not read. */
const maxComparedCharacters = 50_000_000;
const perRead = 8;

/** The texts of a changed item; absent on a side without one. */
export type ChangedTexts = { before?: string | undefined; after?: string | undefined };

type WithBlocks = { blocks?: BlockChange[]; partial?: true };

/** Counts the changes of a report, and omits those that exceed its limits. */
export type Report = {
  omitted: GitImportChanges['omitted'];
  /**
   * @param shown  selects the part of an entry that counts
   *
   * @returns the entries that fit, in their order
   */
  list<Entry>(entries: readonly Entry[], shown?: (entry: Entry) => unknown): Entry[];
  /**
   * Compares the texts of listed entries and adds `blocks` to the entries until the report is full. Yields to
   * other work between texts.
   *
   * @param control.read  reads a few texts at a time, in order; undefined for texts that cannot be read
   */
  addBlocks<Source>(
    changed: readonly { entry: WithBlocks; source: Source }[],
    control: {
      read(sources: Source[]): Promise<(ChangedTexts | undefined)[]>;
      diff(texts: ChangedTexts, source: Source): BlockChange[];
    },
  ): Promise<void>;
};

export function createReport(signal?: AbortSignal): Report {
  let bytes = 0;
  let compared = 0;
  const omitted = { entries: 0, blocks: 0 };
  const fits = (value: unknown, limit: number) => {
    const size = Buffer.byteLength(JSON.stringify(value));
    if (bytes + size > limit) return false;
    bytes += size;
    return true;
  };
  const leaveOut = (entry: WithBlocks) => {
    entry.partial = true;
    omitted.blocks += 1;
  };
  return {
    omitted,
    list: (entries, shown = (entry) => entry) => {
      const listed = entries.slice(0, maxEntries).filter((entry) => fits(shown(entry), maxEntryBytes));
      omitted.entries += entries.length - listed.length;
      return listed;
    },
    addBlocks: async (changed, { read, diff }) => {
      for (const batch of chunksOf(changed, perRead)) {
        const isFull = bytes >= maxBytes || compared >= maxComparedCharacters;
        const texts = isFull ? [] : await read(batch.map(({ source }) => source));
        for (const [index, { entry, source }] of batch.entries()) {
          signal?.throwIfAborted();
          const pair = texts[index];
          if (!pair) {
            leaveOut(entry);
            continue;
          }
          compared += (pair.before?.length ?? 0) + (pair.after?.length ?? 0);
          const blocks = diff(pair, source);
          const limit = Math.min(maxBytes, bytes + maxTextBytes);
          const cut = blocks.findIndex((block) => !fits(block, limit));
          entry.blocks = cut === -1 ? blocks : blocks.slice(0, cut);
          if (cut !== -1) leaveOut(entry);
          await setImmediate();
        }
      }
    },
  };
}
