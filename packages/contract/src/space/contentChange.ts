import { z } from 'zod';
import { ChangeRequest } from './changeRequest.ts';
import { File } from './content.ts';
import { DocumentTree } from '../document/document.ts';
import { Emoji } from '../document/emoji.ts';
import { fromWord, Id, text } from '../input/input.ts';

/** Limits of the number and size of changes in one request. */
const contentChangeLimits = {
  changes: 50,
  /** For one page in UTF-8. An import from a repository would not parse a larger one. */
  markdownBytes: 2_000_000,
  filesInChange: 20,
  /** For a file that the request itself contains. */
  base64Bytes: 1024 * 1024,
} as const;

const Markdown = text(0, contentChangeLimits.markdownBytes).refine(
  (value) =>
    value.length * 3 <= contentChangeLimits.markdownBytes ||
    new TextEncoder().encode(value).length <= contentChangeLimits.markdownBytes,
  `must have at most ${contentChangeLimits.markdownBytes} bytes`,
);

const GivenDocument = z
  .object({ markdown: Markdown.optional(), document: DocumentTree.optional() })
  .refine(
    ({ markdown, document }) => markdown === undefined || document === undefined,
    'must have either `markdown` or `document`',
  )
  .meta({ id: 'PageDocument' })
  .describe(
    'Markdown, a document tree, or nothing. In Markdown, frontmatter and a leading level-1 heading set the metadata of the page and override the fields. ' +
      'Two exceptions: if the text of the page does not begin with its title, a new heading is part of the document and the title is kept; ' +
      'and a heading with which the text already began never changes the title.',
  );
export type GivenDocument = z.infer<typeof GivenDocument>;

const metadata = {
  title: text(1, 1000).optional().describe('Does not change the slug.'),
  slug: text(0, 100)
    .optional()
    .describe(
      'The last segment of the path. If empty, it is derived from the title. Refused if a sibling has it.',
    ),
  emoji: z
    .union([z.literal(''), Emoji])
    .optional()
    .describe('Empty removes it.'),
  icon: text(0, 50).optional().describe('Empty removes it.'),
  description: text(0, 300).optional().describe('Empty removes it.'),
  hidden: z.boolean().optional(),
  noIndex: z.boolean().optional(),
  noRobotsIndex: z.boolean().optional(),
  condition: text(0, 1024)
    .optional()
    .describe('Condition on visitors who can view the page. If empty, everyone can.'),
};

const Into = Id.nullable().optional();
const At = z.int().min(0).optional();
const Ref = text(1, 256).optional();

export const InsertPage = z
  .object({
    operation: z.literal('insert_page'),
    document: GivenDocument,
    into: Into.describe('The parent page, by default the root.'),
    at: At.describe('Position among its siblings, from 0; by default the last.'),
    ref: Ref.describe(
      'A name by which pages of the same request link to it: `./<ref>.md`. Unique in the request, and the path of no page.',
    ),
    ...metadata,
  })
  .meta({ id: 'ChangeRequestContentChangeInsertPage' });
export type InsertPage = z.infer<typeof InsertPage>;

export const UpdatePage = z
  .object({
    operation: z.literal('update_page'),
    page: Id,
    document: GivenDocument.optional(),
    into: Into.describe('The new parent page, null for the root; by default unchanged.'),
    at: At.describe('Position among its siblings, from 0; by default unchanged, or the last after a move.'),
    ...metadata,
  })
  .meta({ id: 'ChangeRequestContentChangeUpdatePage' });
export type UpdatePage = z.infer<typeof UpdatePage>;

const DeletePage = z
  .object({ operation: z.literal('delete_page'), page: Id })
  .meta({ id: 'ChangeRequestContentChangeDeletePage' })
  .describe('Deletes a page with all its descendants. Links to it from other pages break.');

export const RevertPage = z
  .object({
    operation: z.literal('revert_page'),
    page: Id,
    revision: Id.optional().describe(
      'By default the revision that the change request was created from or last updated with.',
    ),
    block: z
      .array(text(1, 256))
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'Keys of the blocks to restore, in the current document or in that of the revision. By default the whole page.',
      ),
  })
  .meta({ id: 'ChangeRequestContentChangeRevertPage' });
export type RevertPage = z.infer<typeof RevertPage>;

