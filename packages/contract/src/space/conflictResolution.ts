import { z } from 'zod';
import { fromDigits, Id, text } from '../input/input.ts';
import { conflictFields } from './contentMerge.ts';

const side = z.string().nullable();

export const ConflictsQuery = z.object({
  limit: fromDigits(z.int().min(1).max(1000).default(100)).describe(
    'Maximum number of listed conflicts; the others are counted.',
  ),
});

const ConflictRevisions = z
  .object({
    base: Id.describe('The common ancestor of both sides.'),
    main: Id.describe('The main content.'),
    changeRequest: Id.describe('The content of the change request.'),
  })
  .meta({ id: 'ConflictRevisions' });

/** A conflict that an update or a merge of a change request would meet now. */
export const ChangeRequestConflict = z
  .object({
    id: z.string().describe('Names the conflict in an update, as long as none of the revisions changes.'),
    page: z.string().optional().describe('Id of the page. Other objects are named by the next four fields.'),
    ...conflictFields,
    title: z.string().optional().describe('Title of the page or of the reusable content.'),
    path: z.string().optional().describe('Path of the page.'),
    base: side.describe('The common ancestor. Texts are Markdown; null for a side without one.'),
    main: side.describe('Version of the main content.'),
    changeRequest: side.describe('Version of the change request.'),
    merged: side
      .optional()
      .describe(
        'The lines that only one side changed from both, and of the others those of the change request: the result of an update without a resolution. Present for a block of a text, which also takes a text of your own.',
      ),
    cut: z.literal(true).optional().describe('Whether texts are cut after 4,000 characters.'),
  })
  .meta({ id: 'ChangeRequestConflict' });
export type ChangeRequestConflict = z.infer<typeof ChangeRequestConflict>;

export const ChangeRequestConflicts = z
  .object({
    revisions: ConflictRevisions,
    conflicts: z.array(ChangeRequestConflict),
    more: z.int().optional().describe('Number of conflicts beyond `limit`.'),
  })
  .meta({ id: 'ChangeRequestConflicts' });
export type ChangeRequestConflicts = z.infer<typeof ChangeRequestConflicts>;

const Version = z.enum(['change-request', 'main']);

const ConflictResolution = z
  .object({
    conflict: z.string().max(200).describe('Id of the conflict.'),
    take: z
      .enum([...Version.options, 'merged', 'text'])
      .describe(
        'The version of the change request or of the main content as a whole; for a block of a text also its field `merged`, or the field `text`.',
      ),
    text: text(0, 100_000)
      .optional()
      .describe('Markdown instead of a block; an empty text removes it. Only with `take: "text"`.'),
  })
  .refine(({ take, text: own }) => (take === 'text') === (own !== undefined), {
    path: ['text'],
    message: 'must be given with `take: "text"`, and only then',
  })
  .meta({ id: 'ConflictResolution' });

/** How an update settles the conflicts. Without any field, the version of the change request is used. */
export const UpdateFromMainContent = z
  .object({
    revisions: ConflictRevisions.optional().describe(
      'As in the list of conflicts; required for resolutions. When another revision has taken the place of one, nothing is changed (409).',
    ),
    resolutions: z
      .array(ConflictResolution)
      .max(1000)
      .refine((all) => new Set(all.map(({ conflict }) => conflict)).size === all.length, {
        message: 'must name each conflict once',
      })
      .optional()
      .describe('A version for each conflict.'),
    otherwise: Version.optional().describe(
      'The version for all conflicts without a resolution. Of a block of a text it gives the lines that both sides changed; those that only one side changed are taken from both.',
    ),
  })
  .refine(
    ({ revisions, resolutions, otherwise }) =>
      revisions !== undefined || (resolutions === undefined && otherwise === undefined),
    { path: ['revisions'], message: 'must be those of the list of conflicts that the resolutions are for' },
  )
  .meta({ id: 'UpdateFromMainContent' });
export type UpdateFromMainContent = z.infer<typeof UpdateFromMainContent>;

export const MergeChangeRequest = z
  .object({
    revisions: ConflictRevisions.partial({ base: true })
      .optional()
      .describe(
        'As in the list of conflicts. When another revision has taken the place of one, nothing is merged (409).',
      ),
  })
  .meta({ id: 'MergeChangeRequest' });
export type MergeChangeRequest = z.infer<typeof MergeChangeRequest>;
