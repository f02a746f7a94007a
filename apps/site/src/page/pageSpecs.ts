import { excerptsFor, specsShownIn, type SpecVersion } from '@bindery/content';
import type { DocumentTree } from '@bindery/contract';
import { findVersionsOfVisitor } from '@bindery/publishing';
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
  const { versions, text } = await findSpecsSeen(names, reading);
  const excerpts = await excerptsFor(document, { versions, blobs: reading.platform.blobs });
  return {
    excerpts,
    shown: { names, versions: text },
    isWhole: versions.keys().every((name) => excerpts.has(name)),
  };
}

/** Finds the versions of specifications that a visitor sees now. `text` is equal for equal versions. */
export async function findSpecsSeen(
  names: readonly string[],
  { visit, visitor, platform: { links } }: SpecReading,
): Promise<{ versions: ReadonlyMap<string, SpecVersion>; text: string }> {
  const organization = visit.organization._id;
  const versions = await findVersionsOfVisitor(names, { links, organization, visitor });
  return { versions, text: JSON.stringify(Array.from(versions, ([name, { id }]) => [name, id])) };
}
