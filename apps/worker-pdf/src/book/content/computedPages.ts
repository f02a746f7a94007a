import { loadSpecOutline, specPageDocument, type PageTree, type ReadableSpecs } from '@bindery/content';
import { emptyDocument, type DocumentTree } from '@bindery/contract';
import { contentOfPage, pagesOf, type SpecificationPage } from '@bindery/dialect/openapi';

/** A tree whose computed pages are replaced by pages with documents, which are made when they are printed. */
export type ExpandedPages = { pages: PageTree[]; documents: ReadonlyMap<string, DocumentOfPage> };
type DocumentOfPage = () => Promise<DocumentTree | undefined>;

/**
 * Replaces the computed pages of specifications that the book may show by the pages of these specifications.
 * Others stay, and are printed as a note.
 */
export async function expandComputed(
  pages: readonly PageTree[],
  { specs, organization }: { specs: ReadableSpecs; organization: string },
): Promise<ExpandedPages> {
  const documents = new Map<string, DocumentOfPage>();
  const expand = async (list: readonly PageTree[]): Promise<PageTree[]> => {
    const expanded: PageTree[] = [];
    for (const page of list)
      if (page.type === 'computed') expanded.push(...((await pagesOfSpec(page)) ?? [page]));
      else expanded.push('pages' in page ? { ...page, pages: await expand(page.pages) } : page);
    return expanded;
  };
  const pagesOfSpec = async (holder: Extract<PageTree, { type: 'computed' }>) => {
    const { computed } = holder;
    if (computed.type !== 'builtin:openapi') return undefined;
    const { props, dependencies } = computed;
    const version = specs.versions.get(dependencies.spec.ref.spec);
    const outline = version && (await loadSpecOutline(version, specs.blobs));
    if (!outline) return undefined;
    const treeOf = ({
      id: name,
      title,
      description,
      props: ofPage,
      pages: below,
    }: SpecificationPage): PageTree => {
      const { createdAt, updatedAt } = holder;
      const id = `${holder.id}-${name}`;
      documents.set(id, async () => {
        const content = contentOfPage(outline, { props: ofPage, dependencies });
        return content ? specPageDocument(content, organization) : emptyDocument;
      });
      return {
        type: 'document',
        id,
        title,
        slug: '',
        path: title,
        description,
        createdAt,
        updatedAt,
        pages: below.map(treeOf),
      };
    };
    return pagesOf(outline, props).map(treeOf);
  };
  return { pages: await expand(pages), documents };
}
