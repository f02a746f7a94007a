import { isSafeTarget } from '@bindery/contract/linkTarget';
import { targetsIn } from './findTargets.ts';
import type { TargetUse } from './foundTarget.ts';

/**
 * Markdown with other targets in its links, images, definitions, HTML and block tags, and every other byte as it was.
 *
 * Code and math are left alone. What is not Markdown's or HTML's is written so that it is read as the target that was given.
 *
 * @param replace  the new target for one (escapes undone, not percent-decoded); undefined leaves it; null leaves only what a link shows:
 *                 its words, an image's alternative text, the words in a tag. What shows nothing, such as a definition or an include, stays.
 */
export function rewriteTargets(markdown: string, replace: (target: string, use: TargetUse) => string | undefined | null): string {
  const edits: { start: number; end: number; text: string }[] = [];
  for (const { target, use, start, end, write, shown } of targetsIn(markdown)) {
    const wanted = replace(target, use);
    if (wanted === undefined || wanted === target) continue;
    if (wanted !== null) edits.push({ start, end, text: write(wanted) });
    else if (shown) edits.push(...shown());
  }
  let result = '';
  let position = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    // Inside of what is taken away already.
    if (start < position) continue;
    result += markdown.slice(position, start) + text;
    position = end;
  }
  return result + markdown.slice(position);
}

/** Markdown without targets that nobody shall follow (`isSafeTarget`): their words stay, and every other byte. */
export function withoutUnsafeTargets(markdown: string): string {
  const replacing = (instead: null | '#') => (text: string) =>
    rewriteTargets(text, (target, use) => (isSafeTarget(target, use === 'image' ? 'picture' : 'link') ? undefined : instead));
  const shown = replacing(null)(markdown);
  // Definitions and tags show nothing of their own: they stay, and lead nowhere.
  return replacing('#')(shown);
}
