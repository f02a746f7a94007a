import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { blobKey, type BlobStore } from '@bindery/storage';
import { rewriteTargets, writeStableTarget, type ContentReference } from '@bindery/dialect/links';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import { eachDraft, type Draft } from '../import/draft.ts';
import { gatherContent } from '../import/gatherContent.ts';
import { placePage, uniqueSlugs, type NewContent } from '../import/newPage.ts';
import { readFolder } from '../import/readFolder.ts';
import type { Spool } from '../import/spool.ts';
import { emptyContent } from '../store/createSpace.ts';
import { storeDocuments } from '../store/documents.ts';
import { sha256 } from '../store/hash.ts';
import type { RevisionContent } from '../store/revisions.ts';
import type { TemplateId } from './templates.ts';

/** The targets of a template's placeholders, by name. */
export type TemplateReferences = Readonly<Record<string, ContentReference>>;

type Place = { organization: string; blobs: BlobStore };

/**
 * Builds the pages and files of a template, with new ids; stores their content.
 *
 * A link to `ref:<name>` is a placeholder: it gets the reference of that name, or is reduced to its text
 * without one. A page computed from a placeholder's specification is omitted without one.
 */
export async function buildTemplate(
  id: TemplateId,
  { organization, blobs }: Place,
  references: TemplateReferences = {},
): Promise<NewContent> {
  const { drafts, files, includes } = await readFolder(
    await filesOf(fileURLToPath(new URL(`${id}/`, import.meta.url))),
  );
  const spool = memorySpool();
  const gathered = await gatherContent(
    { drafts: fill(drafts, new Map(Object.entries(references))), files, includes },
    spool,
  );
  await storeDocuments(
    organization,
    gathered.documents.map(({ hash }) => ({ hash, source: splitFrontmatter(spool.bytesOf(hash)) })),
  );
  const stored = await blobs.findStored(gathered.files.map(({ hash }) => blobKey(organization, hash)));
  for (const { hash } of gathered.files) {
    const key = blobKey(organization, hash);
    if (!stored.has(key)) await blobs.put(key, Readable.from([spool.bytesOf(hash)]));
  }
  const items = gathered.files.map(({ id: file, name, contentType, hash, length }) => ({
    id: file,
    name,
    contentType,
    sizeBytes: length,
    blob: hash,
  }));
  return { pages: gathered.pages, files: items, reusableContents: gathered.reusableContents };
}

/** Builds a template as the whole content of a new space, whose first page is its landing page. */
export async function buildTemplateSpace(
  id: TemplateId,
  place: Place,
  references?: TemplateReferences,
): Promise<RevisionContent> {
  const { pages, files, reusableContents } = await buildTemplate(id, place, references);
  const slugOf = uniqueSlugs();
  const time = new Date().toISOString();
  return {
    ...emptyContent,
    pages: pages.map((page) => placePage(page, { path: '', slugOf, time }, false)),
    files,
    reusableContents,
  };
}

/** Reads every file of a folder, by its path in the folder. */
async function filesOf(folder: string): Promise<Map<string, Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, Uint8Array>();
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(folder.length), await readFile(path));
  }
  return files;
}

const placeholder = /^ref[:-](.+)$/;

function fill(drafts: readonly Draft[], references: ReadonlyMap<string, ContentReference>): Draft[] {
  const referenceOf = (target: string) => {
    const [, name] = placeholder.exec(target) ?? [];
    return name === undefined ? undefined : { reference: references.get(name) };
  };
  for (const draft of eachDraft(drafts)) {
    if (draft.kind !== 'page' || draft.markdown === undefined) continue;
    draft.markdown = rewriteTargets(draft.markdown, (target) => {
      const found = target.startsWith('ref:') ? referenceOf(target) : undefined;
      return found && (found.reference ? writeStableTarget(found.reference) : null);
    });
  }
  const keep = (list: readonly Draft[]): Draft[] =>
    list.flatMap((draft): Draft[] => {
      if (draft.kind === 'computed' && draft.computed.type === 'builtin:openapi') {
        const found = referenceOf(draft.computed.dependencies.spec.ref.spec);
        if (!found) return [draft];
        if (found.reference?.kind !== 'openapi') return [];
        const { spec } = found.reference;
        return [
          {
            ...draft,
            title: spec,
            computed: { ...draft.computed, dependencies: { spec: { ref: { kind: 'openapi', spec } } } },
          },
        ];
      }
      return ['pages' in draft ? { ...draft, pages: keep(draft.pages) } : draft];
    });
  return keep(drafts);
}

function memorySpool(): Spool & { bytesOf(hash: string): Uint8Array } {
  const kept = new Map<string, Uint8Array>();
  return {
    add: (bytes) => {
      const hash = sha256(bytes);
      kept.set(hash, bytes);
      return { hash, offset: 0, length: bytes.length };
    },
    bytesOf: (hash) => kept.get(hash) as Uint8Array,
    close: () => {},
  };
}
