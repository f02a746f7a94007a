import type { PageTree } from '@bindery/content';
import { html, type Value } from '@bindery/html';
import type { Words } from '@bindery/render';

/** Further tags of a page are left out. */
const maxTags = 50;

/** The tags of a page, the primary ones first; nothing when it has none or its author hides them. */
export function writePageTags(page: PageTree, words: Words): Value {
  if (page.type !== 'document' || page.layout?.tags === false) return null;
  const { tags = [] } = page;
  const primaryFirst = tags.toSorted((one, other) => Number(other.primary ?? 0) - Number(one.primary ?? 0));
  const items = primaryFirst
    .slice(0, maxTags)
    .map(({ tag, primary }) => html`<li class="${primary && 'primary'}" dir="auto">${tag}</li>`);
  return items.length > 0 && html`<ul class="tags" aria-label="${words.tags}">${items}</ul>`;
}
