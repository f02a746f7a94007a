import {
  contentOfNode,
  contentOfRecord,
  contentRoots,
  createHashSet,
  type ContentKind,
} from '@bindery/content';
import { decodeRecord } from '@bindery/models';
import { recordCollections } from './collections.ts';
import { partOf, type Manifest } from './manifest.ts';
import { readPart } from './part.ts';

/** The parts written so far, in their folder. */
export type Parts = { folder: string; parts: Manifest['parts'] };

/** Content that the backup names, by its key: `<organization>:<hash>`. */
export type NamedContent = { kind: ContentKind; key: string; mayBeGone: boolean };

const collectionsOf = (isOptional: boolean) =>
  recordCollections.filter((name) =>
    contentRoots.some(({ collection, mayBeGone = false }) => collection === name && mayBeGone === isOptional),
  );
const rootCollections = { needed: collectionsOf(false), optional: collectionsOf(true) };

/**
 * Yields the roots of content from the records of a backup: `needed` ones must be stored, `optional` ones may
 * be gone.
 */
export async function* rootsOf(
  backup: Parts,
  which: 'needed' | 'optional',
): AsyncGenerator<Omit<NamedContent, 'mayBeGone'>> {
  const owners = {
    space: await organizationsOf(backup, 'spaces'),
    spec: await organizationsOf(backup, 'openapiSpecs'),
  };
  for (const collection of rootCollections[which]) {
    const { of } = contentRoots.find((root) => root.collection === collection) ?? { of: 'organization' };
    for await (const record of recordsOf(backup, collection)) {
      const organization =
        of === 'organization' ? textIn(record, 'organization') : owners[of].get(textIn(record, of) ?? '');
      // Its space or specification was being removed: a sweep does not follow it either.
      if (organization === undefined) continue;
      for (const { kind, name } of contentOfRecord(collection, { record, organization }))
        yield { kind, key: `${organization}:${name}` };
    }
  }
}

/**
 * Yields the documents, or the files, that the records and nodes of a backup name; some several times. Those
 * that may be gone come last, since others may need them.
 */
export async function* leavesOf(backup: Parts, wanted: 'document' | 'blob'): AsyncGenerator<NamedContent> {
  const [needed, optional] = [createHashSet(), createHashSet()];
  for await (const { kind, key } of rootsOf(backup, 'needed')) {
    if (kind === 'node') needed.add(key);
    else if (kind === wanted) yield { kind, key, mayBeGone: false };
  }
  for await (const { kind, key } of rootsOf(backup, 'optional')) if (kind === 'node') optional.add(key);
  for await (const { key, names } of nodesOf(backup)) {
    const mayBeGone = !needed.has(key);
    if (mayBeGone && !optional.has(key)) continue;
    for (const below of names) {
      if (below.kind === 'node') (mayBeGone ? optional : needed).add(below.key);
      else if (below.kind === wanted) yield { ...below, mayBeGone };
    }
  }
  if (wanted === 'document') return;
  for await (const { kind, key } of rootsOf(backup, 'optional'))
    if (kind === wanted) yield { kind, key, mayBeGone: true };
}

/** Counts the nodes that must be in a backup and are not. */
export async function countMissingNodes(backup: Parts): Promise<number> {
  const [needed, found] = [createHashSet(), createHashSet()];
  for await (const { kind, key } of rootsOf(backup, 'needed')) if (kind === 'node') needed.add(key);
  for await (const { key, names } of nodesOf(backup)) {
    if (!needed.has(key)) continue;
    found.add(key);
    for (const below of names) if (below.kind === 'node') needed.add(below.key);
  }
  return needed.size - found.size;
}

/** Yields the nodes of a backup, each after one that names it; needed ones before those that may be gone. */
async function* nodesOf(
  backup: Parts,
): AsyncGenerator<{ key: string; names: Omit<NamedContent, 'mayBeGone'>[] }> {
  for await (const record of recordsOf(backup, 'nodes')) yield readNode(record);
}

/** @param record  of the collection `nodes` */
export function readNode({ _id, items }: Record<string, unknown>): {
  key: string;
  names: Omit<NamedContent, 'mayBeGone'>[];
} {
  const key = String(_id);
  const organization = organizationIn(key);
  return {
    key,
    names: contentOfNode(items).map(({ kind, name }) => ({ kind, key: `${organization}:${name}` })),
  };
}

/** Yields the records of a collection of a backup; none if it was written before the collection existed. */
export async function* recordsOf(
  { folder, parts }: Parts,
  collection: string,
): AsyncGenerator<Record<string, unknown>> {
  const part = partOf({ parts }, collection);
  if (!part) return;
  for await (const bytes of readPart(folder, part)) yield decodeRecord(bytes);
}

function organizationIn(key: string): string {
  return key.slice(0, key.indexOf(':'));
}

async function organizationsOf(
  backup: Parts,
  collection: 'spaces' | 'openapiSpecs',
): Promise<Map<string, string>> {
  const organizations = new Map<string, string>();
  for await (const record of recordsOf(backup, collection))
    organizations.set(String(record['_id']), String(record['organization']));
  return organizations;
}

function textIn(record: Record<string, unknown>, field: string): string | undefined {
  const value = record[field];
  return typeof value === 'string' ? value : undefined;
}
