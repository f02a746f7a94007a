import type { FoundPage, PageTree } from '@bindery/content';
import { emojiOfCode } from '@bindery/dialect';
import { html, type Html, type Value } from '@bindery/html';
import type { Words } from '@bindery/render';
import type { PageIcons } from '../icons/pageIcons.ts';
import { linkTo, type TargetSource } from '../page/collectTargets.ts';
import { pagePath } from '../page/sitePaths.ts';

/** An entry of the navigation. A group has no `href`. */
export type Entry = {
  id: string;
  title: string;
  emoji?: string | undefined;
  /** Shown where there is no emoji. */
  icon?: string | undefined;
  href?: string | undefined;
  isOutside?: boolean;
  children: Entry[];
};

/** The pages of a space for its navigation, without hidden ones. */
export async function entriesOf(pages: readonly PageTree[], source: TargetSource): Promise<Entry[]> {
  const base = source.paths.own;
  const entries: Entry[] = [];
  for (const page of pages) {
    if ('hidden' in page && page.hidden) continue;
    const { id } = page;
    const title = 'linkTitle' in page ? (page.linkTitle ?? page.title) : page.title;
    const { emoji, icon } = page.type === 'document' ? page : {};
    const children = 'pages' in page ? await entriesOf(page.pages, source) : [];
    if (page.type === 'link') {
      const target =
        page.target.kind === 'url' ? { href: page.target.url } : await linkTo(page.target, source);
      const isOutside = page.target.kind === 'url';
      if (target) entries.push({ id, title, href: target.href, isOutside, children });
    } else if (page.type === 'group') {
      if (children.length > 0) entries.push({ id, title, children });
    } else {
      const href = pagePath(page, { base, pages: source.content.pages });
      if (href !== undefined) entries.push({ id, title, emoji, icon, href, children });
    }
  }
  return entries;
}

/** Writes the navigation: pages with children open and close, those around the current page are open. */
export function writeNavigation(
  entries: readonly Entry[],
  { current, words, icons }: { current: FoundPage; words: Words; icons: PageIcons },
): Html {
  const open = new Set([current.page.id, ...current.ancestors.map(({ id }) => id)]);
  const write = (list: readonly Entry[]): Html => html`<ul>${list.map((entry) => writeEntry(entry))}</ul>`;
  const writeEntry = ({ id, title, emoji, icon, href, isOutside, children }: Entry): Html => {
    const sign = emoji === undefined ? icons.write(icon) : `${emojiOfCode(emoji)} `;
    const label: Value = [sign, title];
    if (href === undefined) return html`<li class="group"><span>${label}</span>${write(children)}</li>`;
    const link = html`<a href="${href}" aria-current="${id === current.page.id && 'page'}" rel="${isOutside && 'noopener'}">${label}</a>`;
    if (children.length === 0) return html`<li>${link}</li>`;
    return html`<li class="parent">${link}<details ?open=${open.has(id)}><summary aria-label="${words.pagesBelow(title)}"></summary>${write(children)}</details></li>`;
  };
  return write(entries);
}

/** The pages that have an address on this site, in reading order. */
export function* inReadingOrder(entries: readonly Entry[]): Generator<Entry> {
  for (const entry of entries) {
    if (entry.href !== undefined && !entry.isOutside) yield entry;
    yield* inReadingOrder(entry.children);
  }
}
