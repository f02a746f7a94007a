import { loadReusableContents, loadRevision, openTree, type ContentTree } from '@bindery/content';
import { JobError } from '@bindery/contract';
import {
  Space,
  type PageTexts,
  type RevisionRecord,
  type SpaceRecord,
  type TranslationRecord,
} from '@bindery/models';
import { textsOf } from './pageTexts.ts';
import type { CutPage, CutText } from './pageWork.ts';

/** A page, a group, a link or a reusable content of the source. */
export type SourcePage = { id: string; texts: PageTexts; isReusable?: true };

/** @throws JobError for a space that was deleted, or that belongs to another organization now */
export async function loadContent({ organization }: TranslationRecord, id: string): Promise<RevisionRecord> {
  const space = await Space.findOne({ _id: id, organization, isDeleted: false }).lean<SpaceRecord>();
  if (!space)
    throw new JobError('not_found', 'A space of the translation no longer exists.', {
      action: 'Restore the space, or delete the translation.',
    });
  return loadRevision(space._id, space.revision);
}

/** Lists everything in a revision that has texts, in its order. */
export async function sourcePages(source: RevisionRecord): Promise<{
  tree: ContentTree;
  reusable: Awaited<ReturnType<typeof loadReusableContents>>;
  sources: SourcePage[];
}> {
  const tree = await openTree(source.organization, source.pages);
  const reusable = await loadReusableContents(source);
  const sources: SourcePage[] = [
    ...Array.from(tree.all(), ({ page }) => ({ id: page.id, texts: textsOf(page) })),
    ...reusable.map((item) => ({ id: item.id, texts: textsOf(item), isReusable: true as const })),
  ];
  return { tree, reusable, sources };
}

/** All texts of a page: those of its entry, then its segments. */
export function textsOfCut({ page }: { page: CutPage | undefined }): CutText[] {
  return page ? [...Object.values(page.entry), ...page.segments] : [];
}
