import { rereadPage } from '@bindery/dialect/repository-reader';
import { scanPage, type NamedFile, type PageFacts, type PageFields } from '@bindery/dialect/repository-format';

import { findChangedFiles } from '../git/objects/changedFiles.ts';
import type { CommitObjects } from '../git/objects/commitObjects.ts';
import { keepTrees, openKeptTrees } from '../git/objects/keptTrees.ts';
import { asLines, findLine } from './lines.ts';
import type { ObjectStore } from '../git/objects/objectStore.ts';
import { factsOfLine } from './pageLine.ts';
import type { KnownBlobs, LastReading } from './repositoryReading.ts';

/** With more changes than these, looking each of them up costs more than reading everything. */
const maxChanges = 200;

export type Reread = { pages: PageFields[]; facts: [oid: string, facts: PageFacts][]; last: LastReading };

/**
 * Reads a repository that holds the same files as at the last reading: only the folders and the pages that changed.
 *
 * @param folder.treeOid  of the folder that is read, `folder.path` with a slash at its end unless it is the root
 * @returns undefined when more than texts of pages changed: then everything has to be read
 * @throws JobError as reading everything does
 */
export async function rereadPages(
  { store, objects, folder, maxPageBytes }: { store: ObjectStore; objects: CommitObjects; folder: Folder; maxPageBytes: number },
  known: KnownBlobs,
): Promise<Reread | undefined> {
  if (!known.last) return undefined;
  const roots = { before: known.last.treeOid, after: folder.treeOid, folder: folder.path };
  const changes = findChangedFiles({ before: openKeptTrees(known.last.trees), after: store }, roots);
  if (!changes || changes.files.length > maxChanges) return undefined;
  // A text that stood in another of these files may have moved there with its page, as when two files change places.
  const texts = new Set(changes.files.map(({ before }) => before));
  if (changes.files.some(({ after }) => texts.has(after))) return undefined;

  const outline = asLines(known.last.outline);
  const knownPages = asLines(known.pages);
  const pages: { file: NamedFile; before: PageFacts }[] = [];
  for (const { path, before, after } of changes.files) {
    const place = findLine(outline, JSON.stringify(path));
    // Nothing that the space is made of.
    if (place === undefined) continue;
    const named = JSON.parse(place) as Pick<NamedFile, 'label' | 'linkTitle'> | null;
    const line = findLine(knownPages, before);
    if (!named || line === undefined) return undefined;
    pages.push({ file: { ...named, path, oid: after }, before: factsOfLine(line) });
  }

  const oids = new Set(pages.map(({ file }) => file.oid));
  await objects.fetchBlobs(oids);
  const facts = new Map<string, PageFacts>();
  for (const oid of oids) {
    const blob = store.find(oid)!;
    if (blob.size > maxPageBytes) return undefined;
    facts.set(oid, scanPage(store.read(blob)));
  }
  const reread = pages.flatMap(({ file, before }) => rereadPage(file, { before, after: facts.get(file.oid)! }) ?? []);
  if (reread.length < pages.length) return undefined;
  return {
    pages: reread,
    facts: [...facts],
    last: { treeOid: folder.treeOid, trees: keepTrees(store, changes.newTrees), outline: Buffer.alloc(0) },
  };
}

type Folder = { treeOid: string; path: string };
