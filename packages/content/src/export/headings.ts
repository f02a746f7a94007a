import { isSameText } from '../gitbook/pageFields.ts';
import { nameWithoutEnding } from '../gitbook/paths.ts';
import type { DocumentPage } from '../store/items.ts';
import { labelsIn } from './listedPages.ts';
import type { OldPlaces } from './oldPlaces.ts';
import type { Placement } from './placeContent.ts';
import type { TargetLayout } from './readTarget.ts';

/**
 * Whether a page's file has a heading that says its title, as far as that can be told without the file.
 *
 * It makes a difference only where the navigation calls the file otherwise, or there is no SUMMARY.md that calls it anything: where no heading
 * says a page's title, its label has to.
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
    if (!target.summaryFile) {
      const isName = page.title === nameWithoutEnding(oldPath);
      if (known && !isName) return true;
      return known && nameWithoutEnding(oldPath) === nameWithoutEnding(path) ? false : 'ask';
    }
    labels ??= labelsIn(target);
    const file = labels.has(oldPath) ? oldPath : path;
    const label = labels.get(file);
    if (!labels.has(file) || label === page.title) return false;
    // The label was no title then: it became the page's other name, or was too like the title.
    const isLabelOf = label !== undefined && isSameText(label, known?.linkTitle ?? page.title);
    return known && isLabelOf ? true : 'ask';
  };
}
