import type { PageItem } from '../store/items.ts';
import type { TreeEdit } from '../tree/treeEdit.ts';
import { applyChoices } from './conflict/applyChoices.ts';
import type { ChooseSide } from './conflict/choices.ts';
import type { FoundConflict } from './conflict/conflict.ts';
import { diffTrees } from './diffTrees.ts';
import { mergeFields, type FieldConflict } from './mergeFields.ts';
import { afterOf, isChanged, mergeParents, type Fate, type Sides } from './mergeParents.ts';
import { depths, placePages } from './placePages.ts';
import { findPositionConflicts } from './conflict/positionConflicts.ts';
import { agreeOnMoves } from './reorderedPages.ts';
import { settlePaths } from './settlePaths.ts';

/**
 * A page whose file both sides changed, or whose file and metadata may disagree, so that its file must still
 * be merged.
 */
export type PageToMerge = {
  id: string;
  base: PageItem | undefined;
  ours: PageItem;
  theirs: PageItem;
  /** The metadata that both sides changed differently. */
  fields: FieldConflict[];
};

/** A page that one side removed and the other one changed. */
export type KeptPage = {
  id: string;
  base: PageItem | undefined;
  ours: PageItem | undefined;
  theirs: PageItem | undefined;
};

export type MergedTree = {
  /** `ours` with the changes of `theirs`; not stored yet. */
  edit: TreeEdit;
  conflicts: FoundConflict[];
  toMerge: PageToMerge[];
  kept: KeptPage[];
  /** Pages that both sides changed, except by what follows from changes of other pages. */
  bothChanged: string[];
};

/**
 * Merges two page trees that derive from one: the position, the slug and the other fields of each page
 * independently. The caller merges the files of pages, which it has to load.
 *
 * If the three trees satisfy it, so does the result: ids are unique, no page gets the slug of a sibling that
 * a side put there, no page is below itself, and groups are at the top.
 *
 * @param choose  the side taken for a conflict instead of that by the rules; the conflicts are the same
 */
export function mergeTrees(
  { base, ours, theirs }: Pick<Sides, 'base' | 'ours' | 'theirs'>,
  choose: ChooseSide = () => undefined,
): MergedTree {
  const byOurs = diffTrees(base, ours);
  const byTheirs = agreeOnMoves({ base, theirs }, { byOurs, byTheirs: diffTrees(base, theirs) });
  const sides: Sides = { base, ours, theirs, byOurs, byTheirs };
  const edit = ours.edit();
  const merged: MergedTree = { edit, conflicts: [], toMerge: [], kept: [], bothChanged: [] };
  const byRules = mergeParents(sides);
  merged.conflicts.push(...findPositionConflicts(byRules, sides));
  const contested = new Set(merged.conflicts.flatMap(({ page }) => page ?? []));
  const fates = applyChoices(byRules, { sides, contested, choose });
  const cameAlong = placePages(edit, fates, sides);
  for (const { id, isKept } of byRules.values()) {
    const fate = fates.get(id);
    if (!fate) continue;
    if (isKept) merged.kept.push(keptPage(fate));
    if (fate.isRemoved) continue;
    if (isOwnWork(fate.ours) && isOwnWork(fate.theirs)) merged.bothChanged.push(fate.id);
    mergePage(fate, merged, choose);
  }
  removePages(edit, fates);
  settlePaths(
    edit,
    [...fates.values()].filter(({ id, isRemoved }) => !isRemoved && !cameAlong.has(id)),
    { ...sides, depthOf: depths(fates, ours) },
  );
  return merged;
}

function isOwnWork(change: Fate['ours']): boolean {
  return change?.kind === 'created' || isChanged(change);
}

function keptPage({ id, ours, theirs }: Fate): KeptPage {
  const deleted = [ours, theirs].find((change) => change?.kind === 'deleted');
  const before = deleted?.kind === 'deleted' ? deleted.before.page : undefined;
  const now = (change: Fate['ours']) => (change ? afterOf(change)?.page : before);
  return { id, base: before, ours: now(ours), theirs: now(theirs) };
}

function mergePage(
  { id, ours, theirs }: Fate,
  { edit, conflicts, toMerge, kept }: MergedTree,
  choose: ChooseSide,
): void {
  const [our, their] = [afterOf(ours)?.page, afterOf(theirs)?.page];
  if (!their) return;
  // A page that was absent from ours was inserted as it is in theirs.
  if (!our)
    return ours === undefined && theirs?.kind === 'changed' ? edit.update(id, () => their) : undefined;
  const base = ours?.kind === 'changed' ? ours.before.page : undefined;
  if (our.type !== their.type) {
    if (base?.type === their.type) return;
    if (choose({ page: id }, 'deleted') !== 'ours') edit.update(id, () => their);
    kept.push({ id, base, ours: our, theirs: their });
    return;
  }
  const { page, conflicts: differing } = mergeFields({ base, ours: our, theirs: their }, (field) =>
    field === 'git' ? undefined : choose({ page: id }, partOfField(field)),
  );
  edit.update(id, () => withDocument(page, [base, our, their]));
  for (const { field, ...texts } of differing) {
    if (isOwnField(field)) conflicts.push({ page: id, field, ...asTexts(texts) });
  }
  if (isTextual(ours) && isTextual(theirs))
    toMerge.push({ id, base, ours: our, theirs: their, fields: differing });
}

function isOwnField(field: string): field is 'title' | 'slug' {
  return field === 'title' || field === 'slug';
}

/** The part of a page under which a conflict of a field is reported. */
export function partOfField(field: string): string {
  return isOwnField(field) ? field : `field.${field}`;
}

/** Tells whether more than the position of the page changed. */
function isTextual(change: Fate['ours']): boolean {
  return (
    change?.kind !== 'changed' ||
    [...change.fields].some(
      (field) => !['path', 'filePath', 'oldPaths', 'slug', 'updatedAt', 'git'].includes(field),
    )
  );
}

/**
 * The page with the file of the side that changed it; if both did, with that of `theirs` until the files are
 * merged.
 */
function withDocument(
  page: PageItem,
  [base, ours, theirs]: [PageItem | undefined, PageItem, PageItem],
): PageItem {
  if (page.type !== 'document') return page;
  const hashOf = (item: PageItem | undefined) => (item?.type === 'document' ? item.document : undefined);
  const document = hashOf(theirs) === hashOf(base) ? hashOf(ours) : hashOf(theirs);
  const { document: _, ...rest } = page;
  return document === undefined ? rest : { ...rest, document };
}

function asTexts({
  base,
  ours,
  theirs,
}: Omit<FieldConflict, 'field'>): Pick<FoundConflict, 'base' | 'ours' | 'theirs'> {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return { base: text(base), ours: text(ours), theirs: text(theirs) };
}

/** The pages that stay have been moved out before. */
function removePages(edit: TreeEdit, fates: ReadonlyMap<string, Fate>): void {
  for (const { id, isRemoved } of fates.values()) if (isRemoved && edit.page(id)) edit.remove(id);
}
