import { z } from 'zod';

const GitBlob = z.object({ oid: z.string(), path: z.string() }).meta({ id: 'GitSyncBlob' });
const Variables = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).meta({ id: 'Variables' });

export const ContentRef = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('url'), url: z.string() }).meta({ id: 'ContentRefURL' }),
    z.object({ kind: z.literal('file'), file: z.string() }).meta({ id: 'ContentRefFile' }),
    z.object({ kind: z.literal('page'), page: z.string(), space: z.string().optional() }).meta({ id: 'ContentRefPage' }),
    z
      .object({ kind: z.literal('anchor'), anchor: z.string(), page: z.string().optional(), space: z.string().optional() })
      .meta({ id: 'ContentRefAnchor' }),
    z.object({ kind: z.literal('space'), space: z.string() }).meta({ id: 'ContentRefSpace' }),
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

/** `height` is in pixels, absent where the page has the usual one. */
const PageCover = z
  .object({ ref: ContentRef, refDark: ContentRef.optional(), yPos: z.number(), height: z.number().optional() })
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
  tags: z.array(z.object({ tag: z.object({ kind: z.literal('tag'), tag: z.string() }), primary: z.boolean().optional() })),
  hidden: z.boolean(),
  noIndex: z.boolean(),
  noRobotsIndex: z.boolean(),
  condition: z.string().optional(),
  git: GitBlob.optional(),
  urls: z.object({ app: z.string() }),
  documentId: z.string().optional(),
  /** The body as it is stored, in single reads with `format=markdown`. */
  markdown: z.string().optional(),
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
    computed: z.object({ type: z.string(), props: z.record(z.string(), z.unknown()), dependencies: z.record(z.string(), z.unknown()) }),
  })
  .meta({ id: 'RevisionPageComputed' });

/** Recursion through a union does not infer, so the type stands here by hand. */
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
export const Page = z.discriminatedUnion('type', [DocumentPage, GroupPage, LinkPage, ComputedPage]).meta({ id: 'RevisionPage' });

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

const ReusableContent = z
  .object({ id: z.string(), title: z.string(), document: z.string().optional(), git: GitBlob.optional() })
  .meta({ id: 'RevisionReusableContent' });

export const Revision = z
  .object({
    object: z.literal('revision'),
    id: z.string(),
    type: z.enum(['edits', 'merge', 'rollback', 'update', 'computed']),
    parents: z.array(z.string()),
    createdAt: z.iso.datetime(),
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
