import { isSafeTarget } from '@bindery/contract/linkTarget';
import { rewriteTargets } from './rewriteTargets.ts';

/** Markdown without targets that nobody shall follow (`isSafeTarget`): their words stay, and every other byte. */
export function withoutUnsafeTargets(markdown: string): string {
  const replacing = (instead: null | '#') => (text: string) =>
    rewriteTargets(text, (target, use) => (isSafeTarget(target, use === 'image' ? 'picture' : 'link') ? undefined : instead));
  const shown = replacing(null)(markdown);
  // Definitions and tags show nothing of their own: they stay, and lead nowhere.
  return replacing('#')(shown);
}
