import { excerptsFor, specsShownIn, type SpecVersion } from '@bindery/content';
import type { DocumentTree } from '@bindery/contract';
import { findVersionsOfVisitor } from '@bindery/publishing';
import type { RenderRequest } from '@bindery/render';
import type { SpecsShown } from '../answer/keptAnswers.ts';
import type { SitePlatform } from '../sitePlatform.ts';
import type { OpenVisit } from '../visit/openVisit.ts';

type Reading = Pick<OpenVisit, 'visit' | 'visitor'> & { platform: SitePlatform };

/** The parts of specifications that a page shows. `isWhole`: false when one took too long to read. */
export type PageSpecs = { excerpts: RenderRequest['specs']; shown: SpecsShown | undefined; isWhole: boolean };

/** Reads what the blocks of a page show of specifications, as far as the visitor may read them. */
export async function readPageSpecs(document: DocumentTree, reading: Reading): Promise<PageSpecs> {
  const names = [...specsShownIn(document)];
  if (names.length === 0) return { excerpts: new Map(), shown: undefined, isWhole: true };
  const versions = await findVersions(names, reading);
  const excerpts = await excerptsFor(document, { versions, blobs: reading.platform.blobs });
  return {
    excerpts,
    shown: { names, versions: textOf(versions) },
    isWhole: versions.keys().every((name) => excerpts.has(name)),
  };
}

/** Describes the versions of specifications that a visitor sees now. */
export async function versionsSeen(names: readonly string[], reading: Reading): Promise<string> {
  return textOf(await findVersions(names, reading));
}

async function findVersions(names: readonly string[], { visit, visitor, platform: { links } }: Reading) {
  return findVersionsOfVisitor(names, { links, organization: visit.organization._id, visitor });
}

function textOf(versions: ReadonlyMap<string, SpecVersion>): string {
  return JSON.stringify(Array.from(versions, ([name, { id }]) => [name, id]));
}
