import { excerptsFor, findVersionsOf, specsShownIn, type ReadableSpecs } from '@bindery/content';
import type { DocumentTree } from '@bindery/contract';
import { findSpecsOfVisitor } from '@bindery/publishing';
import type { RenderRequest } from '@bindery/render';
import type { SpecsShown } from '../answer/keptAnswers.ts';
import type { SitePlatform } from '../sitePlatform.ts';
import type { OpenVisit } from '../visit/openVisit.ts';

export type SpecReading = Pick<OpenVisit, 'visit' | 'visitor'> & { platform: SitePlatform };

/** The parts of specifications that a page shows. `isWhole`: false when one took too long to read. */
export type PageSpecs = { excerpts: RenderRequest['specs']; shown: SpecsShown | undefined; isWhole: boolean };

/** Reads what the blocks of a page show of specifications, as far as the visitor may read them. */
export async function readPageSpecs(document: DocumentTree, reading: SpecReading): Promise<PageSpecs> {
  const names = [...specsShownIn(document)];
  if (names.length === 0) return { excerpts: new Map(), shown: undefined, isWhole: true };
  const seen = await findSpecsSeen(names, reading);
  const specs = await openSpecs(seen, reading);
  const excerpts = await excerptsFor(document, specs);
  return {
    excerpts,
    shown: { names, versions: seen.text },
    isWhole: specs.versions.keys().every((name) => excerpts.has(name)),
  };
}

/** The specifications that a visitor sees now, by their names. `text` is equal for equal latest versions. */
export type SpecsSeen = { specs: Awaited<ReturnType<typeof findSpecsOfVisitor>>; text: string };

export async function findSpecsSeen(
  names: readonly string[],
  { visit, visitor, platform: { links } }: SpecReading,
): Promise<SpecsSeen> {
  const organization = visit.organization._id;
  const specs = await findSpecsOfVisitor(names, { links, organization, visitor });
  return { specs, text: JSON.stringify(Array.from(specs, ([name, { lastVersion }]) => [name, lastVersion])) };
}

/** Opens the latest versions of these specifications. */
export async function openSpecs(
  { specs }: SpecsSeen,
  { visit, platform }: SpecReading,
): Promise<ReadableSpecs> {
  return { versions: await findVersionsOf(specs, visit.organization._id), blobs: platform.blobs };
}
