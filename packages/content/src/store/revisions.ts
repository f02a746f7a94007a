import {
  contentFormat,
  Revision,
  type ClientSession,
  type ContentFields,
  type RevisionRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { hashOfJson } from './hash.ts';
import type { FileItem, PageTree, ReusableContentItem } from './items.ts';
import { contentKey, createNodeBatch, loadNode } from './nodes.ts';
import { storedNodes } from './storedContent.ts';
import { addTree } from './tree.ts';

/** The content of a revision as values; the store converts it to hashes. */
export type RevisionContent = {
  pages: PageTree[];
  files: FileItem[];
  reusableContents: ReusableContentItem[];
  variables: { name: string; value: string | number | boolean }[];
  redirects: RevisionRecord['redirects'];
};

export type NewRevision = Pick<
  RevisionRecord,
  'organization' | 'space' | 'parents' | 'type' | 'createdBy' | 'git'
> & {
  content: RevisionContent;
};

/**
 * Writes a revision's nodes and returns its record, which the caller inserts (insertRevision) in the
 * transaction that publishes it. Unused nodes are harmless, because they are stored under their hashes.
 *
 * @returns the record, and the number of new nodes
 */
export async function prepareRevision({
  content,
  ...fields
}: NewRevision): Promise<{ revision: RevisionRecord; nodesWritten: number }> {
  const batch = createNodeBatch(fields.organization);
  const pages = addTree(batch, content.pages);
  const files = batch.add(content.files);
  const reusableContents = batch.add(content.reusableContents);
  const nodesWritten = await batch.write();
  const { variables, redirects } = content;
  const record = { ...fields, format: contentFormat, pages, files, reusableContents, variables, redirects };
  return { revision: newRevision(record), nodesWritten };
}

/** Creates the record of a new revision whose content is stored already. */
export function newRevision(
  fields: Omit<RevisionRecord, '_id' | 'createdAt' | 'contentHash'>,
): RevisionRecord {
  const contentHash = hashOfJson(contentFields(fields));
  return { _id: newId(), createdAt: new Date(), contentHash, ...fields };
}

/** Picks the content of a revision from its record, in the order in which it is hashed. */
export function contentFields({
  pages,
  files,
  reusableContents,
  variables,
  redirects,
}: ContentFields): ContentFields {
  return { pages, files, reusableContents, variables, redirects };
}

/** The stored content of a revision. */
export type ContentOfRevision = ContentFields & Pick<RevisionRecord, 'organization' | 'space' | 'format'>;

/** A revision as changes of another one: only values that differ from `base`. */
export type ChangedRevision = Pick<RevisionRecord, 'type' | 'parents' | 'createdBy'> & {
  /** Root of the pages, as returned by `TreeEdit.write`. */
  pages?: string;
  files?: readonly FileItem[];
  reusableContents?: readonly ReusableContentItem[];
  variables?: RevisionRecord['variables'];
  redirects?: RevisionRecord['redirects'];
};

/**
 * Does the same for a revision that changes another one, without storing unchanged content again. The new
 * revision has no commit, and the format of the other one, because it has its titles.
 */
export async function prepareChangedRevision(
  base: ContentOfRevision,
  { type, parents, createdBy, ...changes }: ChangedRevision,
): Promise<{ revision: RevisionRecord; nodesWritten: number }> {
  const { organization, space, format } = base;
  const batch = createNodeBatch(organization);
  const pages = changes.pages ?? base.pages;
  const files = changes.files ? batch.add(changes.files) : base.files;
  const reusableContents = changes.reusableContents
    ? batch.add(changes.reusableContents)
    : base.reusableContents;
  const nodesWritten = await batch.write();
  const { variables = base.variables, redirects = base.redirects } = changes;
  const content = { pages, files, reusableContents, variables, redirects };
  return {
    revision: newRevision({
      organization,
      space,
      parents,
      type,
      createdBy,
      format,
      ...content,
    }),
    nodesWritten,
  };
}

/**
 * Adds a revision to its space, in the transaction that publishes it.
 *
 * @throws Error when its nodes are not stored: its process was suspended for longer than content waits for
 *   its first reference, and has to start over
 */
export async function insertRevision(revision: RevisionRecord, session: ClientSession): Promise<void> {
  const { organization, pages, files, reusableContents } = revision;
  const keys = [...new Set([pages, files, reusableContents])].map((hash) => contentKey(organization, hash));
  // Outside of the transaction, which may not see content stored since it began. A sweep removes nodes before
  // the content that they refer to.
  const stored = await storedNodes().find(keys);
  if (stored.size < keys.length)
    throw new Error(`The content of the revision ${revision._id} was removed before it was published.`);
  // The driver would store undefined fields as null.
  await Revision.collection.insertOne(revision as never, { session, ignoreUndefined: true });
}

/** Finds a revision of the space; undefined for a revision of another space. */
export async function findRevision(space: string, id: string): Promise<RevisionRecord | undefined> {
  return (await Revision.findOne({ _id: id, space }).lean<RevisionRecord>()) ?? undefined;
}

/**
 * Loads a revision that the space or one of its change requests refers to.
 *
 * @throws Error when it is not stored, which no sweep of the storage causes
 */
export async function loadRevision(space: string, id: string): Promise<RevisionRecord> {
  const revision = await findRevision(space, id);
  if (!revision) throw new Error(`The revision ${id} of the space ${space} is not stored.`);
  return revision;
}

export async function loadFiles(
  revision: Pick<RevisionRecord, 'organization' | 'files'>,
): Promise<FileItem[]> {
  return loadNode<FileItem>(revision.organization, revision.files);
}

export async function loadReusableContents(
  revision: Pick<RevisionRecord, 'organization' | 'reusableContents'>,
): Promise<ReusableContentItem[]> {
  return loadNode<ReusableContentItem>(revision.organization, revision.reusableContents);
}
