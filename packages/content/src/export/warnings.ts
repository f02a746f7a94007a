import { join, pagePathOfFile } from '../gitbook/paths.ts';
import { quoted } from '../gitbook/warnings.ts';
import type { OldPlaces } from './oldPlaces.ts';
import type { Placement } from './placeContent.ts';
import type { TargetLayout } from './readTarget.ts';
import type { ExportWarning } from './types.ts';

const maxWarnings = 200;

/** What the repository cannot say of the content: an import of it gives something else there. */
export function exportWarnings(now: OldPlaces, { placement, target }: { placement: Placement; target: TargetLayout }): ExportWarning[] {
  const warnings: ExportWarning[] = [];
  const landing = target.readme ?? join(target.root, 'README.md');
  for (const page of now.written) {
    const path = placement.pages.get(page.id) as string;
    const given = pagePathOfFile(path, { root: target.root, landing });
    if (given === page.path || page.path.startsWith(`${given}-`)) continue;
    warnings.push({
      level: 'warning',
      message: `The page ${quoted(page.title)} has the path ${quoted(page.path)}, whose file cannot be written there; an import gives it the path ${quoted(given)}.`,
      path,
    });
  }
  return warnings.slice(0, maxWarnings);
}
