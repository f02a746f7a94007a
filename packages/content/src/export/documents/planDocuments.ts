import { JobError } from '@bindery/contract/jobErrors';
import { scanPage } from '@bindery/dialect/repository-format';
import type { DocumentPage, GitLocation, ReusableContentItem } from '../../store/items.ts';
import { canonical, sha256 } from '../../store/hash.ts';
import { bytesOf, writeDocument } from './documentWriter.ts';
import { gitBlobId } from './gitBlobId.ts';
import type { LinkWriter, TargetSource } from './linkWriter.ts';
import type { Moves } from '../placement/moves.ts';
import type { SourceLayout } from '../placement/sourceLayout.ts';
import type { Placement } from '../placement/placeContent.ts';
import type { TargetLayout } from '../readTarget.ts';
import type { ExportSources, RewrittenDocument } from '../types.ts';

/** Number of documents in memory at a time, before they are written. */
const perLoad = 200;
/** Limit for all text that an export writes. */
const maxTextBytes = 512 * 1024 * 1024;

export type PlannedDocuments = {
  pages: Map<string, GitLocation>;
  reusableContents: Map<string, GitLocation>;
  /** The files by path that differ from the repository. */
  texts: Map<string, { oid: string; bytes: Uint8Array }>;
  /** Documents that their files state differently. */
  rewritten: Map<string, RewrittenDocument>;
  /** Whether the file of a page has its title as heading; only for pages that `asks` selects. */
  headings: Map<string, boolean>;
};

type Item = { of: TargetSource; id: string; document: string; path: string; settled?: GitLocation };

/**
 * Determines the files of all pages and reusable contents after the export. Loads only documents that differ
 * from the repository, or may differ.
 *
 * @param asks  selects pages whose files must be read for their titles
 */
export async function planDocuments(
  now: SourceLayout,
  {
    before,
    placement,
    target,
    moves,
    links,
    sources,
    asks,
  }: {
    before: SourceLayout | undefined;
    placement: Placement;
    target: TargetLayout;
    moves: Moves;
    links: LinkWriter;
    sources: ExportSources;
    asks: (page: DocumentPage) => boolean;
  },
): Promise<PlannedDocuments> {
  const plan: PlannedDocuments = {
    pages: new Map(),
    reusableContents: new Map(),
    texts: new Map(),
    rewritten: new Map(),
    headings: new Map(),
  };
  const placesOf = ({ of }: Item) => ('page' in of ? plan.pages : plan.reusableContents);
  const waiting: Item[] = [];
  for (const item of itemsOf(now, before, { placement, target })) {
    if (item.settled && !moves.any) {
      placesOf(item).set(item.id, item.settled);
      if (!('page' in item.of && asks(item.of.page))) continue;
    }
    waiting.push(item);
  }

  let textBytes = 0;
  for (let start = 0; start < waiting.length; start += perLoad) {
    const batch = waiting.slice(start, start + perLoad);
    const documents = await sources.documents([...new Set(batch.map(({ document }) => document))]);
    for (const item of batch) {
      const source = documents.get(item.document);
      if (!source) throw new Error(`The document ${item.document} is missing.`);
      const { of, id, path } = item;
      if ('page' in of && asks(of.page))
        plan.headings.set(id, scanPage(bytesOf(source)).h1 === of.page.title);
      if (placesOf(item).has(id)) continue;
      if (item.settled && !moves.mayConcern(source.body)) {
        placesOf(item).set(id, item.settled);
        continue;
      }
      const own = bytesOf(source);
      const ownOid = gitBlobId(own);
      const standing = target.entries.get(path)?.oid;
      // The repository has the same bytes, and no target of the document can have moved.
      const isAsInRepository = !moves.any && 'page' in of && standing === ownOid;
      const bytes = isAsInRepository ? own : writeDocument(source, { of, path, links });
      const oid = isAsInRepository ? ownOid : gitBlobId(bytes);
      placesOf(item).set(id, { oid, path });
      if (oid !== ownOid) plan.rewritten.set(id, { document: sha256(bytes), bytes });
      if (oid === standing) continue;
      plan.texts.set(path, { oid, bytes });
      textBytes += bytes.length;
      if (textBytes > maxTextBytes) throw tooMuchText();
    }
  }
  return plan;
}

function* itemsOf(
  now: SourceLayout,
  before: SourceLayout | undefined,
  { placement, target }: { placement: Placement; target: TargetLayout },
): Iterable<Item> {
  const settled = (path: string, git: GitLocation | undefined) =>
    git?.path === path && target.entries.get(path)?.oid === git.oid && { settled: { oid: git.oid, path } };
  for (const page of now.written) {
    const path = placement.pages.get(page.id) as string;
    const found = before?.tree.page(page.id)?.page;
    const isSame =
      found?.type === 'document' &&
      found.document === page.document &&
      canonical(found.cover ?? {}) === canonical(page.cover ?? {});
    yield {
      of: { page },
      id: page.id,
      document: page.document as string,
      path,
      ...(isSame && settled(path, found.git)),
    };
  }
  const contents = new Map(
    before?.content.reusableContents.map((content): [string, ReusableContentItem] => [content.id, content]),
  );
  for (const reusableContent of now.content.reusableContents) {
    const { id, document, title } = reusableContent;
    const path = placement.reusableContents.get(id) as string;
    const found = contents.get(id);
    const isSame = found !== undefined && found.document === document && found.title === title;
    yield { of: { reusableContent }, id, document, path, ...(isSame && settled(path, found.git)) };
  }
}

function tooMuchText(): JobError {
  return new JobError('limit', `The export would write more than ${maxTextBytes / 1024 / 1024} MB of text.`, {
    action: 'Split the content into several spaces.',
  });
}
