import { createHash } from 'node:crypto';
import { takeTurns } from '@bindery/content';
import type { ComputedRevision, ComputedRevisionSource, Page } from '@bindery/contract';
import { pagesOf, type SpecificationPage } from '@bindery/dialect/openapi';
import { slugsOfTitles } from '@bindery/dialect/repository-format';
import type { SpaceRecord } from '@bindery/models';
import { presentLayout } from '../../presenters/content.presenter.ts';
import { notComputed } from './document/computeDocument.ts';
import { loadSpecContent, type SpecReading } from './shown/specContent.ts';

type SpecSource = Extract<ComputedRevisionSource, { type: 'builtin:openapi' }>;

/**
 * Computes the pages of a specification (`pagesOf`). Each page contains the source of its document. Gives
 * other requests a turn, because a specification may have 20,000 pages.
 *
 * @throws precondition_failed for a source that is not a specification
 */
export async function computeRevision(
  { source, seed }: { source: ComputedRevisionSource; seed: string },
  { space, ...reading }: SpecReading & { space: SpaceRecord },
): Promise<ComputedRevision> {
  const { links } = reading.platform;
  if (!isOfSpec(source)) throw notComputed(source.type);
  const { props, dependencies } = source;
  const outline = await loadSpecContent(dependencies.spec.ref.spec, reading);
  const layout = presentLayout();
  const turn = takeTurns();
  const present = async (list: readonly SpecificationPage[], above: string): Promise<Page[]> => {
    const slugs = slugsOfTitles(list.map(({ title }) => title));
    const pages: Page[] = [];
    for (const [index, each] of list.entries()) {
      await turn();
      const { id: name, title, icon, description, props: ofPage, pages: below } = each;
      const slug = slugs[index] ?? '';
      const path = above === '' ? slug : `${above}/${slug}`;
      const id = idOf(seed, name);
      pages.push({
        id,
        title,
        icon,
        description,
        type: 'document',
        kind: 'sheet',
        slug,
        path,
        layout,
        tags: [],
        hidden: false,
        noIndex: false,
        noRobotsIndex: false,
        urls: { app: links.app(`/s/${space._id}/${path.split('/').map(encodeURIComponent).join('/')}`) },
        computed: { type: 'builtin:openapi', props: ofPage, dependencies },
        computedSeed: id,
        pages: await present(below, path),
      });
    }
    return pages;
  };
  return { pages: await present(pagesOf(outline, props), ''), files: [], reusableContents: [] };
}

function isOfSpec(source: ComputedRevisionSource): source is SpecSource {
  return source.type === 'builtin:openapi';
}

/** An id that depends only on the seed and the name of the page, so that it survives other versions. */
function idOf(seed: string, name: string): string {
  return createHash('sha256')
    .update(`${seed}\n${name}`)
    .digest('base64')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 20);
}
