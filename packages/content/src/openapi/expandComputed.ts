import { emptyDocument, type DocumentTree } from '@bindery/contract';
import {
  contentOfPage,
  pagesOf,
  sectionsIn,
  type PageSection,
  type SpecificationPage,
} from '@bindery/dialect/openapi';
import { slugsOfTitles } from '@bindery/dialect/repository-format';
import type { PageTree } from '../store/items.ts';
import { specPageDocument } from './specPageDocument.ts';
import { loadSpecOutline, type ReadableSpecs } from './specReader.ts';

/**
 * A tree whose computed pages are replaced by pages with documents, which are made when they are shown, and
 * with the sections that a search knows, made when they are asked for. `isWhole`: false when a specification
 * took too long to read.
 */
export type ExpandedPages = {
  pages: PageTree[];
  documents: ReadonlyMap<string, DocumentOfPage>;
  sections: ReadonlyMap<string, () => PageSection[]>;
  isWhole: boolean;
};
type DocumentOfPage = () => Promise<DocumentTree | undefined>;

type Expansion = {
  specs: ReadableSpecs;
  organization: string;
  /** Whether another page of the content has this path. */
  hasPath?: (path: string) => boolean;
  /** Further pages of a specification are left out. */
  mostPages?: number;
};

/**
 * Replaces the computed pages of specifications that the reader may see by the pages of these specifications.
 * Others stay as they are.
 */
export async function expandComputed(
  pages: readonly PageTree[],
  { specs, organization, hasPath = () => false, mostPages = Number.POSITIVE_INFINITY }: Expansion,
): Promise<ExpandedPages> {
  const documents = new Map<string, DocumentOfPage>();
  const sections = new Map<string, () => PageSection[]>();
  let isWhole = true;
  const expand = async (list: readonly PageTree[], above: string): Promise<PageTree[]> => {
    const expanded: PageTree[] = [];
    for (const page of list)
      if (page.type === 'computed') expanded.push(...((await pagesOfSpec(page, above)) ?? [page]));
      else expanded.push('pages' in page ? { ...page, pages: await expand(page.pages, page.path) } : page);
    return expanded;
  };
  const pagesOfSpec = async (holder: Extract<PageTree, { type: 'computed' }>, above: string) => {
    const { computed } = holder;
    if (computed.type !== 'builtin:openapi') return undefined;
    const { props, dependencies } = computed;
    const version = specs.versions.get(dependencies.spec.ref.spec);
    const outline = version && (await loadSpecOutline(version, specs.blobs));
    if (!outline) {
      if (version) isWhole = false;
      return undefined;
    }
    const { createdAt, updatedAt } = holder;
    let left = mostPages;
    const sectionsOf = sectionsIn(outline);
    const treesOf = (list: readonly SpecificationPage[], parent: string): PageTree[] => {
      const pathOf = (slug: string) => (parent === '' ? slug : `${parent}/${slug}`);
      const titles = list.map(({ title }) => title);
      const slugs = slugsOfTitles(titles, (slug) => hasPath(pathOf(slug)));
      return list.flatMap(({ id: name, title, description, props: ofPage, pages: below }, index) => {
        left -= 1;
        if (left < 0) return [];
        const [id, slug] = [`${holder.id}-${name}`, slugs[index] ?? ''];
        const source = { props: ofPage, dependencies };
        sections.set(id, () => sectionsOf(source));
        documents.set(id, async () => {
          const content = contentOfPage(outline, source);
          return content ? specPageDocument(content, organization) : emptyDocument;
        });
        return {
          type: 'document',
          id,
          title,
          slug,
          path: pathOf(slug),
          description,
          createdAt,
          updatedAt,
          pages: treesOf(below, pathOf(slug)),
        } as const;
      });
    };
    return treesOf(pagesOf(outline, props), above);
  };
  return { pages: await expand(pages, ''), documents, sections, isWhole };
}
