import { z } from 'zod';

/** One side of a text change. */
const ChangedText = z
  .object({
    text: z
      .string()
      .describe(
        'Source of the block in the file; of a long block, up to 4,000 characters of the part that differs.',
      ),
    firstLine: z.int().describe('Line of the file where `text` begins, from 1.'),
    lastLine: z.int(),
    cut: z.literal(true).optional().describe('Whether `text` is incomplete.'),
  })
  .meta({ id: 'ChangedText' });
export type ChangedText = z.infer<typeof ChangedText>;

/**
 * The change of one block of a file: a paragraph, a heading, a list, a hint with its content, the
 * frontmatter.
 */
const BlockChange = z
  .object({
    kind: z.enum(['added', 'removed', 'changed']),
    before: ChangedText.optional().describe('Absent for an added block.'),
    after: ChangedText.optional().describe('Absent for a removed block.'),
  })
  .meta({ id: 'BlockChange' });
export type BlockChange = z.infer<typeof BlockChange>;

const blocks = {
  blocks: z.array(BlockChange).optional().describe('Differences in the text, in order.'),
  partial: z.literal(true).optional().describe('Whether `blocks` is incomplete.'),
};

const Id = z.string().optional().describe('Absent for new pages, which have no id yet.');
const File = z.string().optional().describe('Path of its file, from the root of the repository.');

const pageFields = {
  id: Id,
  type: z.enum(['document', 'group', 'link', 'computed']),
  title: z.string(),
  path: z.string().optional().describe('Path in the space.'),
  file: File,
};
const placeFields = {
  parent: z.object({ id: Id, title: z.string() }).nullable().describe('Its parent page; null at the root.'),
  index: z.int().describe('Its position among its siblings, from 0.'),
};
const fields = z
  .array(z.string())
  .describe('Names of the fields that differ: title, description, icon, document, ...');

const GitPageEntry = z.object(pageFields).meta({ id: 'GitPageEntry' });
export type GitPageEntry = z.infer<typeof GitPageEntry>;
const GitMovedPage = z
  .object({
    ...pageFields,
    ...placeFields,
    previous: z
      .object({ path: pageFields.path, file: pageFields.file, ...placeFields })
      .describe('Its current position.'),
  })
  .meta({ id: 'GitMovedPage' });
export type GitMovedPage = z.infer<typeof GitMovedPage>;
const GitChangedPage = z.object({ ...pageFields, fields, ...blocks }).meta({ id: 'GitChangedPage' });
export type GitChangedPage = z.infer<typeof GitChangedPage>;

const contentFields = { id: Id, title: z.string(), file: File };
const previousFile = z.object({ file: File });
const GitReusableContentEntry = z.object(contentFields).meta({ id: 'GitReusableContentEntry' });
const GitChangedReusableContent = z
  .object({ ...contentFields, fields, ...blocks })
  .meta({ id: 'GitChangedReusableContent' });
export type GitChangedReusableContent = z.infer<typeof GitChangedReusableContent>;

const fileFields = { id: Id, name: z.string(), path: File, sizeBytes: z.int() };
const GitFileEntry = z.object(fileFields).meta({ id: 'GitFileEntry' });

const VariableValue = z.union([z.string(), z.number(), z.boolean()]);

const Counts = z
  .object({ added: z.int(), removed: z.int(), changed: z.int(), moved: z.int() })
  .meta({ id: 'GitChangeCounts' });

const Omitted = z
  .object({
    entries: z.int().describe('Number of changes that are counted but not listed.'),
    blocks: z.int().describe('Number of listed texts whose differences are incomplete.'),
  })
  .meta({ id: 'GitChangesOmitted' });

/**
 * The changes that an import would make in a space. Counts are complete; lists are limited to fit the record
 * of a job.
 */
export const GitImportChanges = z
  .object({
    direction: z.literal('import'),
    totals: z
      .object({
        pages: Counts,
        reusableContents: Counts,
        files: Counts,
        variables: z.int(),
        redirects: z.int(),
      })
      .describe('Moved and changed pages are counted and listed as both.'),
    pages: z.object({
      added: z.array(GitPageEntry),
      removed: z.array(GitPageEntry),
      changed: z.array(GitChangedPage),
      moved: z.array(GitMovedPage).describe('Pages with another parent, position, path or file.'),
    }),
    reusableContents: z.object({
      added: z.array(GitReusableContentEntry),
      removed: z.array(GitReusableContentEntry),
      changed: z.array(GitChangedReusableContent),
      moved: z.array(z.object({ ...contentFields, previous: previousFile })),
    }),
    files: z.object({
      added: z.array(GitFileEntry),
      removed: z.array(GitFileEntry),
      changed: z.array(z.object({ ...fileFields, previous: z.object({ sizeBytes: z.int() }) })),
      moved: z.array(z.object({ ...fileFields, previous: z.object({ name: z.string(), path: File }) })),
    }),
    variables: z.array(
      z.object({ name: z.string(), before: VariableValue.optional(), after: VariableValue.optional() }),
    ),
    redirects: z
      .array(z.object({ from: z.string(), before: z.string().optional(), after: z.string().optional() }))
      .describe('Old paths and their targets.'),
    omitted: Omitted,
  })
  .meta({ id: 'GitImportChanges' });
export type GitImportChanges = z.infer<typeof GitImportChanges>;

const exportFields = {
  path: z.string().describe('From the root of the repository.'),
  page: z
    .object({ id: z.string(), title: z.string(), path: z.string() })
    .optional()
    .describe('The page of the file.'),
  reusableContent: z.object({ id: z.string(), title: z.string() }).optional(),
  file: z
    .object({ id: z.string(), name: z.string() })
    .optional()
    .describe('The file of the space, such as a picture.'),
  sizeBytes: z.int().optional(),
};

const GitExportEntry = z.object(exportFields).meta({ id: 'GitExportEntry' });
export type GitExportEntry = z.infer<typeof GitExportEntry>;
const previousSize = z.int().optional();
const GitExportChangedFile = z
  .object({ ...exportFields, previous: z.object({ sizeBytes: previousSize }), ...blocks })
  .meta({ id: 'GitExportChangedFile' });
const GitExportMovedFile = z
  .object({ ...exportFields, previous: z.object({ path: z.string(), sizeBytes: previousSize }), ...blocks })
  .meta({ id: 'GitExportMovedFile' });

/** The changes that an export would make in a repository, counted and listed in the same way. */
export const GitExportChanges = z
  .object({
    direction: z.literal('export'),
    needsForce: z
      .boolean()
      .describe(
        'Whether the export fails without `force`, because the branch has commits that cannot be merged with the space; with `force` it makes these changes.',
      ),
    totals: z.object({ files: Counts }).describe('Moved files are counted as moved, changed or not.'),
    files: z.object({
      added: z.array(GitExportEntry),
      removed: z.array(GitExportEntry),
      changed: z
        .array(GitExportChangedFile)
        .describe('Text files have `blocks`; files that are not pages, such as SUMMARY.md, by lines.'),
      moved: z
        .array(GitExportMovedFile)
        .describe('The file of a page or an image that moves to another path, changed or not.'),
    }),
    omitted: Omitted,
  })
  .meta({ id: 'GitExportChanges' });
export type GitExportChanges = z.infer<typeof GitExportChanges>;

/** The outcome of a dry run: the member `changes` of its job's result. */
export const GitChanges = z.discriminatedUnion('direction', [GitImportChanges, GitExportChanges]);
