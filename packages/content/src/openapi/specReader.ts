import type { DocumentBlock, DocumentTree } from '@bindery/contract';
import {
  namedBlock,
  openapiBlocksIn,
  replaceOpenapiBlocks,
  type OpenapiBlock,
  type Part,
  type SpecificationOutline,
} from '@bindery/dialect/openapi';
import type { BlobStore } from '@bindery/storage';
import { LRUCache } from 'lru-cache';
import { runOnThread } from '../parser-threads/parserThreads.ts';
import { takeTurns } from '../takeTurns.ts';
import type { SpecToRead } from './readOnThread.ts';
import { loadSpecBytes } from './specBytes.ts';
import type { SpecVersion } from './specVersions.ts';

/** The versions that a reader may see, by the names that content has for them. */
export type ReadableSpecs = { versions: ReadonlyMap<string, SpecVersion>; blobs: BlobStore };

/** A page with more blocks is a specification of its own; the others are named only. */
const maxBlocks = 1_000;
/** Length of the JSON of all excerpts for a page, and what each may have: the largest real operation's. */
const excerptCharacters = { all: 4_000_000, each: 200_000 };

/** Keyed by the id of the version. */
const outlines = new LRUCache<string, SpecificationOutline>({
  maxSize: 200_000,
  sizeCalculation: ({ operations, tags, schemas, info }) =>
    10 + operations.length + schemas.length + Math.ceil(JSON.stringify([tags, info]).length / 200),
});

/**
 * Loads the outline of a version: its tags, operations, webhooks and schemas.
 *
 * @returns undefined when that took too long or too much memory
 */
export async function loadSpecOutline(
  version: SpecVersion,
  blobs: BlobStore,
): Promise<SpecificationOutline | undefined> {
  const known = outlines.get(version.id);
  if (known) return known;
  const spec = await loadForThread(version, blobs);
  const read = await runOnThread('readOutline', spec, loadOf(version, spec));
  if (!read) return undefined;
  const turn = takeTurns();
  const operations: SpecificationOutline['operations'] = [];
  for (const piece of read.operations) {
    operations.push(...(JSON.parse(piece) as SpecificationOutline['operations']));
    await turn();
  }
  const outline = { ...read, operations };
  outlines.set(version.id, outline);
  return outline;
}

/**
 * Replaces the OpenAPI blocks of a document by their descriptions in paragraphs and lists. A block without a
 * readable description becomes its method and path.
 */
export async function describeOpenapiBlocks(tree: DocumentTree, specs: ReadableSpecs): Promise<DocumentTree> {
  const blocks = openapiBlocksIn(tree).slice(0, maxBlocks);
  if (blocks.length === 0) return tree;
  const described = new Map<string, DocumentBlock[]>();
  for (const [version, ofVersion] of byVersion(blocks, specs)) {
    const spec = await loadForThread(version, specs.blobs);
    const found = await runOnThread('describeBlocks', { spec, blocks: ofVersion }, loadOf(version, spec));
    for (const [index, block] of ofVersion.entries()) {
      const nodes = found?.[index];
      if (nodes) described.set(keyOf(block), nodes);
    }
  }
  return replaceOpenapiBlocks(tree, (block) => described.get(keyOf(block)) ?? namedBlock(block));
}

/**
 * Takes the parts of specifications that blocks show, by the name of the specification.
 *
 * @param signal  aborts between two specifications
 */
export async function excerptsFor(
  blocks: readonly OpenapiBlock[],
  specs: ReadableSpecs,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Map<string, Part>> {
  const excerpts = new Map<string, Part>();
  const named = byVersion(blocks.slice(0, maxBlocks), specs);
  const room = Math.max(excerptCharacters.each, Math.floor(excerptCharacters.all / named.size));
  for (const [version, ofVersion] of named) {
    signal?.throwIfAborted();
    const spec = await loadForThread(version, specs.blobs);
    const input = { spec, blocks: ofVersion, room };
    const excerpt = await runOnThread('readExcerpt', input, loadOf(version, spec));
    for (const name of new Set(ofVersion.map(nameOfSpec))) if (excerpt) excerpts.set(name, excerpt);
  }
  return excerpts;
}

/** The slugs or ids of the specifications that a document shows, as far as its blocks are read. */
export function specsShownIn(tree: DocumentTree): Set<string> {
  return specsNamedBy(openapiBlocksIn(tree));
}

/** The slugs or ids of the specifications that blocks name, as far as they are read. */
export function specsNamedBy(blocks: readonly OpenapiBlock[]): Set<string> {
  return new Set(blocks.slice(0, maxBlocks).map(nameOfSpec));
}

function byVersion(
  blocks: readonly OpenapiBlock[],
  { versions }: ReadableSpecs,
): Map<SpecVersion, OpenapiBlock[]> {
  const found = new Map<SpecVersion, OpenapiBlock[]>();
  for (const block of blocks) {
    const version = versions.get(nameOfSpec(block));
    if (version) found.set(version, [...(found.get(version) ?? []), block]);
  }
  return found;
}

function nameOfSpec({ data }: OpenapiBlock): string {
  const { spec } = (data['ref'] ?? {}) as { spec?: unknown };
  return typeof spec === 'string' ? spec : '';
}

function keyOf({ type, data }: OpenapiBlock): string {
  return JSON.stringify([type, data]);
}

async function loadForThread(version: SpecVersion, blobs: BlobStore): Promise<SpecToRead> {
  const { organization, blob } = version;
  return { key: `${organization}:${blob}`, bytes: await loadSpecBytes(version, blobs) };
}

function loadOf({ organization }: SpecVersion, { bytes }: SpecToRead) {
  return { organization, characters: bytes.byteLength };
}
