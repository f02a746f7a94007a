import type { ComputedDocumentSource } from '@bindery/contract';
import type { InfoPage } from './infoPages.ts';
import {
  shownMethods,
  titleOfTag,
  type OutlineOperation,
  type OutlineTag,
  type OutlineWebhook,
  type SpecificationOutline,
} from './outline.ts';

type SpecificationSource = Extract<ComputedDocumentSource, { type: 'builtin:openapi' }>;

/** A page of a specification. */
export type SpecificationPage = {
  /** Unique among the pages of the specification, and the same in its next version. */
  id: string;
  title: string;
  icon?: string;
  description?: string;
  /** The source of its document. */
  props: SpecificationSource['props'];
  pages: SpecificationPage[];
};

/** The properties of a computed entry in the table of contents. */
export type PagesOptions = { models: boolean; grouping?: 'by-tag' | 'by-operation' | undefined };

/** The page of all webhooks; a specification has no order between them and its tags. */
const webhooksPage = 'webhooks';

/**
 * Lists the pages of a specification: of its information, of its tags in their order, of its webhooks and of
 * its models. GitBook's generator made them first; these have the same ids and titles.
 */
export function pagesOf(outline: SpecificationOutline, options: PagesOptions): SpecificationPage[] {
  return [
    ...outline.info.map(infoPage),
    ...tagPages(outline, options),
    ...webhookPages(outline, options),
    ...(options.models && outline.schemas.length > 0
      ? [{ id: 'models', title: 'Models', props: { doc: 'models' } as const, pages: [] }]
      : []),
  ];
}

function infoPage({ id, title, pages }: InfoPage): SpecificationPage {
  return { id, title: title || 'Untitled', props: { doc: 'info', page: id }, pages: pages.map(infoPage) };
}

/**
 * A tag has a page when it has operations, or is above a tag that has. A tag whose parent is unknown, or in
 * the end itself, is at the top.
 */
function tagPages(outline: SpecificationOutline, options: PagesOptions): SpecificationPage[] {
  const operations = operationsOfTags(outline);
  const declared = new Map(outline.tags.map((tag) => [tag.name, tag]));
  const children = new Map<string | undefined, OutlineTag[]>();
  for (const tag of outline.tags) {
    if (tag.isHidden) continue;
    const parent = isInRing(tag, declared) ? undefined : parentOf(tag, declared)?.name;
    children.set(parent, [...(children.get(parent) ?? []), tag]);
  }
  const pageOf = (tag: OutlineTag): SpecificationPage[] => {
    const own = operations.get(tag.name) ?? [];
    const below = (children.get(tag.name) ?? []).flatMap(pageOf);
    if (own.length === 0 && below.length === 0) return [];
    const { name, title, icon, pageDescription: description } = tag;
    return [tagPage({ name, title, icon, description }, { own, below, options })];
  };
  const undeclared = [...operations].filter(([name]) => !declared.has(name));
  return [
    ...(children.get(undefined) ?? []).flatMap(pageOf),
    ...undeclared.map(([name, own]) =>
      tagPage({ name, title: titleOfTag(name) }, { own, below: [], options }),
    ),
  ];
}

type TagFields = {
  name: string;
  title: string;
  icon?: string | undefined;
  description?: string | undefined;
};
type TagParts = { own: OutlineOperation[]; below: SpecificationPage[]; options: PagesOptions };

function tagPage(
  { name, title, icon, description }: TagFields,
  { own, below, options }: TagParts,
): SpecificationPage {
  const isByOperation = options.grouping === 'by-operation';
  const id = idOfTag(name);
  return {
    id,
    title,
    icon,
    description,
    props: { doc: isByOperation ? 'tag' : 'operations', page: id },
    pages: isByOperation ? [...own.map(operationPage), ...below] : below,
  };
}

function operationPage({ path, method, title, isDeprecated }: OutlineOperation): SpecificationPage {
  return {
    id: `operation-${method} ${path}`,
    title,
    props: {
      doc: 'operation',
      page: path,
      method: method as (typeof shownMethods)[number],
      deprecated: isDeprecated || undefined,
    },
    pages: [],
  };
}

function webhookPages({ webhooks }: SpecificationOutline, { grouping }: PagesOptions): SpecificationPage[] {
  if (webhooks.length === 0) return [];
  const isByOperation = grouping === 'by-operation';
  const pages = [...Map.groupBy(webhooks, ({ name }) => name).values()].map(webhookPage);
  return [
    {
      id: webhooksPage,
      title: 'Webhooks',
      props: { doc: isByOperation ? 'tag' : 'operations', page: webhooksPage },
      pages: isByOperation ? pages : [],
    },
  ];
}

function webhookPage(methods: readonly OutlineWebhook[]): SpecificationPage {
  const [{ name, title }] = methods as [OutlineWebhook];
  const isDeprecated = methods.every((each) => each.isDeprecated);
  return {
    id: `webhook-${name}`,
    title,
    props: { doc: 'operation', page: name, method: 'hook', deprecated: isDeprecated || undefined },
    pages: [],
  };
}

/** The operations on the page of each tag, which the document of the page shows. */
export function operationsOfTags({ operations }: SpecificationOutline): Map<string, OutlineOperation[]> {
  const shown = new Set<string>(shownMethods);
  return Map.groupBy(
    operations.filter(({ method }) => shown.has(method)),
    ({ tag }) => tag,
  );
}

export function idOfTag(name: string): string {
  return `tag-${name}`;
}

export function isWebhooksPage(page: string): boolean {
  return page === webhooksPage;
}

function parentOf({ parent }: OutlineTag, declared: ReadonlyMap<string, OutlineTag>): OutlineTag | undefined {
  const found = parent === undefined ? undefined : declared.get(parent);
  return found?.isHidden ? undefined : found;
}

/** Whether a tag is above itself. A tag below such a ring keeps its place. */
function isInRing(tag: OutlineTag, declared: ReadonlyMap<string, OutlineTag>): boolean {
  const seen = new Set<OutlineTag>();
  for (let above = parentOf(tag, declared); above && !seen.has(above); above = parentOf(above, declared)) {
    if (above === tag) return true;
    seen.add(above);
  }
  return false;
}
