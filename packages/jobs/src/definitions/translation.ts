import { z } from 'zod';
import { defineJob, retries } from './defineJob.ts';

/** The first ones; the segments of the translation have all, with their texts. */
const listed = z
  .array(z.object({ page: z.string(), segment: z.string().optional(), reason: z.string().optional() }))
  .default([]);

/** Jobs of apps/worker-translation. */
export const translationJobs = {
  /**
   * Translates the content of the source space by the instructions in its record, both as they are when the
   * run starts.
   */
  runTranslation: defineJob({
    kind: 'translation-run',
    queue: 'translation',
    version: 1,
    input: z.object({ translationId: z.string() }),
    result: z.object({
      revision: z.string(),
      /** Its name, and the languages that texts passed through, first to last. */
      engine: z.string(),
      route: z.array(z.string()),
      unchanged: z.boolean(),
      kept: listed.describe('Texts that keep their source.'),
      conflicts: listed.describe('Texts of people whose source has changed.'),
      removed: listed.describe('Texts of people whose source is gone.'),
    }),
    retry: retries.network,
    maxWaitMs: 24 * 3_600_000,
    deadlineMs: 2 * 3_600_000,
    lane: (input) => `translation:${input.translationId}`,
  }),

  /** Counts the work of a run, and writes nothing. */
  estimateTranslation: defineJob({
    kind: 'translation-estimate',
    queue: 'translation',
    version: 1,
    input: z.object({ translationId: z.string() }),
    result: z.object({
      engine: z.string(),
      route: z.array(z.string()),
      /** Pages that the run would make. */
      pages: z.int(),
      /** Their texts and words, by where the translation comes from. */
      words: z.record(
        z.enum(['new', 'fuzzy', 'repeated', 'memory', 'human']),
        z.object({ segments: z.int(), words: z.int() }),
      ),
      /** The work of each engine that can do the languages; `cost` in the currency of the prices. */
      engines: z.array(
        z.object({
          name: z.string(),
          texts: z.int(),
          characters: z.int(),
          calls: z.int(),
          cost: z.number().optional(),
        }),
      ),
    }),
    retry: retries.network,
    maxWaitMs: 3_600_000,
    deadlineMs: 30 * 60_000,
  }),
};
