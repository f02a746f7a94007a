import { z } from 'zod';
import { DocumentTree } from '../document/document.ts';
import { Id } from '../input/input.ts';
import { Language } from '../space/space.ts';

const statNames = [
  'runs',
  'totalWords',
  'totalPages',
  'totalDuration',
  'latestRunDuration',
  'latestPages',
  'latestWords',
] as const;
type StatName = (typeof statNames)[number];

/** Totals of all successful runs; durations are in seconds. */
export type TranslationStats = Record<StatName, number>;

export const Translation = z
  .object({
    object: z.literal('translation'),
    id: z.string(),
    status: z.enum(['pending', 'running', 'completed']).describe('Pending, in progress, or with a result.'),
    source: z.object({ space: z.string(), language: z.string() }),
    language: z.string(),
    instructions: DocumentTree,
    result: z.object({ space: z.string(), revision: z.string(), language: z.string() }).optional(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    stats: z.object(
      Object.fromEntries(statNames.map((name) => [name, z.int()])) as Record<StatName, z.ZodInt>,
    ),
    permissions: z.object({ view: z.boolean(), edit: z.boolean() }),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'Translation' });
export type Translation = z.infer<typeof Translation>;
export type TranslationPermission = keyof Translation['permissions'];

export const CreateTranslation = z
  .object({
    language: Language,
    source: z.object({ space: Id, language: Language }),
    instructions: DocumentTree.optional(),
  })
  .refine(({ language, source }) => language !== source.language, {
    path: ['source', 'language'],
    message: 'must not be the language to translate into',
  })
  .meta({ id: 'CreateTranslation' });
export type CreateTranslation = z.infer<typeof CreateTranslation>;

export const UpdateTranslation = z.object({ instructions: DocumentTree }).meta({ id: 'UpdateTranslation' });

const term = z
  .string()
  // oxlint-disable-next-line no-control-regex -- refuses NUL
  .regex(/^[^\n\r\u0000]{1,255}$/u, 'must be one line of 1 to 255 characters')
  .refine((value) => value.isWellFormed(), 'must not contain half of a surrogate pair');

/** A glossary term by language. */
const GlossaryTranslations = z.partialRecord(Language, term).meta({ id: 'GlossaryTranslations' });

export const GlossaryEntry = z
  .object({
    object: z.literal('glossary-entry'),
    id: z.string(),
    translations: z.record(z.string(), z.string()),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    urls: z.object({ location: z.string() }),
  })
  .meta({ id: 'GlossaryEntry' });
export type GlossaryEntry = z.infer<typeof GlossaryEntry>;

export const UpdateGlossary = z
  .object({
    operations: z
      .array(
        z.discriminatedUnion('type', [
          z
            .object({ type: z.literal('insert'), translations: GlossaryTranslations })
            .meta({ id: 'InsertGlossaryEntry' }),
          z
            .object({ type: z.literal('update'), id: Id, translations: GlossaryTranslations })
            .meta({ id: 'UpdateGlossaryEntry' }),
          z.object({ type: z.literal('delete'), id: Id }).meta({ id: 'DeleteGlossaryEntry' }),
        ]),
      )
      .max(1_000),
  })
  .meta({ id: 'UpdateGlossary' });
export type UpdateGlossary = z.infer<typeof UpdateGlossary>;

/** The outcomes of the units of a file of translations. */
export const ImportReport = z
  .object({
    object: z.literal('import-report'),
    units: z.int().describe('All units of the file.'),
    stored: z.int().describe('Units whose translation is kept now, as the text of a person.'),
    unchanged: z.int().describe('Units whose translation was kept already.'),
    untranslated: z.int().describe('Units without a translation.'),
    refused: z.int().describe('Units that were left out; `problems` says why.'),
    problems: z
      .array(
        z.object({
          id: z.string().describe('Of the unit; empty if it has none.'),
          line: z.int().describe('Where the unit begins in the file, from 1.'),
          message: z.string(),
        }),
      )
      .describe('The first 1,000 of the refused units.'),
  })
  .meta({ id: 'ImportReport' });
export type ImportReport = z.infer<typeof ImportReport>;
