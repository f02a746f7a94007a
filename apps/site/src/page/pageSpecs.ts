import { excerptsFor, findVersionsOf, specsNamedBy, type ReadableSpecs } from '@bindery/content';
import type { DocumentTree } from '@bindery/contract';
import { openapiBlocksIn } from '@bindery/dialect/openapi';
import { findSpecsOfVisitor, maxSpecNames } from '@bindery/publishing';
import type { RenderRequest } from '@bindery/render';
import type { SpecVersions } from '../answer/keptAnswers.ts';
import type { SitePlatform } from '../sitePlatform.ts';
import type { OpenVisit } from '../visit/openVisit.ts';

export type SpecReading = Pick<OpenVisit, 'visit' | 'visitor'> & { platform: SitePlatform };

/** The parts of specifications that a page shows. `isWhole`: false when one took too long to read. */
export type PageSpecs = { excerpts: RenderRequest['specs']; versions: SpecVersions; isWhole: boolean };

/**
 * Reads what the blocks of a page show of specifications, as far as the visitor may read them. Goes on when
 * the visitor leaves: others may wait for the same page, and it is kept for the next ones.
 */
export async function readPageSpecs(document: DocumentTree, reading: SpecReading): Promise<PageSpecs> {
  const blocks = openapiBlocksIn(document);
  if (blocks.length === 0) return { excerpts: new Map(), versions: new Map(), isWhole: true };
  const seen = await findSpecsSeen(specsNamedBy(blocks), reading);
  const specs = await openSpecs(seen, reading);
  const excerpts = await excerptsFor(blocks, specs);
  return {
    excerpts,
    versions: seen.versions,
    isWhole: specs.versions.keys().every((name) => excerpts.has(name)),
  };
}

/** The specifications that a visitor sees now, by their names, and their latest versions. */
export type SpecsSeen = { specs: Awaited<ReturnType<typeof findSpecsOfVisitor>>; versions: SpecVersions };

/** Finds those of the first 20 names. */
export async function findSpecsSeen(
  names: Iterable<string>,
  { visit, visitor, platform: { links } }: SpecReading,
): Promise<SpecsSeen> {
  const organization = visit.organization._id;
  const wanted = Array.from(names).slice(0, maxSpecNames);
  const specs = await findSpecsOfVisitor(wanted, { links, organization, visitor });
  const versionOf = (name: string) => (specs.has(name) ? (specs.get(name)?.lastVersion ?? '') : undefined);
  return { specs, versions: new Map(wanted.map((name) => [name, versionOf(name)])) };
}

/** Those of some specifications that have these names. */
export function seenAmong(names: readonly string[], { specs, versions }: SpecsSeen): SpecsSeen {
  const named = new Set(names);
  return {
    specs: new Map(specs.entries().filter(([name]) => named.has(name))),
    versions: new Map(versions.entries().filter(([name]) => named.has(name))),
  };
}

/** Opens the latest versions of these specifications. */
export async function openSpecs(
  { specs }: SpecsSeen,
  { visit, platform }: SpecReading,
): Promise<ReadableSpecs> {
  return { versions: await findVersionsOf(specs, visit.organization._id), blobs: platform.blobs };
}
