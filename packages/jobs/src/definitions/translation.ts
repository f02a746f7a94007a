import { z } from 'zod';
import { defineJob, retries } from './defineJob.ts';

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
    }),
    retry: retries.network,
    maxWaitMs: 24 * 3_600_000,
    deadlineMs: 2 * 3_600_000,
    lane: (input) => `translation:${input.translationId}`,
  }),
};
