import {
  loadFiles,
  loadReusableContents,
  loadRevisionLinks,
  shownTargets,
  type FileItem,
  type ReusableContentItem,
  type ShownTargets,
} from '@bindery/content';
import type { RevisionRecord } from '@bindery/models';
import { LRUCache } from 'lru-cache';
import type { Reader, Visitor } from '../../../http/actor.ts';
import { thePlatform } from '../../../platform.ts';
import { withinTime } from '../../../records/withinTime.ts';
import { variablesOf } from '../document/documentVariables.ts';
import { loadShownPages } from './shownPages.ts';

/** The files and reusable contents of a revision, as far as somebody may know of them. */
export type ShownContent = { files: readonly FileItem[]; reusableContents: readonly ReusableContentItem[] };

/** By revision and claims. */
const targets = new LRUCache<string, ShownTargets>({
  maxSize: 500_000,
  sizeCalculation: ({ files, reusableContents, specs }) => 10 + files.size + reusableContents.size + specs.size,
});

/** Members see all of it; visitors what the pages that they see refer to, in blocks whose conditions they meet. */
export async function loadShownContent(revision: RevisionRecord, { visitor }: Reader): Promise<ShownContent> {
  const [files, reusableContents] = await Promise.all([loadFiles(revision), loadReusableContents(revision)]);
  if (!visitor || files.length + reusableContents.length === 0) return { files, reusableContents };
  const shown = await loadShownTargets(revision, visitor);
  return {
    files: files.filter(({ id }) => shown.files.has(id)),
    reusableContents: reusableContents.filter(({ id }) => shown.reusableContents.has(id)),
  };
}

/** What the pages that a visitor sees refer to. */
export async function loadShownTargets(revision: RevisionRecord, visitor: Visitor): Promise<ShownTargets> {
  const key = `${revision._id} ${revision.organization} ${JSON.stringify(visitor.claims)}`;
  const known = targets.get(key);
  if (known) return known;
  const { appUrl } = thePlatform().config.api;
  const [links, { byId }] = await Promise.all([
    withinTime(async (signal) => loadRevisionLinks(revision, { appUrl, signal })),
    loadShownPages(revision, { visitor }),
  ]);
  const shown = shownTargets(links, {
    isShown: (page) => byId.has(page),
    evaluationFor: (page) => ({ claims: visitor.claims, variables: variablesOf(revision, page) }),
  });
  targets.set(key, shown);
  return shown;
}
