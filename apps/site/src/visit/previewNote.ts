import type { Visit } from '@bindery/publishing';
import { siteWords } from './language.ts';

/** Says that a page is not published, and which change request it shows; undefined outside of previews. */
export function previewNote({ visit }: { visit: Visit }): string | undefined {
  const { admitted, changeRequest, siteSpace } = visit;
  if (!admitted.isPreview) return undefined;
  const words = siteWords({ visit });
  if (changeRequest?.space !== siteSpace.space) return words.preview;
  const { number, subject } = changeRequest;
  return words.changeRequest(subject === '' ? `#${number}` : `#${number} (${subject})`);
}
