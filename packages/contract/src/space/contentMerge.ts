import { z } from 'zod';
import { ChangeRequest } from './changeRequest.ts';
import { ContentRef, PageLayout } from './content.ts';
import { fromDigits } from '../input/input.ts';

/** The object of a conflict that is no page, and the part of it. */
export const conflictFields = {
  file: z.string().optional(),
  reusableContent: z.string().optional(),
  variable: z.string().optional().describe('Name of the variable.'),
  redirect: z.string().optional().describe('The old path.'),
  field: z
    .enum(['document', 'title', 'slug', 'position', 'deleted', 'value'])
    .describe(
      '`deleted`: one side removed what the other changed; the changed version is kept. `value` is that of a file, a variable or a redirect.',
    ),
  block: z
    .string()
    .optional()
    .describe(
      'Key of the block; `frontmatter` for the metadata of the page, `target` and `source` for a link and a computed page.',
    ),
};

/**
 * A conflict: both sides changed the same thing, and the change request's version was taken. Texts are
 * Markdown, null for a side without one.
 */
export const MergeConflict = z
  .object({
    page: z.string().optional().describe('Id of the page. Other objects are named by the next four fields.'),
    ...conflictFields,
    base: z.string().nullable().describe('The common ancestor of both sides.'),
    ours: z
      .string()
      .nullable()
      .describe('Version of the content merged into: the main content, or in an update the change request.'),
    theirs: z
      .string()
      .nullable()
      .describe('Version of the merged content: the change request, or in an update the main content.'),
  })
  .meta({ id: 'MergeConflict' });
export type MergeConflict = z.infer<typeof MergeConflict>;

const merged = {
  revision: z.string().describe('The resulting revision.'),
  conflicts: z.array(MergeConflict).optional(),
};

/** With conflicts, the change request is merged as well. */
export const MergedChangeRequest = z
  .object({ ...merged, result: z.enum(['merge', 'conflicts']) })
  .meta({ id: 'MergedChangeRequest' });
export type MergedChangeRequest = z.infer<typeof MergedChangeRequest>;

export const UpdatedChangeRequest = z
  .object({ ...merged, result: z.enum(['update', 'conflicts']) })
  .meta({ id: 'UpdatedChangeRequest' });
export type UpdatedChangeRequest = z.infer<typeof UpdatedChangeRequest>;

export const ChangesQuery = z.object({
  limit: fromDigits(z.int().min(1).max(1000).default(10)).describe(
    'Maximum number of listed changes; the others are counted.',
  ),
});

/** An attribute before and after a change; absent on a side without it. */
function change<S extends z.ZodType>(value: S) {
  return z.object({ before: value.optional(), after: value.optional() });
}

const ChangedText = change(z.string()).meta({ id: 'ChangeAttributeString' });
const ChangedFlag = change(z.boolean()).meta({ id: 'ChangeAttributeBoolean' });
const VariableValue = z.union([z.string(), z.number(), z.boolean()]);
const Variables = z.record(z.string(), VariableValue);
const Dimensions = z.object({ width: z.number(), height: z.number() });
const Cover = z.object({
  ref: ContentRef,
  refDark: ContentRef.optional(),
  yPos: z.number(),
  height: z.number().optional(),
});

export const ChangedPage = z
  .object({
    id: z.string(),
    type: z.enum(['document', 'group', 'link', 'computed']),
    title: z.string(),
    path: z.string().optional(),
  })
  .meta({ id: 'ChangedRevisionPage' });
export type ChangedPage = z.infer<typeof ChangedPage>;

/** Contains only attributes that differ. `document` is the hash of the page's file. */
export const ChangedPageAttributes = z
  .object({
    title: ChangedText,
    linkTitle: ChangedText,
    description: ChangedText,
    slug: ChangedText,
    document: ChangedText,
    cover: change(Cover),
    emoji: ChangedText,
    icon: ChangedText,
    layout: change(PageLayout),
    variables: change(Variables),
    tags: change(z.array(z.string())),
    condition: ChangedText,
    hidden: ChangedFlag,
    noIndex: ChangedFlag,
    noRobotsIndex: ChangedFlag,
    target: change(ContentRef),
  })
  .partial()
  .meta({ id: 'ChangedRevisionPageAttributes' });
export type ChangedPageAttributes = z.infer<typeof ChangedPageAttributes>;

const ChangedFile = z
  .object({ id: z.string(), name: z.string(), contentType: z.string(), downloadURL: z.string() })
  .meta({ id: 'ChangedRevisionFile' });
const ChangedReusableContent = z
  .object({ id: z.string(), title: z.string(), document: z.string().optional() })
  .meta({ id: 'ChangedRevisionReusableContent' });

export const ContentDifference = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('page_created'), page: ChangedPage }),
    z.object({ type: z.literal('page_edited'), page: ChangedPage, attributes: ChangedPageAttributes }),
    z.object({ type: z.literal('page_deleted'), page: ChangedPage }),
    z.object({
      type: z.literal('page_moved'),
      page: ChangedPage,
      parent: z
        .object({ before: ChangedPage.optional(), after: ChangedPage.optional() })
        .describe('A side without a page is the root.'),
    }),
    z.object({ type: z.literal('file_created'), file: ChangedFile }),
    z.object({
      type: z.literal('file_edited'),
      file: ChangedFile,
      attributes: z
        .object({
          name: ChangedText,
          downloadURL: ChangedText,
          size: change(z.number()),
          contentType: ChangedText,
          dimensions: change(Dimensions),
        })
        .partial(),
    }),
    z.object({ type: z.literal('file_deleted'), file: ChangedFile }),
    z.object({ type: z.literal('variables_edited'), variables: z.record(z.string(), change(VariableValue)) }),
    z.object({ type: z.literal('reusable_content_created'), reusableContent: ChangedReusableContent }),
    z.object({
      type: z.literal('reusable_content_edited'),
      reusableContent: ChangedReusableContent,
      attributes: z.object({ title: ChangedText, document: ChangedText }).partial(),
    }),
    z.object({ type: z.literal('reusable_content_deleted'), reusableContent: ChangedReusableContent }),
  ])
  .meta({ id: 'RevisionSemanticChange' });
export type ContentDifference = z.infer<typeof ContentDifference>;

export const ContentDifferences = z
  .object({
    mergedFrom: ChangeRequest.optional().describe('The change request that a merge revision is from.'),
    changes: z.array(ContentDifference),
    more: z.int().optional().describe('Number of changes beyond `limit`.'),
  })
  .meta({ id: 'RevisionSemanticChanges' });
export type ContentDifferences = z.infer<typeof ContentDifferences>;
