import { z } from 'zod';
import { ChangeRequest } from './changeRequest.ts';
import { DocumentTree } from '../document/document.ts';
import { ContentQuery, fromWord, JsonObject, text } from '../input/input.ts';
import { User } from '../user/user.ts';

const GitBlob = z.object({ oid: z.string(), path: z.string() }).meta({ id: 'GitSyncBlob' });
/** `email` is absent for visitors of sites, and if the commit has none. */
const GitAuthor = z.object({ name: z.string(), email: z.string().optional() }).meta({ id: 'GitAuthor' });
/** The file of a page, with its history in the branch; see docs/git-sync.md. */
const GitPage = GitBlob.extend({
  updatedAt: z.iso.datetime().optional().describe('When a commit last changed the file in the branch.'),
  lastAuthor: GitAuthor.optional().describe('The author of that change.'),
  contributors: z
    .array(GitAuthor)
    .optional()
    .describe('Who changed the file, the last one first; in answers with one page.'),
}).meta({ id: 'GitSyncPage' });
export type GitPage = z.infer<typeof GitPage>;
const Variables = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .meta({ id: 'Variables' });

export const ContentRef = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('url'), url: z.string() }).meta({ id: 'ContentRefURL' }),
    z.object({ kind: z.literal('file'), file: z.string() }).meta({ id: 'ContentRefFile' }),
    z
      .object({ kind: z.literal('page'), page: z.string(), space: z.string().optional() })
      .meta({ id: 'ContentRefPage' }),
    z
      .object({
        kind: z.literal('anchor'),
        anchor: z.string(),
        page: z.string().optional(),
        space: z.string().optional(),
      })
      .meta({ id: 'ContentRefAnchor' }),
    z.object({ kind: z.literal('space'), space: z.string() }).meta({ id: 'ContentRefSpace' }),
    z.object({ kind: z.literal('user'), user: z.string() }).meta({ id: 'ContentRefUser' }),
    z.object({ kind: z.literal('collection'), collection: z.string() }).meta({ id: 'ContentRefCollection' }),
    z
      .object({
        kind: z.literal('reusable-content'),
        reusableContent: z.string(),
        space: z.string().optional(),
      })
      .meta({ id: 'ContentRefReusableContent' }),
    z.object({ kind: z.literal('openapi'), spec: z.string() }).meta({ id: 'ContentRefOpenAPI' }),
  ])
  .meta({ id: 'ContentRef' });
export type ContentRef = z.infer<typeof ContentRef>;

export const PageLayout = z
  .object({
    width: z.enum(['default', 'wide']),
    cover: z.boolean(),
    coverSize: z.enum(['hero', 'full', 'background']),
    coverMask: z.string(),
    title: z.boolean(),
    description: z.boolean(),
    tableOfContents: z.boolean(),
    outline: z.boolean(),
    pagination: z.boolean(),
    metadata: z.boolean(),
    tags: z.boolean(),
    actions: z.boolean(),
    anchors: z.boolean(),
  })
  .meta({ id: 'PageLayout' });
export type PageLayout = z.infer<typeof PageLayout>;

/** `height` is in pixels; absent for the default height. */
const PageCover = z
  .object({
    ref: ContentRef,
    refDark: ContentRef.optional(),
    yPos: z.number(),
    height: z.number().optional(),
  })
  .meta({ id: 'RevisionPageDocumentCover' });
export type PageCover = z.infer<typeof PageCover>;

const pageFields = {
  id: z.string(),
  title: z.string(),
  linkTitle: z.string().optional(),
  emoji: z.string().optional(),
  icon: z.string().optional(),
  createdAt: z.iso.datetime().optional(),
  updatedAt: z.iso.datetime().optional(),
};

// A response already contains a valid tree. The type is asserted because the union of pages below cannot
// infer it from a schema that takes any input.
const PageTreeDocument = DocumentTree as z.ZodType<DocumentTree, DocumentTree>;

const documentFields = z.object({
  ...pageFields,
  type: z.literal('document'),
  kind: z.literal('sheet'),
  slug: z.string(),
  path: z.string(),
  description: z.string().optional(),
  layout: PageLayout,
  cover: PageCover.optional(),
  variables: Variables.optional(),
  tags: z.array(
    z.object({ tag: z.object({ kind: z.literal('tag'), tag: z.string() }), primary: z.boolean().optional() }),
  ),
  hidden: z.boolean(),
  noIndex: z.boolean(),
  noRobotsIndex: z.boolean(),
  condition: z.string().optional(),
  git: GitPage.optional(),
  urls: z.object({ app: z.string() }),
  documentId: z.string().optional(),
  /** On a computed page, instead of `documentId`: the source of its document. */
  computed: z.lazy(() => ComputedDocumentSource).optional(),
  computedSeed: z.string().optional(),
  /** The stored body, in single reads with `format=markdown`. */
  markdown: z.string().optional(),
  /** The body as a tree, in single reads with `format=document`; without the heading that is the title. */
  document: PageTreeDocument.optional(),
});

