import { findDocument, metaLinksOnThread, type PageTree } from '@bindery/content';
import { isWebTarget, type PageMetaLinks } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import type { Reader } from '../../http/actor.ts';
import { loadReferences, resolverFor } from './shown/references.ts';

/** Where else a page is, by its frontmatter; what leads to nothing that a search engine could read is left out. */
export async function readMetaLinks(
  page: PageTree,
  { revision, reader }: { revision: RevisionRecord; reader: Reader },
): Promise<PageMetaLinks> {
  const source = page.type === 'document' && page.document ? await findDocument(revision.organization, page.document) : undefined;
  const { canonical, alternates } = (source && (await metaLinksOnThread(source.frontmatter, revision.organization))) ?? { alternates: [] };
  if (canonical === undefined && alternates.length === 0) return { alternates: [] };
  const resolve = resolverFor(await loadReferences(revision, reader), { page });
  const read = (target: string): PageMetaLinks['alternates'] => {
    const ref = resolve(target, 'link');
    if (ref?.kind === 'page') return [ref];
    return ref?.kind === 'url' && isWebTarget(ref.url) && URL.canParse(ref.url) ? [ref] : [];
  };
  const [first] = canonical === undefined ? [] : read(canonical);
  return { ...(first && { canonical: first }), alternates: alternates.flatMap(read) };
}
