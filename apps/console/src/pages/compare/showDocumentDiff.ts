import type { BlockDiff } from '@bindery/document-diff';
import { html, type Html, type Value } from '@bindery/html';
import { showStep, type DiffLook } from './showDiff.ts';

/** Of the markup in one column. Compressed, it stays below 25 kB, also side by side. */
const maxBytes = 80_000;
/** Unchanged blocks shown before and after a change. */
const context = 1;

type Look = Omit<DiffLook, 'side'> & {
  isSideBySide: boolean;
  /** The first step to show. */
  from: number;
};

/**
 * The steps of a comparison, as many as one page holds; unchanged blocks far from any change are only
 * counted. `next` is the first step of the next page.
 */
export function showDocumentDiff(
  steps: readonly BlockDiff[],
  { isSideBySide, from, ...look }: Look,
): { shown: Value; next?: number } {
  if (steps.every(({ kind }) => kind === 'same')) return { shown: html`<p>Its text does not differ.</p>` };
  const shown: Html[] = [];
  let [bytes, skipped] = [0, 0];
  for (let index = from; index < steps.length; index += 1) {
    const step = steps[index]!;
    if (!isNearChange(steps, index)) {
      skipped += 1;
      continue;
    }
    const inOneColumn = showStep(step, { ...look, side: 'both' });
    const part = html`<div class="${isSideBySide && 'narrow-only'}">${inOneColumn}</div>`;
    bytes += Buffer.byteLength(part.toString());
    // A step that is larger than a page is a page.
    if (bytes > maxBytes && shown.length > 0) return { shown, next: index - skipped };
    if (skipped > 0) shown.push(unchanged(skipped));
    skipped = 0;
    shown.push(isSideBySide ? html`${sides(step, look)}${part}` : part);
  }
  return { shown: html`${shown}${skipped > 0 && unchanged(skipped)}` };
}

function sides(step: BlockDiff, look: Omit<DiffLook, 'side'>): Value {
  return html`<div class="sides"><div>${showStep(step, { ...look, side: 'before', aside: undefined })}</div>
<div>${showStep(step, { ...look, side: 'after' })}</div></div>`;
}

function isNearChange(steps: readonly BlockDiff[], index: number): boolean {
  return steps.slice(Math.max(0, index - context), index + context + 1).some(({ kind }) => kind !== 'same');
}

function unchanged(count: number): Html {
  return html`<p class="soft">${count === 1 ? 'One unchanged block' : `${count} unchanged blocks`}</p>`;
}