const groupFields = z.object({
  ...pageFields,
  type: z.literal('group'),
  kind: z.literal('group'),
  slug: z.string(),
  path: z.string(),
  hidden: z.boolean(),
  noIndex: z.boolean(),
  noRobotsIndex: z.boolean(),
});

export const LinkPage = z
  .object({
    ...pageFields,
    type: z.literal('link'),
    kind: z.literal('link'),
    target: ContentRef,
    href: z.string().optional(),
    hidden: z.boolean(),
  })
  .meta({ id: 'RevisionPageLink' });

export const ComputedPage = z
  .object({
    ...pageFields,
    type: z.literal('computed'),
    computed: z.object({
      type: z.string(),
      props: z.record(z.string(), z.unknown()),
      dependencies: z.record(z.string(), z.unknown()),
    }),
  })
  .meta({ id: 'RevisionPageComputed' });

/** TypeScript cannot infer recursive unions, so the type is written by hand. */
export type Page =
  | (z.infer<typeof documentFields> & { pages: Page[] })
  | (z.infer<typeof groupFields> & { pages: Page[] })
  | z.infer<typeof LinkPage>
  | z.infer<typeof ComputedPage>;

export const DocumentPage = documentFields
  .extend({
    get pages(): z.ZodType<Page[], Page[]> {
      return z.array(Page);
    },
  })
  .meta({ id: 'RevisionPageDocument' });
export const GroupPage = groupFields
  .extend({
    get pages(): z.ZodType<Page[], Page[]> {
      return z.array(Page);
    },
  })
  .meta({ id: 'RevisionPageGroup' });
export const Page = z
  .discriminatedUnion('type', [DocumentPage, GroupPage, LinkPage, ComputedPage])
  .meta({ id: 'RevisionPage' });

export const File = z
  .object({
    object: z.literal('file'),
    id: z.string(),
    name: z.string(),
    contentType: z.string(),
    size: z.int(),
    downloadURL: z.string(),
    dimensions: z.object({ width: z.number(), height: z.number() }).optional(),
    git: GitBlob.optional(),
  })
  .meta({ id: 'RevisionFile' });
export type File = z.infer<typeof File>;

export const ReusableContent = z
  .object({ id: z.string(), title: z.string(), document: z.string().optional(), git: GitBlob.optional() })
  .meta({ id: 'RevisionReusableContent' });
export type ReusableContent = z.infer<typeof ReusableContent>;

export const Revision = z
  .object({
    object: z.literal('revision'),
    id: z.string(),
    type: z.enum(['edits', 'merge', 'rollback', 'update', 'computed']),
    parents: z.array(z.string()),
    createdAt: z.iso.datetime(),
    mergedFrom: ChangeRequest.optional().describe('For a merge: the change request at that time.'),
    pages: z.array(Page),
    files: z.array(File),
    reusableContents: z.array(ReusableContent),
    tags: z.array(z.never()),
    variables: Variables.optional(),
    git: z
      .object({
        oid: z.string(),
        message: z.string(),
        createdByDocs: z.boolean(),
        createdByGitBook: z.boolean(),
        url: z.string().optional(),
        ref: z.string().optional(),
      })
      .meta({ id: 'GitSyncCommit' })
      .optional(),
    urls: z.object({ app: z.string(), published: z.string().optional(), public: z.string().optional() }),
  })
  .meta({ id: 'Revision' });
export type Revision = z.infer<typeof Revision>;

/** A revision without its content, in the list of revisions. */
export const RevisionSummary = Revision.omit({
  pages: true,
  files: true,
  reusableContents: true,
  tags: true,
  variables: true,
})
  .extend({ createdBy: User })
  .meta({ id: 'RevisionSummary' });
export type RevisionSummary = z.infer<typeof RevisionSummary>;

/** Query parameters for reading a document, with the names and descriptions of the published API. */
const documentReads = {
  evaluated: z
    .enum(['true', 'false', 'deterministic-only'])
    .default('false')
    .describe(
      'Whether to evaluate conditional blocks and expressions. For members, `deterministic-only` keeps those that depend on the visitor.',
    ),
  dereferenced: z
    .enum(['true', 'false', 'reusable-contents'])
    .default('false')
    .describe('Whether to include the content of reusable contents instead of references to them.'),
};

