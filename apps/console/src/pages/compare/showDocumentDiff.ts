import type { BlockDiff } from '@bindery/document-diff';
import { html, type Value } from '@bindery/html';
import { showStep, type DiffLook } from './showDiff.ts';

/** Characters of markup; what follows is only counted. */
const maxMarkup = 1_000_000;
/** Unchanged blocks shown before and after a change. */
const context = 1;

/** The steps of a comparison; unchanged blocks far from any change are only counted. */
export function showDocumentDiff(
  steps: readonly BlockDiff[],
  { isSideBySide, ...look }: Omit<DiffLook, 'side'> & { isSideBySide: boolean },
): Value {
  if (steps.every(({ kind }) => kind === 'same')) return html`<p>Its text does not differ.</p>`;
  const shown: Value[] = [];
  let [length, skipped] = [0, 0];
  for (const [index, step] of steps.entries()) {
    if (!isNearChange(steps, index)) {
      skipped += 1;
      continue;
    }
    if (length > maxMarkup)
      return html`${shown}<p>The rest is too long to be shown here: ${steps.length - index} blocks.</p>`;
    if (skipped > 0) shown.push(unchanged(skipped));
    skipped = 0;
    const part = html`${isSideBySide && sides(step, look)}<div class="${isSideBySide && 'narrow-only'}">${showStep(step, { ...look, side: 'both' })}</div>`;
    length += part.toString().length;
    shown.push(part);
  }
  return html`${shown}${skipped > 0 && unchanged(skipped)}`;
}

function sides(step: BlockDiff, look: Omit<DiffLook, 'side'>): Value {
  return html`<div class="sides"><div>${showStep(step, { ...look, side: 'before', aside: undefined })}</div>
<div>${showStep(step, { ...look, side: 'after' })}</div></div>`;
}

function isNearChange(steps: readonly BlockDiff[], index: number): boolean {
  return steps.slice(Math.max(0, index - context), index + context + 1).some(({ kind }) => kind !== 'same');
}

function unchanged(count: number): Value {
  return html`<p class="soft">${count === 1 ? 'One unchanged block' : `${count} unchanged blocks`}</p>`;
}
