import type { Run } from '@bindery/document-diff';
import { html, type Value } from '@bindery/html';

/** Which side of a comparison is shown; `both` marks what differs in one text. */
export type Side = 'both' | 'before' | 'after';

/** Texts are cut here: a page of the console stays readable, and small. */
const maxShown = 20_000;

/** Words, with those of one side marked, also for screen readers. */
export function showRuns(runs: readonly Run[], side: Side): Value {
  return runs.map(({ kind, text }) => {
    if (kind === 'same') return cut(text);
    if (kind === 'removed') return side === 'after' ? '' : removed(cut(text));
    return side === 'before' ? '' : added(cut(text));
  });
}

export function added(content: Value): Value {
  return html`<ins><span class="hidden">[added: </span>${content}<span class="hidden">]</span></ins>`;
}

export function removed(content: Value): Value {
  return html`<del><span class="hidden">[removed: </span>${content}<span class="hidden">]</span></del>`;
}

export function cut(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)} [...]` : text;
}
