import { nameWithoutEnding } from '@bindery/dialect/repository-format';
import type { DocumentPage } from '../../store/items.ts';
import { labelsIn } from '../listedPages.ts';
import type { OldPlaces } from '../placement/oldPlaces.ts';
import type { Placement } from '../placement/placeContent.ts';
import type { TargetLayout } from '../readTarget.ts';

/**
 * Whether a page's file begins with a heading that says its title, as far as that can be told without the file.
 *
 * It makes a difference only where the navigation lists the file without a label, or there is no SUMMARY.md that lists it at all.
 *
 * @returns `ask` where only the file tells
 */
export function headingQuestion(
  before: OldPlaces | undefined,
  { placement, target }: { placement: Placement; target: TargetLayout },
): (page: DocumentPage) => boolean | 'ask' {
  let labels: ReturnType<typeof labelsIn> | undefined;
  return (page) => {
    const path = placement.pages.get(page.id) ?? '';
    const found = before?.tree.page(page.id)?.page;
    // The same file, of which an earlier reading made the same title.
    const known = found?.type === 'document' && found.document === page.document && found.title === page.title ? found : undefined;
    const oldPath = known?.git?.path ?? page.git?.path ?? path;
    if (target.summaryFile) {
      labels ??= labelsIn(target);
      const file = labels.has(oldPath) ? oldPath : path;
      if (!labels.has(file) || labels.get(file) !== undefined) return false;
    }
    const isName = page.title === nameWithoutEnding(oldPath);
    if (known && !isName) return true;
    return known && nameWithoutEnding(oldPath) === nameWithoutEnding(path) ? false : 'ask';
  };
}
