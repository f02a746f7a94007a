import {
  contentRootOf,
  expandComputed,
  type ExpandedPages,
  findRevision,
  loadPageIndex,
  loadReferenceContext,
  type FileItem,
  type PageTree,
  type ReadableSpecs,
  type RevisionReferences,
} from '@bindery/content';
import { JobError } from '@bindery/contract';
import { Space, type RevisionRecord, type SpaceRecord } from '@bindery/models';

/** A revision that is read for a book. */
export type BookContent = {
  revision: RevisionRecord;
  pages: PageTree[];
  /** Make the documents of computed pages, by their ids. */
  documents: ExpandedPages['documents'];
  /** The specifications that it may show. */
  specs: ReadableSpecs;
  /** Resolve the targets in its documents. */
  references: RevisionReferences & { appUrl: string; root: string };
  files: ReadonlyMap<string, FileItem>;
};

/** @throws JobError not_found when the space was deleted after the job was accepted */
export async function loadSpace(id: string): Promise<SpaceRecord> {
  const space = await Space.findOne({ _id: id, isDeleted: false }).lean<SpaceRecord>();
  if (!space) throw new JobError('not_found', 'The space has been deleted.');
  return space;
}

/** @throws JobError not_found when a sweep has removed the revision */
export async function openContent(
  space: SpaceRecord,
  { revision: id, appUrl, specs }: { revision: string; appUrl: string; specs: ReadableSpecs },
): Promise<BookContent> {
  const revision = await findRevision(space._id, id);
  if (!revision)
    throw new JobError('not_found', 'The revision is no longer stored.', {
      action: 'Ask for the PDF of the present revision.',
    });
  const [{ tree: pages }, references] = await Promise.all([
    loadPageIndex(revision.organization, revision.pages),
    loadReferenceContext(revision),
  ]);
  return {
    revision,
    specs,
    ...(await expandComputed(pages, { specs, organization: revision.organization })),
    references: { ...references, appUrl, root: contentRootOf(references.tree) },
    files: new Map(references.files.map((file) => [file.id, file])),
  };
}
