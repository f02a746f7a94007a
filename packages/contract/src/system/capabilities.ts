import { z } from 'zod';

const TranslationPairs = z
  .object({
    sources: z.array(z.string()),
    targets: z.array(z.string()).describe('Each source can be translated into each of these but itself.'),
    through: z
      .array(z.string())
      .optional()
      .describe('Languages that a text passes through on its way; absent for a direct translation.'),
  })
  .meta({ id: 'TranslationPairs' });
export type TranslationPairs = z.infer<typeof TranslationPairs>;

/** The pairs of languages that an engine can translate, in few groups; `any` for all of them. */
const EnginePairs = z.union([z.literal('any'), z.array(TranslationPairs)]);
export type EnginePairs = z.infer<typeof EnginePairs>;

const EngineAbilities = z
  .object({
    instructions: z.boolean().describe('Follows the instructions of a translation.'),
    glossary: z
      .boolean()
      .describe('Adapts the terms of the glossary to the sentence; other engines write them as they are.'),
    formatting: z.boolean().describe('Formatting follows its words when their order changes.'),
  })
  .meta({ id: 'TranslationEngineAbilities' });

export const TranslationEngine = z
  .object({
    name: z.string(),
    label: z.string(),
    pairs: EnginePairs,
    abilities: EngineAbilities.optional().describe('Absent for an engine that does not start.'),
    state: z
      .enum(['available', 'throttled', 'unavailable'])
      .describe('`throttled`: it has asked to wait; runs that need it wait.'),
    until: z.iso.datetime().optional().describe('When it is asked again.'),
    reason: z.string().optional().describe('Why it is not available.'),
  })
  .meta({ id: 'TranslationEngine' });
export type TranslationEngine = z.infer<typeof TranslationEngine>;

export const Capabilities = z
  .object({
    object: z.literal('capabilities'),
    translation: z.object({
      worker: z.string().describe('`ok`, or why no worker runs translations; then there are no engines.'),
      engines: z
        .array(TranslationEngine)
        .describe('In the order in which a run asks them: the first one that can translate its pair does.'),
    }),
  })
  .meta({ id: 'Capabilities' });
export type Capabilities = z.infer<typeof Capabilities>;

/** An engine as a worker offers it, or why the worker could not start it. */
export type EngineOffer = Pick<TranslationEngine, 'name' | 'label' | 'pairs' | 'abilities' | 'reason'>;
