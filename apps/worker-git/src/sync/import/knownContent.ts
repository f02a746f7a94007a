import { keepDocuments, type RevisionContent } from '@bindery/content';
import { JobError } from '@bindery/contract';
import { GitRepository } from '@bindery/models';
import { blobKey, type BlobStore } from '@bindery/storage';
import type { WholeReading } from '../../child/repositoryReading.ts';

/**
 * Checks that the content which an import took from its repository's record is still stored: the record is a
 * cache, and content named only by a cache is removed after a while. Content that the space shows needs no
 * check.
 *
 * @param key  of the record
 * @throws JobError transient when content is missing: the record is deleted, so that the next attempt reads
 *   the whole repository
 */
export async function requireKnown(
  { previous, content }: { previous: RevisionContent; content: RevisionContent },
  {
    key,
    organization,
    reading,
    blobs,
  }: { key: string; organization: string; reading: Pick<WholeReading, 'spool'>; blobs: BlobStore },
): Promise<void> {
  const safe = new Set([...reading.spool.blobs.values()].map(({ sha256 }) => sha256));
  const shown = hashesIn(previous);
  const isTaken = (had: ReadonlySet<string>) => (hash: string) => !had.has(hash) && !safe.has(hash);
  const taken = hashesIn(content);
  const documents = [...taken.documents].filter(isTaken(shown.documents));
  const files = [...taken.files].filter(isTaken(shown.files)).map((hash) => blobKey(organization, hash));
  const [keptDocuments, keptFiles] = await Promise.all([
    keepDocuments(organization, documents),
    blobs.findStored(files),
  ]);
  if (keptDocuments.size === documents.length && keptFiles.size === files.length) return;
  await GitRepository.deleteOne({ _id: key });
  throw new JobError(
    'internal',
    'The content of the last import is no longer stored; the import starts over and reads the whole repository.',
    {
      class: 'transient',
    },
  );
}

function hashesIn({ pages, files, reusableContents }: RevisionContent): {
  documents: Set<string>;
  files: Set<string>;
} {
  const documents = new Set(reusableContents.map(({ document }) => document));
  const visit = (list: RevisionContent['pages']) => {
    for (const page of list) {
      if (page.type === 'document' && page.document !== undefined) documents.add(page.document);
      if ('pages' in page) visit(page.pages);
    }
  };
  visit(pages);
  return { documents, files: new Set(files.map(({ blob }) => blob)) };
}
