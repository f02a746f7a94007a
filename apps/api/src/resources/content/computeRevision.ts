import { createHash } from 'node:crypto';
import { slugOfTitle } from '@bindery/dialect/repository-format';
import type {
  ComputedDocumentSource,
  ComputedRevision,
  ComputedRevisionSource,
  Page,
} from '@bindery/contract';
import type { SpaceRecord } from '@bindery/models';
import { notComputed } from './document/computeDocument.ts';
import { presentLayout } from '../../presenters/content.presenter.ts';
import { loadSpecContent, type SpecContent, type SpecReading } from './shown/specContent.ts';

type SpecSource = Extract<ComputedRevisionSource, { type: 'builtin:openapi' }>;
type SpecProps = Extract<ComputedDocumentSource, { type: 'builtin:openapi' }>['props'];
type Plan = { title: string; props: SpecProps; pages?: Plan[] };

/**
 * Computes the pages of a specification: one for each tag, with the operations on it or on pages below it,
 * and one for the models. Each page contains the source of its document.
 *
 * @throws precondition_failed for a source that is not a specification
 */
export async function computeRevision(
  { source, seed }: { source: ComputedRevisionSource; seed: string },
  { space, ...reading }: SpecReading & { space: SpaceRecord },
): Promise<ComputedRevision> {
  const { links } = reading.platform;
  if (!isOfSpec(source)) throw notComputed(source.type);
  const { dependencies } = source;
  const plans = planOf(source, await loadSpecContent(dependencies.spec.ref.spec, reading));
  const present = (list: readonly Plan[], above: string): Page[] => {
    const slugs = new Map<string, number>();
    return list.map(({ title, props, pages = [] }) => {
      const plain = slugOfTitle(title, 'page');
      const count = (slugs.get(plain) ?? 0) + 1;
      slugs.set(plain, count);
      const slug = count === 1 ? plain : `${plain}-${count}`;
      const path = above === '' ? slug : `${above}/${slug}`;
      const id = idOf(seed, path);
      return {
        id,
        title,
        type: 'document',
        kind: 'sheet',
        slug,
        path,
        layout: presentLayout(),
        tags: [],
        hidden: false,
        noIndex: false,
        noRobotsIndex: false,
        urls: { app: links.app(`/s/${space._id}/${path.split('/').map(encodeURIComponent).join('/')}`) },
        computed: { type: 'builtin:openapi', props, dependencies },
        computedSeed: id,
        pages: present(pages, path),
      };
    });
  };
  return { pages: present(plans, ''), files: [], reusableContents: [] };
}

function planOf({ props: { models, grouping } }: SpecSource, content: SpecContent): Plan[] {
  const tags = content.tags.map(({ name }): Plan => {
    if (grouping !== 'by-operation') return { title: name, props: { doc: 'operations', page: name } };
    const operations = content.operations.filter(({ tags: of }) => of.includes(name));
    return {
      title: name,
      props: { doc: 'tag', page: name },
      pages: operations.map(({ title, path, method, isDeprecated }) => ({
        title,
        props: { doc: 'operation', page: path, method, ...(isDeprecated && { deprecated: true }) },
      })),
    };
  });
  return models && content.models.length > 0
    ? [...tags, { title: 'Models', props: { doc: 'models' } }]
    : tags;
}

function isOfSpec(source: ComputedRevisionSource): source is SpecSource {
  return source.type === 'builtin:openapi';
}

/**
 * An id that depends only on the seed and the path, so that it survives other changes of the specification.
 */
function idOf(seed: string, path: string): string {
  return createHash('sha256')
    .update(`${seed}\n${path}`)
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 20);
}
