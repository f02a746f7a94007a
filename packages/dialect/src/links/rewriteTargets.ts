import { isSafeTarget } from '@bindery/contract/linkTarget';
import { targetsIn } from './findTargets.ts';
import type { TargetUse } from './foundTarget.ts';

/**
 * Replaces targets in the links, images, definitions, HTML and block tags of Markdown, and keeps every other
 * byte.
 *
 * Ignores code and math. Escapes the new target for its position, so that it is read as given.
 *
 * @param replace  returns the new target for one (escapes removed, not percent-decoded); undefined keeps it;
 *   null reduces a link to its visible part: its text, an image's alternative text, the text in a tag. A link
 *   without a visible part, such as a definition or an include, stays.
 */
export function rewriteTargets(
  markdown: string,
  replace: (target: string, use: TargetUse) => string | undefined | null,
): string {
  const edits: { start: number; end: number; text: string }[] = [];
  for (const { target, use, start, end, write, shown } of targetsIn(markdown)) {
    const wanted = replace(target, use);
    if (wanted === undefined || wanted === target) continue;
    if (wanted !== null) edits.push({ start, end, text: write(wanted) });
    else if (shown) edits.push(...shown());
  }
  let result = '';
  let position = 0;
  for (const { start, end, text } of edits.toSorted(
    (one, other) => one.start - other.start || one.end - other.end,
  )) {
    // Inside a range that is already replaced.
    if (start < position) continue;
    result += markdown.slice(position, start) + text;
    position = end;
  }
  return result + markdown.slice(position);
}

/** Removes unsafe targets (`isSafeTarget`) from Markdown, and keeps their text and every other byte. */
export function withoutUnsafeTargets(markdown: string): string {
  const replacing = (instead: null | '#') => (text: string) =>
    rewriteTargets(text, (target, use) =>
      isSafeTarget(target, use === 'image' ? 'picture' : 'link') ? undefined : instead,
    );
  const shown = replacing(null)(markdown);
  // Definitions and tags have no visible part: they stay, but lead nowhere.
  return replacing('#')(shown);
}
