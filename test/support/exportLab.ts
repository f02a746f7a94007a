import { createHash } from 'node:crypto';
import { buildRevisionContent, createResolver, type FileItem, type PageTree } from '@bindery/content';
import { readSpaceContent } from '@bindery/dialect/repository-reader';
import { rewriteTargets, type ContentReference } from '@bindery/dialect/links';
import { splitFrontmatter, type PageSource } from '@bindery/dialect/frontmatter';
import { planExport, type ExportedContent, type ExportPlan } from '@bindery/content/export';
import { treeLookup } from '../../packages/content/src/export/placement/treeLookup.ts';
import { writeStableTarget } from '../../packages/dialect/src/links/stableTarget.ts';
import { memoryRepository } from './memoryRepository.ts';

/** A repository reduced to its files, by path. */
export type Repository = ReadonlyMap<string, Uint8Array>;

/** Imports and exports without stores: documents and files are kept here by hash, as in the stores. */
export function exportLab({ projectDirectory = '', occupied = [] as readonly string[] } = {}) {
  const documents = new Map<string, PageSource>();
  const blobs = new Map<string, Uint8Array>();
  /** The hashes of all documents requested by an export. */
  const asked: string[] = [];

  const keepDocument = (bytes: Uint8Array) => {
    const hash = sha256(bytes);
    documents.set(hash, splitFrontmatter(bytes));
    return hash;
  };
  const keepBlob = (bytes: Uint8Array) => {
    const hash = sha256(bytes);
    blobs.set(hash, bytes);
    return hash;
  };

  return {
    documents,
    blobs,
    asked,
    keepDocument,
    keepBlob,
    async read(files: Repository, previous?: ExportedContent): Promise<ExportedContent> {
      const repository = memoryRepository(files);
      const byOid = new Map(
        [...repository.entries.values()].map(({ oid, path }) => [oid, files.get(path) as Uint8Array]),
      );
      const imported = await readSpaceContent(repository, { projectDirectory });
      return buildRevisionContent(imported, {
        previous: previous
          ? {
              pages: [...previous.pages],
              files: [...previous.files],
              reusableContents: [...previous.reusableContents],
            }
          : { pages: [], files: [], reusableContents: [] },
        changedAt: '2026-01-01T00:00:00.000Z',
        textOf: (hashes) =>
          Promise.resolve(new Map(hashes.map((hash) => [hash, textOf(documents.get(hash))]))),
        blobs: {
          documentOf: (oid) => keepDocument(byOid.get(oid) as Uint8Array),
          fileOf: (oid) => {
            const bytes = byOid.get(oid) as Uint8Array;
            return {
              blob: keepBlob(bytes),
              sizeBytes: bytes.length,
              contentType: 'application/octet-stream',
            };
          },
        },
      });
    },
    plan(
      content: ExportedContent,
      files: Repository,
      synced?: ExportedContent,
      { isInSync = false } = {},
    ): Promise<ExportPlan> {
      const { entries, readBlobs } = memoryRepository(files);
      return planExport({
        content,
        ...(synced && { synced, isInSync }),
        target: { entries, occupied, projectDirectory, readBlobs },
        sources: {
          documents: (hashes) => {
            asked.push(...hashes);
            return Promise.resolve(new Map(hashes.map((hash) => [hash, documents.get(hash) as PageSource])));
          },
          fileOids: (hashes) =>
            Promise.resolve(new Map(hashes.map((hash) => [hash, gitBlobId(blobs.get(hash) as Uint8Array)]))),
        },
      });
    },
    /** Returns the repository after the export. */
    apply(plan: ExportPlan, files: Repository): Map<string, Uint8Array> {
      const byOid = new Map([...files.values()].map((bytes) => [gitBlobId(bytes), bytes]));
      const after = new Map(files);
      const bytesOf = (change: Exclude<ExportPlan['changes'][number], { kind: 'remove' }>) => {
        if (change.kind === 'text') return change.bytes;
        return change.kind === 'copy' ? byOid.get(change.oid) : blobs.get(change.blob);
      };
      for (const change of plan.changes) {
        if (change.kind === 'remove') after.delete(change.path);
        else {
          const bytes = bytesOf(change);
          if (!bytes || gitBlobId(bytes) !== change.oid)
            throw new Error(`${change.path} is not what its id says.`);
          after.set(change.path, bytes);
        }
      }
      return after;
    },
    /** Returns the content in sync after the export. */
    settle(content: ExportedContent, plan: ExportPlan): ExportedContent {
      for (const { document, bytes } of plan.rewritten.values())
        if (keepDocument(bytes) !== document) throw new Error('A document is not what its hash says.');
      return placed(content, plan);
    },
    /**
     * Returns a document with every target replaced with the id of its meaning, which does not depend on the
     * document's place.
     */
    meaningOf(
      content: ExportedContent,
      of: { page: PageTree } | { reusableContent: ExportedContent['reusableContents'][number] },
    ): string {
      const tree = treeLookup(content.pages);
      const item = 'page' in of ? of.page : of.reusableContent;
      const hash = 'document' in item ? item.document : undefined;
      if (hash === undefined) return '';
      const from = 'page' in of ? { page: tree.page(of.page.id)?.page } : of;
      const resolve = createResolver({
        organization: '',
        space: '',
        tree,
        files: content.files,
        reusableContents: content.reusableContents,
        from,
      });
      return rewriteTargets(textOf(documents.get(hash)), (target, use) => {
        const meaning = resolve(target, use);
        // A page without a file has no place in a repository.
        const isOfPage =
          meaning && (meaning.kind === 'page' || meaning.kind === 'anchor') && meaning.page !== undefined;
        if (isOfPage && !('document' in (tree.page(meaning.page as string)?.page ?? {})))
          return '/leads-nowhere';
        if (meaning) return isMeant(meaning) ? writeStableTarget(meaning) : undefined;
        return target.startsWith('#') ? undefined : '/leads-nowhere';
      });
    },
  };
}

/** Returns content with the places and documents of an export: the content in sync afterwards. */
function placed(content: ExportedContent, plan: ExportPlan): ExportedContent {
  const documentOf = (id: string) => {
    const rewritten = plan.rewritten.get(id);
    return rewritten && { document: rewritten.document };
  };
  const placedPage = (page: PageTree): PageTree => {
    if (!('pages' in page)) return page;
    const pages = page.pages.map(placedPage);
    const git = plan.pages.get(page.id);
    return page.type === 'document'
      ? { ...page, ...(git && { git }), ...documentOf(page.id), pages }
      : { ...page, pages };
  };
  return {
    ...content,
    pages: content.pages.map(placedPage),
    files: content.files.map((file): FileItem => ({
      ...file,
      git: plan.files.get(file.id) as { oid: string; path: string },
    })),
    reusableContents: content.reusableContents.map((item) => ({
      ...item,
      git: plan.reusableContents.get(item.id) as { oid: string; path: string },
      ...documentOf(item.id),
    })),
  };
}

function isMeant({ kind }: ContentReference): boolean {
  return kind !== 'url' && kind !== 'openapi';
}

function textOf(source: PageSource | undefined): string {
  return Buffer.from(source?.body ?? new Uint8Array()).toString('utf8');
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function gitBlobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
