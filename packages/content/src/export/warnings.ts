import { slugOfFile, quoted } from '@bindery/dialect/repository-format';
import type { SourceLayout } from './placement/sourceLayout.ts';
import type { Placement } from './placement/placeContent.ts';
import type { TargetLayout } from './readTarget.ts';
import type { ExportWarning } from './types.ts';

const maxWarnings = 200;

/** Lists the content that the repository cannot express, so that an import gives something else. */
export function exportWarnings(
  now: SourceLayout,
  { placement, target }: { placement: Placement; target: TargetLayout },
): ExportWarning[] {
  const warnings: ExportWarning[] = [];
  for (const page of now.written) {
    const path = placement.pages.get(page.id) as string;
    const given = slugOfFile(path, target.root);
    if (given === page.slug || page.slug.startsWith(`${given}-`)) continue;
    warnings.push({
      level: 'warning',
      message: `The page ${quoted(page.title)} has the slug ${quoted(page.slug)}, but its file cannot have that name; an import gives it the slug ${quoted(given)}.`,
      path,
    });
  }
  return warnings.slice(0, maxWarnings);
}