/** Checked here, because decoders skip unknown characters. */
const isBase64 = (value: string) => value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
const maxBase64Characters = Math.ceil(contentChangeLimits.base64Bytes / 3) * 4;

const FileName = text(1, 256)
  // The name becomes a file name in repositories.
  .refine(
    (name) => !/[/\\]|\p{Cc}/u.test(name) && !/^\.{1,2}$/.test(name) && name.trim() !== '',
    'must be a name without slashes',
  )
  .describe('File name with extension. If the name exists, a number is added.');

const NewFile = z
  .object({
    name: FileName,
    ref: Ref.describe('A name by which pages of the same request show it: `./<ref>`.'),
    contentType: text(3, 200)
      .refine((type) => /^[\w.+-]+\/[\w.+-]+\s*(?:;|$)/.test(type), 'must be a type such as image/png')
      .optional()
      .describe('Required with `base64`; with `url` it overrides the type that the server sends.'),
    url: text(1, 2048)
      .optional()
      .describe('A public URL from which the file is fetched.')
      .meta({ format: 'uri' }),
    base64: z
      .string()
      .max(maxBase64Characters, `must be at most ${contentChangeLimits.base64Bytes} bytes`)
      .refine(isBase64, 'must be base64')
      .optional(),
  })
  .superRefine((file, context) => {
    if ((file.url === undefined) === (file.base64 === undefined))
      context.addIssue({ code: 'custom', message: 'must have either `url` or `base64`' });
    if (file.base64 !== undefined && file.contentType === undefined)
      context.addIssue({ code: 'custom', path: ['contentType'], message: 'must be given with `base64`' });
  })
  .meta({ id: 'NewFile' });
export type NewFile = z.infer<typeof NewFile>;

const InsertFiles = z
  .object({
    operation: z.literal('insert_files'),
    files: z.array(NewFile).min(1).max(contentChangeLimits.filesInChange),
  })
  .meta({ id: 'ChangeRequestContentChangeInsertFiles' });

export const ContentChange = z
  .discriminatedUnion('operation', [InsertPage, UpdatePage, DeletePage, RevertPage, InsertFiles])
  .meta({ id: 'ChangeRequestContentChange' });
export type ContentChange = z.infer<typeof ContentChange>;

export const UpdateContent = z
  .object({
    changes: z
      .array(ContentChange)
      .min(1)
      .max(contentChangeLimits.changes)
      .describe('Applied in order, all or none.'),
  })
  .meta({ id: 'UpdateChangeRequestContent' });
export type UpdateContent = z.infer<typeof UpdateContent>;

export const UpdateContentQuery = z.object({
  compat: fromWord(z.boolean().default(true)).describe('false also returns the changed pages and files.'),
});

export const PreviewPage = z
  .object({ markdown: Markdown.describe('As in a change of the page.') })
  .meta({ id: 'PreviewPage' });

/** A page as it would be with another text. */
export const PagePreview = z
  .object({
    title: z.string(),
    description: z.string().optional(),
    emoji: z.string().optional(),
    document: DocumentTree,
  })
  .meta({ id: 'PagePreview' });
export type PagePreview = z.infer<typeof PagePreview>;

const PageRef = z
  .object({ object: z.literal('page'), id: z.string(), urls: z.object({ location: z.string() }) })
  .meta({ id: 'ChangeRequestContentUpdatePageRef' });

const ChangedPage = z
  .discriminatedUnion('object', [
    z
      .object({ object: z.literal('created_page'), ref: z.string().optional(), page: PageRef })
      .meta({ id: 'ChangeRequestContentUpdateInsertedPage' }),
    z
      .object({ object: z.literal('updated_page'), page: PageRef })
      .meta({ id: 'ChangeRequestContentUpdateUpdatedPage' }),
    z
      .object({ object: z.literal('deleted_page'), page: z.string() })
      .meta({ id: 'ChangeRequestContentUpdateDeletedPage' }),
  ])
  .meta({ id: 'ChangeRequestContentUpdateChange' });

/** The outcome of a request: one entry per page, in the order in which pages were first changed. */
export const ContentUpdate = z
  .object({
    changeRequest: ChangeRequest,
    changes: z.array(ChangedPage),
    insertedFiles: z.array(File).optional().describe('In the order of the request.'),
  })
  .meta({ id: 'ChangeRequestContentUpdate' });
export type ContentUpdate = z.infer<typeof ContentUpdate>;
