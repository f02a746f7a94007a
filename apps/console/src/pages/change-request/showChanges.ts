import type { ContentDifference, ContentDifferences } from '@bindery/contract';
import { html, type Html, type Value } from '@bindery/html';

/** Lists changes. @param base  the address of the comparisons of pages; without it there are no links */
export function showChanges({ changes, more = 0 }: ContentDifferences, base: string | undefined): Html {
  if (changes.length === 0) return html`<p>It changes nothing yet.</p>`;
  return html`<ul>${changes.map((one) => html`<li>${describe(one, base)}</li>`)}</ul>
${more > 0 && html`<p>And ${more} more.</p>`}`;
}

const verbs = { created: 'New', edited: 'Changed', deleted: 'Deleted', moved: 'Moved' } as const;

function describe(change: ContentDifference, base: string | undefined): Value {
  if (change.type === 'variables_edited') return 'Changed variables';
  const verb = verbs[change.type.split('_').at(-1) as keyof typeof verbs];
  if ('page' in change) {
    const { id, title, path } = change.page;
    const url = `${base}/${id}`;
    const name = base === undefined ? title : html`<a href="${url}">${title}</a>`;
    return html`${verb} page: ${name} ${path !== undefined && html`<code>${path}</code>`}`;
  }
  if ('file' in change) return html`${verb} file: ${change.file.name}`;
  return html`${verb} reusable content: ${change.reusableContent.title}`;
}
