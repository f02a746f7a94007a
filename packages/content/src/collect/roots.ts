/** Content that is stored under a key of its organization. */
export type ContentKind = 'node' | 'document' | 'blob';

/**
 * Records that refer to stored content, and so keep it. **Every field for the hash of a node or document, or
 * for the key of a blob, is named here**, or in `notRoots` with the reason:
 * test/workers/storage/storageRoots.test.ts looks for fields that neither list names.
 */
export type Root = {
  collection: string;
  /** The field by which the records of an organization are found. */
  of: 'organization' | 'space' | 'spec';
  /** A filter for queries: most records of the collection name nothing. */
  only?: object;
  /** Names the organization that has the content, where it need not be that of the record. */
  owner?: string;
  /** The kind of content that each field names; a field may be a list. */
  fields: Readonly<Record<string, ContentKind>>;
  /** Readers can do without the content: a missing item is no fault. */
  mayBeGone?: true;
};

export const roots: readonly Root[] = [
  {
    collection: 'revisions',
    of: 'space',
    fields: { pages: 'node', files: 'node', reusableContents: 'node' },
  },
  {
    collection: 'translations',
    of: 'organization',
    fields: { 'written.pages': 'node', 'written.files': 'node', 'written.reusableContents': 'node' },
  },
  // The tree that the search index was built from, with which the next run compares.
  { collection: 'spaceIndexes', of: 'space', fields: { root: 'node', begun: 'node' } },
  {
    collection: 'openapiSpecs',
    of: 'organization',
    fields: { 'source.blob': 'blob', 'source.archive.key': 'blob' },
  },
  {
    collection: 'openapiSpecVersions',
    of: 'spec',
    fields: {
      'document.blob': 'blob',
      'otherFiles.blob': 'blob',
      'bundle.blob': 'blob',
      'yaml.blob': 'blob',
      'filesystem.blob': 'blob',
      'index.blob': 'blob',
      'findings.blob': 'blob',
      'review.lint.blob': 'blob',
    },
  },
  ...rootsOfJobs('jobs'),
  // The results of jobs whose records have expired.
  ...rootsOfJobs('jobOutcomes'),
];

function rootsOfJobs(collection: 'jobs' | 'jobOutcomes'): Root[] {
  return [
    // PDFs with the logo on their cover, and files that were uploaded for an import.
    {
      collection,
      of: 'organization',
      only: {
        $or: ['result.file', 'input.logo', 'input.files'].map((field) => ({ [field]: { $exists: true } })),
      },
      fields: { 'result.file': 'blob', 'input.logo.blob': 'blob', 'input.files.key': 'blob' },
      mayBeGone: true,
    },
    // The trees that an export pushed or merged, until it is known whether the push arrived.
    {
      collection,
      of: 'organization',
      owner: 'checkpoint.organization',
      fields: {
        'checkpoint.placed.pages': 'node',
        'checkpoint.placed.files': 'node',
        'checkpoint.placed.reusableContents': 'node',
        ...Object.fromEntries(
          ['merged', 'branch'].flatMap((side) =>
            ['pages', 'files', 'reusableContents'].map((part) => [
              `checkpoint.merge.${side}.${part}`,
              'node',
            ]),
          ),
        ),
      },
      mayBeGone: true,
    },
  ];
}

/**
 * The content that a record names as a root.
 *
 * @param organization  that the record belongs to
 */
export function contentOfRecord(
  collection: string,
  { record, organization }: { record: Record<string, unknown>; organization: string },
): ContentName[] {
  return roots
    .filter((root) => root.collection === collection)
    .filter(({ owner }) => owner === undefined || textsAt(record, owner)[0] === organization)
    .flatMap(({ fields, mayBeGone }) => namesIn(record, fields, { mayBeGone }));
}

/** The content that the items of a node name. */
export function contentOfNode(items: unknown): ContentName[] {
  return namesIn(items, nodeFields, {});
}

/** Content of an organization: a hash, or the name of an upload. */
export type ContentName = { kind: ContentKind; name: string; mayBeGone?: true | undefined };

function namesIn(
  record: unknown,
  fields: Readonly<Record<string, ContentKind>>,
  { mayBeGone }: Pick<Root, 'mayBeGone'> | { mayBeGone?: undefined },
): ContentName[] {
  return Object.entries(fields).flatMap(([field, kind]) =>
    textsAt(record, field).map((name) => ({ kind, name, mayBeGone })),
  );
}

/** The kind of content that each field of a node's items names. */
export const nodeFields = { children: 'node', document: 'document', blob: 'blob' } as const satisfies Record<
  string,
  ContentKind
>;

/** Fields for the hash of stored content that do not keep it, each with the reason. */
export const notRoots: Readonly<Record<string, string>> = {
  'documentLinks._id': 'Facts of a document, made from it. They are removed with it.',
  'gitRepositories.parts':
    'A cache. What an import takes from it is looked for in the store first (knownContent.ts of the git worker).',
  'translatedPages.source.document': 'Only compared; an edit by hand whose source is gone is merged.',
  'translatedPages.written.document':
    'A cache. A run looks for the document in the store first (translatePages.ts of the translation worker).',
  'openapiSpecVersions.contentHash':
    'Of the whole specification, to be compared with that of another version.',
};

/**
 * Fields for the id of a revision, with the field by which the records of a space are found. `trimRevisions`
 * keeps the revisions that they name. `revisions.parents` and `revisions.mergedFrom` are omitted: a revision
 * without a stored parent shows all of its content as new.
 */
export const revisionNames: readonly {
  collection: string;
  of: (space: string, organization: string) => object;
  fields: readonly string[];
}[] = [
  { collection: 'spaces', of: (space) => ({ _id: space }), fields: ['revision'] },
  {
    collection: 'changeRequests',
    of: (space) => ({ space }),
    fields: [
      'revision',
      'revisionInitial',
      'revisionMergedAncestor',
      'revisionMerged',
      'requestedReviewers.revision',
      'git.revision',
      'folder.revision',
      'folder.ancestor',
    ],
  },
  { collection: 'changeRequestReviews', of: (space) => ({ space }), fields: ['revision'] },
  { collection: 'comments', of: (space) => ({ space }), fields: ['target.revision'] },
  { collection: 'gitSyncPoints', of: (space) => ({ space }), fields: ['revision'] },
  { collection: 'spaceIndexes', of: (space) => ({ space }), fields: ['revision'] },
  { collection: 'spaceMentions', of: (space) => ({ space }), fields: ['revision'] },
  {
    collection: 'translations',
    of: (space, organization) => ({ organization, 'result.space': space }),
    fields: ['result.revision'],
  },
  ...['jobs', 'jobOutcomes'].map((collection) => ({
    collection,
    of: (space: string) => ({ $or: [{ 'subject.id': space }, { space }] }),
    fields: [
      'input.revision',
      'input.changesFrom',
      'result.revision',
      'result.exported',
      'result.replaced.revision',
      'result.merge.base',
      'result.merge.branch',
      'result.merge.space',
      'checkpoint.exported',
      'checkpoint.merge.report.base',
      'checkpoint.merge.report.space',
    ],
  })),
];

/** The strings in a field of a record, also within lists. */
export function textsAt(record: unknown, path: string): string[] {
  if (Array.isArray(record)) return record.flatMap((member) => textsAt(member, path));
  if (path === '') return typeof record === 'string' ? [record] : [];
  if (typeof record !== 'object' || record === null) return [];
  const [name = '', ...rest] = path.split('.');
  return textsAt((record as Record<string, unknown>)[name], rest.join('.'));
}
