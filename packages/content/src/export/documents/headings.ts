import { nameWithoutEnding } from '@bindery/dialect/repository-format';
import type { DocumentPage } from '../../store/items.ts';
import { labelsIn } from '../listedPages.ts';
import type { SourceLayout } from '../placement/sourceLayout.ts';
import type { Placement } from '../placement/placeContent.ts';
import type { TargetLayout } from '../readTarget.ts';

/**
 * Tells whether a page's file begins with a heading equal to its title, as far as that is known without the
 * file.
 *
 * It matters only where the navigation lists the file without a label, or no SUMMARY.md lists it at all.
 *
 * @returns `ask` when only the file can tell
 */
export function headingQuestion(
  before: SourceLayout | undefined,
  { placement, target }: { placement: Placement; target: TargetLayout },
): (page: DocumentPage) => boolean | 'ask' {
  let labels: ReturnType<typeof labelsIn> | undefined;
  return (page) => {
    const path = placement.pages.get(page.id) ?? '';
    const found = before?.tree.page(page.id)?.page;
    // The same document, for which an earlier import derived the same title.
    const known =
      found?.type === 'document' && found.document === page.document && found.title === page.title
        ? found
        : undefined;
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
