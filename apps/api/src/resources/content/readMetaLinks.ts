import { findDocument, metaLinksOnThread, type PageTree } from '@bindery/content';
import { isWebTarget, type PageMetaLinks } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { loadReferences, resolverFor } from '@bindery/publishing';
import type { Reader } from '../../http/actor.ts';
import type { Links } from '../../presenters/links.ts';

/**
 * The alternative locations of a page from its frontmatter; omits targets that a search engine cannot read.
 */
export async function readMetaLinks(
  page: PageTree,
  { links, revision, reader }: { links: Links; revision: RevisionRecord; reader: Reader },
): Promise<PageMetaLinks> {
  const source =
    page.type === 'document' && page.document
      ? await findDocument(revision.organization, page.document)
      : undefined;
  const { canonical, alternates } = (source &&
    (await metaLinksOnThread(source.frontmatter, revision.organization))) ?? { alternates: [] };
  if (canonical === undefined && alternates.length === 0) return { alternates: [] };
  const resolve = resolverFor(await loadReferences(revision, { links, reader }), { page });
  const read = (target: string): PageMetaLinks['alternates'] => {
    const ref = resolve(target, 'link');
    if (ref?.kind === 'page') return [ref];
    return ref?.kind === 'url' && isWebTarget(ref.url) && URL.canParse(ref.url) ? [ref] : [];
  };
  const [first] = canonical === undefined ? [] : read(canonical);
  return { canonical: first, alternates: alternates.flatMap(read) };
}
