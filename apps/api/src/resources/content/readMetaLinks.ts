import { createResolver, findDocument, loadReferenceContext, metaLinksOf, type PageTree } from '@bindery/content';
import type { PageMetaLinks } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { contextOf } from './readDocument.ts';

/** Where else a page is, by its frontmatter; what leads to nothing that a search engine could read is left out. */
export async function readMetaLinks(revision: RevisionRecord, page: PageTree): Promise<PageMetaLinks> {
  const source = page.type === 'document' && page.document ? await findDocument(revision.organization, page.document) : undefined;
  const { canonical, alternates } = source ? metaLinksOf(source.frontmatter) : { alternates: [] };
  if (canonical === undefined && alternates.length === 0) return { alternates: [] };
  const resolve = createResolver(contextOf(await loadReferenceContext(revision), { page }));
  const read = (target: string): PageMetaLinks['alternates'] => {
    const ref = resolve(target, 'link');
    if (ref?.kind === 'page') return [ref];
    return ref?.kind === 'url' && /^https?:/i.test(ref.url) && URL.canParse(ref.url) ? [ref] : [];
  };
  const [first] = canonical === undefined ? [] : read(canonical);
  return { ...(first && { canonical: first }), alternates: alternates.flatMap(read) };
}
