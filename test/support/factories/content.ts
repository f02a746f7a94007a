import {
  insertRevision,
  prepareRevision,
  storeDocuments,
  type FileItem,
  type PageTree,
  type ReusableContentItem,
  type RevisionContent,
} from '@bindery/content';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import { Space, withTransaction, type RevisionRecord, type SpaceRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

type PageFields = {
  id: string;
  title: string;
  slug: string;
  path: string;
  createdAt: string;
  updatedAt: string;
};
type DocumentFields = Omit<Extract<PageTree, { type: 'document' }>, keyof PageFields | 'pages' | 'type'>;

/** A page to build a revision from; `source` is the whole file, frontmatter included. */
export type TestPage = Partial<PageFields> &
  (
    | ({ type?: 'document'; source?: string | Uint8Array; pages?: TestPage[] } & DocumentFields)
    | { type: 'group'; pages?: TestPage[] }
    | Pick<Extract<PageTree, { type: 'link' }>, 'type' | 'target' | 'linkTitle'>
    | Pick<Extract<PageTree, { type: 'computed' }>, 'type' | 'computed'>
  );

const time = '2026-01-02T03:04:05.678Z';

const nameIn = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/**
 * Writes a revision with its documents.
 *
 * @param publish  false does not change the space's main content
 */
export async function buildRevision(
  space: SpaceRecord,
  {
    pages = [],
    publish = true,
    files = [],
    reusableContents = [],
    variables = [],
    redirects = [],
    git,
  }: Partial<Omit<RevisionContent, 'pages'>> & {
    pages?: TestPage[];
    publish?: boolean;
    git?: RevisionRecord['git'];
  } = {},
): Promise<RevisionRecord> {
  const sources: Parameters<typeof storeDocuments>[1] extends Iterable<infer Source> ? Source[] : never = [];
  const build = (page: TestPage, above = ''): PageTree => {
    const { id = newId(), title = 'Page', createdAt = time, updatedAt = time } = page;
    const common = { id, title, createdAt, updatedAt };
    if (page.type === 'link') return { ...common, ...page, type: 'link' } as PageTree;
    if (page.type === 'computed') return { ...common, ...page, type: 'computed' } as PageTree;
    const { slug = page.path === undefined ? title.toLowerCase() : nameIn(page.path) } = page;
    const { path = above === '' ? slug : `${above}/${slug}` } = page;
    const children = (page.pages ?? []).map((child) => build(child, path));
    if (page.type === 'group') return { ...common, type: 'group', slug, path, pages: children };
    const { source, pages: _pages, type: _type, ...rest } = page;
    if (source === undefined) return { ...common, ...rest, type: 'document', slug, path, pages: children };
    const bytes = Buffer.from(source);
    const hash = createHash('sha256').update(bytes).digest('hex');
    sources.push({ hash, source: splitFrontmatter(bytes) });
    return { ...common, ...rest, type: 'document', slug, path, document: hash, pages: children };
  };
  const tree = pages.map((page) => build(page));
  await storeDocuments(space.organization, sources);
  const { revision } = await prepareRevision({
    organization: space.organization,
    space: space._id,
    parents: [space.revision],
    type: 'edits',
    createdBy: 'nobody',
    content: { pages: tree, files, reusableContents, variables, redirects },
    ...(git && { git }),
  });
  await withTransaction(async (session) => {
    await insertRevision(revision, session);
    if (publish) await Space.updateOne({ _id: space._id }, { $set: { revision: revision._id } }, { session });
  });
  return revision;
}

/**
 * Stores the document of a reusable content, for `reusableContents` of a revision; `source` is the whole
 * file.
 */
export async function buildReusableContent(
  organization: string,
  {
    title = 'Notice',
    source = 'Take care.\n',
    ...fields
  }: Partial<Omit<ReusableContentItem, 'document'>> & { source?: string } = {},
): Promise<ReusableContentItem> {
  const bytes = Buffer.from(source);
  const document = createHash('sha256').update(bytes).digest('hex');
  await storeDocuments(organization, [{ hash: document, source: splitFrontmatter(bytes) }]);
  return { id: newId(), title, document, ...fields };
}

/** Stores the bytes of a file, for `files` of a revision. */
export async function buildFile(
  blobs: BlobStore,
  organization: string,
  {
    name = 'file.bin',
    bytes = 'content',
    contentType = 'application/octet-stream',
    ...fields
  }: Partial<Omit<FileItem, 'blob'>> & { bytes?: string | Uint8Array } = {},
): Promise<FileItem> {
  const content = Buffer.from(bytes);
  const blob = createHash('sha256').update(content).digest('hex');
  await blobs.put(`${organization}:${blob}`, Readable.from([content]));
  return { id: newId(), name, contentType, sizeBytes: content.length, blob, ...fields };
}
