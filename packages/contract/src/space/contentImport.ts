import { z } from 'zod';
import { ChangeRequestSubject } from './changeRequest.ts';
import { ContentRef } from './content.ts';
import { Id, mapOf, text } from '../input/input.ts';

/** The sources of an import of content. */
export const importSources = [
  'website',
  'zip',
  'docx',
  'github-wiki',
  'confluence',
  'markdown',
  'html',
  'notion',
  'google-docs',
] as const;
export type ImportSource = (typeof importSources)[number];

/** A URL to fetch; packages/outbound checks its destination. */
const FetchedUrl = text(1, 2048).meta({ format: 'uri' });

export const ImportContent = z
  .object({
    url: FetchedUrl.describe('URL to import, with http or https and without credentials.'),
    source: z.enum(importSources),
  })
  .meta({ id: 'ImportContent' });
export type ImportContent = z.infer<typeof ImportContent>;

export const ImportContentResult = z
  .object({
    revision: z.string().describe('The revision that holds the imported pages.'),
    importedResources: z.int().describe('Number of imported pages and files.'),
    totalResources: z.int().describe('Number of pages and files found.'),
  })
  .meta({ id: 'ImportContentResult' });
export type ImportContentResult = z.infer<typeof ImportContentResult>;

/** A template of pages, with the targets of its placeholders. */
export const SpaceTemplate = z.object({
  id: text(1, 100).describe('blank, product-docs, api-reference, knowledge-base or changelog.'),
  params: z
    .object({ contentRefs: mapOf(text(1, 100), ContentRef).optional() })
    .optional()
    .describe('Targets of the placeholders of the template, by name.'),
});
export type SpaceTemplate = z.infer<typeof SpaceTemplate>;

export const ApplyTemplate = SpaceTemplate.extend({
  changeRequestId: Id.optional().describe(
    'Id or number of the change request to import into; by default the main content.',
  ),
}).meta({ id: 'ApplySpaceTemplate' });
export type ApplyTemplate = z.infer<typeof ApplyTemplate>;

/** Keys of uploaded files. A repeated one would only multiply the work. */
const UploadKeys = z
  .array(text(1, 256))
  .min(1)
  .max(50)
  .refine((keys) => new Set(keys).size === keys.length, 'must have each key once')
  .meta({ uniqueItems: true });

const ImportRunSource = z.discriminatedUnion('type', [
  z.object({ type: z.literal('website'), url: FetchedUrl }),
  z.object({ type: z.literal('file'), files: UploadKeys }),
]);

const ImportRunTarget = z.object({
  space: Id,
  changeRequest: Id.optional(),
  page: Id.optional().describe('Parent of the imported pages; by default they are appended at the root.'),
});

export const StartImportRun = z
  .object({
    source: ImportRunSource,
    target: ImportRunTarget,
    site: Id.optional().describe(
      'The site that the import is listed for, when the space belongs to none yet.',
    ),
    enhance: z
      .boolean()
      .default(true)
      .describe('Accepted for compatibility and ignored: imported text is never rewritten.'),
  })
  .meta({ id: 'StartImportRun' });
export type StartImportRun = z.infer<typeof StartImportRun>;

/** An uploaded folder that becomes the content of a change request. */
export const ImportFolder = z
  .object({
    files: UploadKeys.describe('Keys of uploaded ZIP archives, which together have the files of the folder.'),
    name: text(1, 100).describe(
      'Names the folder: the next import of this name by this user updates the same change request, unless it ' +
        'has ended or somebody has edited it since.',
    ),
    changeRequest: Id.optional().describe('Id or number of the change request to give the content to.'),
    subject: ChangeRequestSubject.optional().describe('Of a new change request; by default the name.'),
    prune: z
      .boolean()
      .default(false)
      .describe('true removes pages and files that the folder lacks; otherwise they stay.'),
  })
  .meta({ id: 'ImportFolder' });
export type ImportFolder = z.infer<typeof ImportFolder>;

/** A page, or something else of a space, with an edit that the content of a folder overrides. */
export const FolderConflict = z.object({
  type: z.enum(['page', 'file', 'reusable-content', 'variable', 'redirect']),
  id: z.string(),
  title: z.string(),
  /** Of a page. */
  path: z.string().optional(),
});
export type FolderConflict = z.infer<typeof FolderConflict>;

export const importRunStatuses = ['pending', 'in-progress', 'completed', 'failed', 'cancelled'] as const;
export type ImportRunStatus = (typeof importRunStatuses)[number];

export const ImportRun = z
  .object({
    object: z.literal('import-run'),
    id: z.string(),
    status: z.enum(importRunStatuses),
    reason: z.string().optional().describe('The error of a failed import.'),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().optional(),
    completedAt: z.iso.datetime().optional(),
    updatedAt: z.iso.datetime(),
    source: z
      .discriminatedUnion('type', [
        z.object({ type: z.literal('website'), url: z.string() }),
        z.object({ type: z.literal('file'), files: z.array(z.string()) }),
      ])
      .optional(),
    target: z.object({
      space: z.string(),
      changeRequest: z.string().optional(),
      page: z.string().optional(),
    }),
    site: z
      .string()
      .optional()
      .describe('The site that the space belongs to, when it belongs to exactly one.'),
    createdBy: z.string(),
    urls: z.object({ location: z.string() }),
    pages: z
      .array(
        z.object({
          id: z.string(),
          sourceURL: z.string().optional(),
          type: z.enum(['page', 'folder']),
          status: z.enum(['complete', 'pending']),
        }),
      )
      .optional(),
  })
  .meta({ id: 'ContentImportRun' });
export type ImportRun = z.infer<typeof ImportRun>;

export const ImportRunsQuery = z.object({
  space: Id.optional(),
  changeRequest: Id.optional(),
  site: Id.optional(),
  status: z
    .enum(['active', ...importRunStatuses])
    .optional()
    .describe('`active` is `pending` and `in-progress`.'),
});

const MiB = 1024 * 1024;

export const StorageUpload = z
  .object({
    file: z.object({
      name: text(1, 256),
      type: text(0, 256),
      size: z
        .int()
        .min(1)
        .max(20 * MiB),
    }),
    kind: z.enum(['customization_font', 'import_file', 'organization_file']),
  })
  .meta({ id: 'StorageUpload' });

export const StorageUploadURL = z
  .object({
    object: z.literal('storage-signed-url'),
    url: z.string().describe('Accepts the file once, by PUT, without a token.'),
    key: z.string().describe('Identifies the file in `files` of an import.'),
  })
  .meta({ id: 'StorageUploadURL' });
