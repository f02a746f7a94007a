import { z } from 'zod';
import { text, id, time, url, count, flag, flags, kind, Variables } from './briefWords.ts';

// Pages, files, revisions, and what is said about them. briefFields.ts explains these tables.

export const User = kind('user', {
  id,
  displayName: text,
  email: text.optional(),
  photoURL: text.optional(),
  urls: z.looseObject({ location: url }),
});

const ContentReference = z.looseObject({ kind: text, file: id.optional(), spec: id.optional() });

const GitFile = z.looseObject({ oid: text, path: text });

export const File = z.looseObject({
  id,
  name: text,
  contentType: text,
  downloadURL: url,
  size: count,
  dimensions: z.looseObject({ width: z.number(), height: z.number() }).optional(),
  git: GitFile.optional(),
});

const pageFields = {
  id,
  title: text,
  emoji: text.optional(),
  icon: text.max(50).optional(),
  createdAt: time.optional(),
  updatedAt: time.optional(),
};

const DocumentPage = z.looseObject({
  ...pageFields,
  type: z.literal('document'),
  urls: z.looseObject({ app: url }),
  slug: text,
  path: text,
  description: text.optional(),
  git: GitFile.optional(),
  layout: z.looseObject({
    width: z.enum(['default', 'wide']),
    cover: flag,
    coverSize: z.enum(['hero', 'full', 'background']),
    title: flag,
    description: flag,
    tableOfContents: flag,
    outline: flag,
    pagination: flag,
    metadata: flag,
  }),
  cover: z
    .looseObject({ ref: ContentReference, refDark: ContentReference.optional(), yPos: z.number() })
    .optional(),
  variables: Variables.optional(),
  hidden: flag.optional(),
  noIndex: flag.optional(),
  noRobotsIndex: flag.optional(),
  markdown: text.optional(),
  get pages(): z.ZodType {
    return z.array(Page);
  },
});

const GroupPage = z.looseObject({
  ...pageFields,
  type: z.literal('group'),
  slug: text,
  path: text,
  get pages(): z.ZodType {
    return z.array(Page);
  },
});

const LinkPage = z.looseObject({
  ...pageFields,
  type: z.literal('link'),
  target: ContentReference,
  href: text.optional(),
});

const ComputedPage = z.looseObject({
  ...pageFields,
  type: z.literal('computed'),
  computed: z.looseObject({ type: text, dependencies: z.looseObject({}), props: z.looseObject({}) }),
});

export const Page: z.ZodType = z.discriminatedUnion('type', [
  DocumentPage,
  GroupPage,
  LinkPage,
  ComputedPage,
]);

export const Revision = kind('revision', {
  id,
  parents: z.array(id),
  pages: z.array(Page),
  files: z.array(File),
  reusableContents: z.array(z.looseObject({ id, title: text, git: GitFile.optional() })),
  variables: Variables.optional(),
  createdAt: time,
  git: z
    .looseObject({
      oid: text,
      message: text,
      createdByDocs: flag,
      createdByGitBook: flag,
      url: url.optional(),
      ref: text.optional(),
    })
    .refine(({ createdByDocs, createdByGitBook }) => createdByDocs === createdByGitBook)
    .optional(),
  urls: z.looseObject({ app: url, published: url.optional(), public: url.optional() }),
  type: z.enum(['edits', 'merge', 'rollback', 'update', 'computed']),
});

export const Reference = z.looseObject({
  kind: z.enum(['file', 'url', 'page', 'user', 'collection', 'space', 'reusable-content', 'openapi']),
});

export const Link = z.looseObject({
  status: z.enum(['ok', 'broken', 'in-app']),
  relation: z.enum(['reference', 'dependsOn']),
  targetReference: Reference.optional(),
  locationReferences: z.array(Reference).min(1),
});

export const LinkStats = z.looseObject({
  total: count,
  broken: z.looseObject({ total: count, changeRequest: count.optional() }),
});

export const SearchPage = z.looseObject({
  id,
  title: text,
  path: text,
  sections: z
    .array(
      z.looseObject({ id: text, title: text, path: text, body: text, urls: z.looseObject({ app: url }) }),
    )
    .optional(),
  urls: z.looseObject({ app: url }),
});

export const ChangeRequest = kind('change-request', {
  id,
  number: z.number().int().min(1),
  status: z.enum(['draft', 'open', 'archived', 'merged']),
  subject: text.max(100),
  createdBy: User,
  createdAt: time,
  updatedAt: time,
  revision: id,
  revisionInitial: id,
  revisionMergedAncestor: id.optional(),
  revisionMerged: id.optional(),
  comments: count,
  outdated: flag,
  urls: z.looseObject({ app: url, location: url }),
});

const Reaction = z.looseObject({
  emoji: text,
  count: count,
  users: z.array(z.looseObject({ user: User, reactedAt: time })),
});

const remark = {
  id,
  postedBy: User,
  postedAt: time,
  editedAt: time.optional(),
  reactions: z.array(Reaction),
  body: z.union([
    z.looseObject({ markdown: text }),
    z.looseObject({ document: z.looseObject({ object: z.literal('document') }) }),
  ]),
  urls: z.looseObject({ location: url }),
  permissions: flags('view', 'edit', 'reply', 'delete'),
};

export const Comment = kind('comment', {
  ...remark,
  replies: count,
  target: z.looseObject({
    node: z.looseObject({ id: text, preview: text.optional() }).optional(),
    tableCell: z.looseObject({ record: text, definition: text }).optional(),
    changeRequest: id.optional(),
    review: id.optional(),
    page: z.looseObject({ id, title: text, path: text.optional(), outdated: flag }).optional(),
    space: id,
    revision: id,
  }),
  status: z.enum(['open', 'resolved']),
  resolvedAt: time.optional(),
  resolvedBy: User.optional(),
}).refine(
  ({ status, resolvedAt, resolvedBy }) =>
    [resolvedAt, resolvedBy].every((value) => (value !== undefined) === (status === 'resolved')),
  {
    message: 'says who resolved it and when exactly while it is resolved',
  },
);

export const CommentReply = kind('comment-reply', remark);

export const result = (revision: typeof id, ...words: [string, ...string[]]) =>
  z.looseObject({ revision, result: z.enum(words) });