export const PageDocumentQuery = z.object(documentReads);
export type PageDocumentQuery = z.infer<typeof PageDocumentQuery>;

export const PageQuery = ContentQuery.extend({
  format: z.enum(['document', 'markdown']).default('markdown').describe('Output format for the content.'),
  'format.markdown.refs': z
    .enum(['relative', 'stable'])
    .default('relative')
    .describe(
      'How Markdown links to pages and files: by paths relative to the page, or by ids, as `/pages/<id>` and `/files/<id>`.',
    ),
  'format.markdown.openapi': z
    .enum(['tags', 'text'])
    .default('tags')
    .describe(
      'How Markdown shows operations, webhooks and schemas of API specifications: as the tags of the stored page, or described in words from the latest version, as exports for readers and language models have them.',
    ),
  ...documentReads,
  cachedMetadata: fromWord(z.boolean().default(false)).describe(
    'Accepted for compatibility and ignored: git metadata is always current.',
  ),
});
export type PageQuery = z.infer<typeof PageQuery>;

/** There is only one schema, the latest. */
export const DocumentSchemaQuery = z.object({
  schema: z
    .enum(['current', 'next'])
    .optional()
    .describe('Accepted for compatibility and ignored: there is one schema.'),
});

const MetaLink = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('url'), url: z.string() }),
    z.object({ kind: z.literal('page'), page: z.string(), space: z.string().optional() }),
  ])
  .meta({ id: 'RevisionPageMetaLinkTarget' });

/** The alternative URLs of a page for search engines. */
export const PageMetaLinks = z
  .object({ canonical: MetaLink.optional(), alternates: z.array(MetaLink) })
  .meta({ id: 'RevisionPageMetaLinks' });
export type PageMetaLinks = z.infer<typeof PageMetaLinks>;

const SpecDependency = z.object({
  spec: z.object({ ref: z.object({ kind: z.literal('openapi'), spec: text(1, 100) }) }),
});
const TranslationDependency = z.object({
  translation: z.object({ ref: z.object({ kind: z.literal('translation'), translation: text(1, 256) }) }),
});
const IntegrationSource = z.object({
  type: text(1, 256).regex(/^integration:[^:]+:[^:]+$/),
  props: JsonObject,
  dependencies: JsonObject.optional(),
});
const method = z.enum(['get', 'post', 'put', 'delete', 'patch', 'options', 'head', 'trace', 'hook']);

/** The source of a computed document. */
const ComputedDocumentSource = z
  .union([
    z.object({
      type: z.literal('builtin:openapi'),
      props: z.discriminatedUnion('doc', [
        z.object({ doc: z.literal('models') }),
        z.object({ doc: z.enum(['operations', 'info', 'tag']), page: text(1, 1024) }),
        z.object({
          doc: z.literal('operation'),
          page: text(1, 1024),
          method,
          deprecated: z.boolean().optional(),
        }),
      ]),
      dependencies: SpecDependency,
    }),
    z.object({
      type: z.literal('builtin:translation'),
      props: z.object({ space: text(1, 256), document: text(1, 256) }),
      dependencies: TranslationDependency,
    }),
    IntegrationSource,
  ])
  .meta({ id: 'ComputedContentSourceDocument' });
export type ComputedDocumentSource = z.infer<typeof ComputedDocumentSource>;

/** The source of computed pages. */
const ComputedRevisionSource = z
  .union([
    z.object({
      type: z.literal('builtin:openapi'),
      props: z.object({
        models: z.boolean().default(true),
        downloadLink: z.boolean().optional(),
        grouping: z.enum(['by-tag', 'by-operation']).optional(),
      }),
      dependencies: SpecDependency,
    }),
    z.object({
      type: z.literal('builtin:translation'),
      props: z.object({}),
      dependencies: TranslationDependency,
    }),
    IntegrationSource,
  ])
  .meta({ id: 'ComputedContentSourceRevision' });
export type ComputedRevisionSource = z.infer<typeof ComputedRevisionSource>;

const seed = text(1, 256).describe('Seed of computed ids: the same seed gives the same ids.');
export const ComputeDocument = z
  .object({ source: ComputedDocumentSource, seed })
  .meta({ id: 'ComputeDocument' });
export const ComputeRevision = z
  .object({ source: ComputedRevisionSource, seed })
  .meta({ id: 'ComputeRevision' });

export const ComputedRevision = z.object({
  pages: z.array(Page),
  files: z.array(File),
  reusableContents: z.array(ReusableContent),
});
export type ComputedRevision = z.infer<typeof ComputedRevision>;
