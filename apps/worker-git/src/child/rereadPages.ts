import { rereadPage } from '@bindery/dialect/repository-reader';
import {
  scanPage,
  type NamedFile,
  type PageFacts,
  type PageFields,
} from '@bindery/dialect/repository-format';

import { findChangedFiles } from '../git/objects/changedFiles.ts';
import type { CommitObjects } from '../git/objects/commitObjects.ts';
import { keepTrees, openKeptTrees } from '../git/objects/keptTrees.ts';
import { asLines, findLine } from './lines.ts';
import type { ObjectStore } from '../git/objects/objectStore.ts';
import { factsOfLine } from './pageLine.ts';
import type { KnownBlobs, LastReading } from './repositoryReading.ts';

/** Beyond this number of changes, a full reading is cheaper than looking up each of them. */
const maxChanges = 200;

export type Reread = { pages: PageFields[]; facts: [oid: string, facts: PageFacts][]; last: LastReading };

/**
 * Rereads a repository with the same files as in the last reading: only the changed folders and pages.
 *
 * @param folder.treeOid  of the folder that is read; `folder.path` has a slash at its end except for the root
 * @returns undefined when more than texts of pages changed: then a full reading is needed
 * @throws JobError as a full reading does
 */
export async function rereadPages(
  {
    store,
    objects,
    folder,
    maxPageBytes,
  }: { store: ObjectStore; objects: CommitObjects; folder: Folder; maxPageBytes: number },
  known: KnownBlobs,
): Promise<Reread | undefined> {
  if (!known.last) return undefined;
  const roots = { before: known.last.treeOid, after: folder.treeOid, folder: folder.path };
  const changes = findChangedFiles({ before: openKeptTrees(known.last.trees), after: store }, roots);
  if (!changes || changes.files.length > maxChanges) return undefined;
  // A text that was in another of these files may have moved with its page, as when two files are swapped.
  const texts = new Set(changes.files.map(({ before }) => before));
  if (changes.files.some(({ after }) => texts.has(after))) return undefined;

  const outline = asLines(known.last.outline);
  const knownPages = asLines(known.pages);
  const pages: { file: NamedFile; before: PageFacts }[] = [];
  for (const { path, before, after } of changes.files) {
    const place = findLine(outline, JSON.stringify(path));
    // Not part of the space.
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
  const reread = pages.flatMap(
    ({ file, before }) => rereadPage(file, { before, after: facts.get(file.oid)! }) ?? [],
  );
  if (reread.length < pages.length) return undefined;
  return {
    pages: reread,
    facts: [...facts],
    last: { treeOid: folder.treeOid, trees: keepTrees(store, changes.newTrees), outline: Buffer.alloc(0) },
  };
}

type Folder = { treeOid: string; path: string };
