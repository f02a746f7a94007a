import { targetsIn } from '../document/findTargets.ts';
import { markdownOf, type PageSource } from '../store/documents.ts';
import type { DocumentPage } from '../store/items.ts';
import type { ComposedPage } from './composePage.ts';
import type { Draft } from './draft.ts';
import { settleLinks } from './links.ts';

/** Gives a page its new file and the fields that stand in it. Links to what the batch makes later are settled at its end. */
export function setPage(draft: Draft, id: string, { source, fields, isNewText }: ComposedPage, before: PageSource | undefined): void {
  const { edit } = draft;
  if (isNewText && !draft.written.has(id)) draft.written.set(id, targetsOf(before));
  edit.update(id, (page) => (page.type === 'document' ? { ...page, ...(fields as Partial<DocumentPage>) } : page));
  setSource(draft, id, isNewText ? withLinks(draft, id, source) : source);
}

function targetsOf(source: PageSource | undefined): ReadonlySet<string> {
  return new Set(source && [...targetsIn(markdownOf(source))].map(({ target }) => target));
}

/** Settles what is left of the links in all texts that came with the batch, now that everything in it is there. */
export function settleRest(draft: Draft, sourceOf: ReadonlyMap<string, PageSource>): void {
  for (const [id, standing] of draft.written) {
    const source = sourceOf.get(id);
    const settled = source && withLinks(draft, id, source, standing);
    if (!settled || settled === source) continue;
    setSource(draft, id, settled);
    draft.edit.update(id, (page) => ({ ...page, updatedAt: draft.now }));
  }
}

function withLinks(draft: Draft, id: string, source: PageSource, standing?: ReadonlySet<string>): PageSource {
  const page = draft.edit.page(id)?.page;
  if (page?.type !== 'document') return source;
  const markdown = markdownOf(source);
  const settled = settleLinks(draft, page, markdown, standing);
  return settled === markdown ? source : { ...source, body: Buffer.from(settled) };
}

export function setSource({ edit, sources }: Draft, id: string, source: PageSource): void {
  const document = sources.keep(source);
  edit.update(id, (page) => (page.type === 'document' ? { ...page, document } : page));
}
