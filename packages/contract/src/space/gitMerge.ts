import { z } from 'zod';
import { conflictFields } from './contentMerge.ts';

/**
 * The rules for content that a space and a branch both changed:
 *
 * - `branch`, `space`: the version of this side is taken
 * - `change-request`: an import leaves the space as it is and opens a change request with the content of the
 *   branch
 * - `fail`: an export fails with `not_fast_forward` and changes nothing
 */
export const ImportConflictRule = z
  .enum(['branch', 'space', 'change-request'])
  .meta({ id: 'ImportConflictRule' });
export type ImportConflictRule = z.infer<typeof ImportConflictRule>;
export const ExportConflictRule = z.enum(['fail', 'branch', 'space']).meta({ id: 'ExportConflictRule' });
export type ExportConflictRule = z.infer<typeof ExportConflictRule>;

const side = z.string().nullable();

const MergedPage = z.object({ id: z.string(), title: z.string(), path: z.string().optional() });

const GitConflict = z
  .object({
    page: MergedPage.optional().describe('Other objects are named by the next four fields.'),
    ...conflictFields,
    base: side.describe('The version last in sync. Texts are Markdown; null on a side without one.'),
    branch: side,
    space: side,
    kept: z.enum(['branch', 'space']).describe('The side whose version is in the result.'),
    cut: z.literal(true).optional().describe('Whether texts are cut after 4,000 characters.'),
  })
  .meta({ id: 'GitConflict' });
export type GitConflict = z.infer<typeof GitConflict>;

/**
 * The merge of a branch and a space that both changed since they were last in sync: the member `merge` of the
 * job's result. Counts are complete; lists are limited to fit the record of a job.
 */
export const GitMerge = z
  .object({
    base: z.string().describe('The revision that was last in sync.'),
    branch: z
      .string()
      .optional()
      .describe('The revision with the content of the branch; absent in a dry run.'),
    space: z.string().describe('The revision of the space before the merge.'),
    onConflict: z.enum([...ImportConflictRule.options, 'fail']),
    totals: z.object({ pages: z.int(), conflicts: z.int() }),
    pages: z.array(MergedPage).describe('Pages that both sides changed.'),
    conflicts: z.array(GitConflict).describe('Changes of one side that the result does not have.'),
    omitted: z.int().describe('Number of pages and conflicts that are counted but not listed.'),
    changeRequest: z
      .string()
      .optional()
      .describe('Id of the change request that has the content of the branch.'),
  })
  .meta({ id: 'GitMerge' });
export type GitMerge = z.infer<typeof GitMerge>;
