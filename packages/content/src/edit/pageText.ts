import { invalid, type ApiError } from '@bindery/contract';
import { targetsOnThread } from '../parser-threads/linksOnThread.ts';
import { markdownOf } from '../store/documents.ts';
import type { PageSource } from '@bindery/dialect/frontmatter';
import type { DocumentPage } from '../store/items.ts';
import type { ComposedPage } from './composePage.ts';
import type { Draft } from './draft.ts';
import { settleLinks } from './links.ts';

/**
 * Sets the file of a page and the fields read from it. Links to pages and files that the batch inserts later
 * are settled at its end.
 */
export async function setPage(
  draft: Draft,
  id: string,
  { source, fields, isNewText }: ComposedPage,
  before: PageSource | undefined,
): Promise<void> {
  const { edit } = draft;
  if (isNewText && !draft.written.has(id)) draft.written.set(id, await targetsOf(draft, before));
  edit.update(id, (page) =>
    page.type === 'document' ? { ...page, ...(fields as Partial<DocumentPage>) } : page,
  );
  setSource(draft, id, isNewText ? await withLinks(draft, id, source) : source);
}

async function targetsOf({ base }: Draft, source: PageSource | undefined): Promise<ReadonlySet<string>> {
  const targets = source ? await targetsOnThread(markdownOf(source), base.organization) : new Set<string>();
  if (!targets) throw tooLong();
  return targets;
}

function tooLong(): ApiError {
  return invalid('body.changes', 'cannot be applied: the links of a page take too long to read.');
}

/** Settles the remaining links in all texts of the batch, once all its pages and files exist. */
export async function settleRest(draft: Draft, sourceOf: ReadonlyMap<string, PageSource>): Promise<void> {
  for (const [id, standing] of draft.written) {
    const source = sourceOf.get(id);
    const settled = source && (await withLinks(draft, id, source, standing));
    if (!settled || settled === source) continue;
    setSource(draft, id, settled);
    draft.edit.update(id, (page) => ({ ...page, updatedAt: draft.now }));
  }
}

async function withLinks(
  draft: Draft,
  id: string,
  source: PageSource,
  standing?: ReadonlySet<string>,
): Promise<PageSource> {
  const page = draft.edit.page(id)?.page;
  if (page?.type !== 'document') return source;
  const markdown = markdownOf(source);
  const settled = await settleLinks(draft, page, markdown, standing);
  if (settled === undefined) throw tooLong();
  return settled === markdown ? source : { ...source, body: Buffer.from(settled) };
}

export function setSource({ edit, sources }: Draft, id: string, source: PageSource): void {
  const document = sources.keep(source);
  edit.update(id, (page) => (page.type === 'document' ? { ...page, document } : page));
}
