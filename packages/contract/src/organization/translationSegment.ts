import { z } from 'zod';
import { text } from '../input/input.ts';

/** States of a segment of a translation. */
export const translationSegmentStates = ['machine', 'human', 'kept', 'conflict', 'removed'] as const;

export const TranslationSegment = z
  .object({
    object: z.literal('translation-segment'),
    id: z.string(),
    state: z
      .enum(translationSegmentStates)
      .describe(
        'From an engine, from a person, without a translation (`kept`), from an engine where the source of a person’s text has changed (`conflict`), or a person’s text without a source (`removed`).',
      ),
    page: z.object({ id: z.string(), title: z.string() }),
    role: z.enum(['title', 'heading', 'text', 'cell', 'caption', 'label']),
    source: z.string().describe('With a numbered tag for each link, code and formatting.'),
    target: z.string().optional(),
    reason: z.string().optional().describe('Why there is no translation.'),
    replaced: z
      .object({ source: z.string(), target: z.string() })
      .optional()
      .describe('Of a conflict: the text of a person, and the source that it was written for.'),
    pending: z.boolean().describe('Changed by a person, and in the result after the next run.'),
    words: z.int(),
    unknownWords: z.int().describe('Words that the engine does not know.'),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'TranslationSegment' });
export type TranslationSegment = z.infer<typeof TranslationSegment>;

export const UpdateTranslationSegment = z
  .strictObject({
    text: text(1, 20_000).describe('The translation, with the tags of the source.'),
  })
  .meta({ id: 'UpdateTranslationSegment' });
export type UpdateTranslationSegment = z.infer<typeof UpdateTranslationSegment>;
