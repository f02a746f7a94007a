import { leadsOutside } from '@bindery/contract/linkTarget';
import {
  readStableTarget,
  writeStableTarget,
  type ContentReference,
  type LinkUse,
  type Resolve,
} from '@bindery/dialect/links';
import type { ReferenceContext } from './createResolver.ts';
import { targetOf } from './targetOf.ts';

/** Whether a target is written as a path in the repository: no URL, no anchor, no bytes that are not text. */
export function isPathTarget(written: string): boolean {
  return written !== '' && written.isWellFormed() && !written.startsWith('#') && !leadsOutside(written);
}

/** Whether a reference is to an object of its own space that has a path. */
export function isOfSpace(ref: ContentReference): boolean {
  if ('space' in ref && ref.space !== undefined) return false;
  return (
    ref.kind === 'page' ||
    ref.kind === 'file' ||
    ref.kind === 'reusable-content' ||
    (ref.kind === 'anchor' && ref.page !== undefined)
  );
}

/** Tells whether a text, as a target, has the given meaning. */
export function meansAt(
  resolve: Resolve,
  { meaning, use }: { meaning: ContentReference; use: LinkUse },
): (text: string) => boolean {
  return (text) => {
    const found = resolve(text, use);
    return found !== undefined && writeStableTarget(found) === writeStableTarget(meaning);
  };
}

/** Writes the path to the object of a target, with the query and the anchor as written. */
export function relativeTarget(
  written: string,
  meaning: ContentReference,
  { next, means }: { next: ReferenceContext; means: (text: string) => boolean },
): string {
  const [, query = '', anchor = ''] = /^[^?#]*(\?[^#]*)?(#.*)?$/s.exec(written) ?? [];
  const bare: ContentReference =
    meaning.kind === 'anchor' && meaning.page ? { kind: 'page', page: meaning.page } : meaning;
  const path = targetOf(bare, 'relative', next);
  return [path + query + anchor, path + anchor].find(means) ?? targetOf(meaning, 'relative', next);
}

/** Whether a target names an object by its id, which means the same at each place. */
export function isStable(written: string): boolean {
  return readStableTarget(written) !== undefined;
}
