import type { ComputedDocumentSource, DocumentBlock } from '@bindery/contract';
import { block } from '../tree/nodes.ts';
import { allInfoPages } from './infoPages.ts';
import type { SpecificationOutline } from './outline.ts';
import { idOfTag, isWebhooksPage, operationsOfTags } from './pages.ts';

type SpecificationSource = Extract<ComputedDocumentSource, { type: 'builtin:openapi' }>;

/**
 * The parts of the document of a page: its text as Markdown, or as a document that nobody checked, and the
 * blocks below it.
 */
export type PageContent = { markdown: string; document?: unknown; blocks: DocumentBlock[] };

/**
 * Makes the document of a page of `pagesOf`.
 *
 * @returns undefined when the specification has no such page any more
 */
export function contentOfPage(
  outline: SpecificationOutline,
  { props, dependencies }: Pick<SpecificationSource, 'props' | 'dependencies'>,
): PageContent | undefined {
  const { ref } = dependencies.spec;
  if (props.doc === 'models') return onlyBlocks(schemasOf(ref, outline));
  if (props.doc === 'info') {
    const page = allInfoPages(outline.info).find(({ id }) => id === props.page);
    return page && { markdown: page.markdown, blocks: [] };
  }
  if (props.doc === 'operation') {
    const found =
      props.method === 'hook' ? webhooksOf(ref, outline, props.page) : operationOf(ref, outline, props);
    return found.length > 0 ? onlyBlocks(found) : undefined;
  }
  const hasBlocks = props.doc === 'operations';
  if (isWebhooksPage(props.page))
    return outline.webhooks.length > 0 ? onlyBlocks(hasBlocks ? webhooksOf(ref, outline) : []) : undefined;
  return tagContent(ref, outline, { page: props.page, hasBlocks });
}

type SpecRef = SpecificationSource['dependencies']['spec']['ref'];

function tagContent(
  ref: SpecRef,
  outline: SpecificationOutline,
  { page, hasBlocks }: { page: string; hasBlocks: boolean },
): PageContent | undefined {
  const tag = outline.tags.find(({ name }) => idOfTag(name) === page);
  const [, operations] = [...operationsOfTags(outline)].find(([name]) => idOfTag(name) === page) ?? [];
  if (tag ? tag.isHidden : !operations) return undefined;
  return {
    markdown: tag?.description ?? '',
    document: tag?.descriptionDocument,
    blocks: hasBlocks ? (operations ?? []).map(({ path, method }) => operationBlock(ref, path, method)) : [],
  };
}

function onlyBlocks(blocks: DocumentBlock[]): PageContent {
  return { markdown: '', blocks };
}

function operationOf(
  ref: SpecRef,
  { operations }: SpecificationOutline,
  asked: { page: string; method: string },
): DocumentBlock[] {
  const found = operations.find(({ path, method }) => path === asked.page && method === asked.method);
  return found ? [operationBlock(ref, found.path, found.method)] : [];
}

function operationBlock(ref: SpecRef, path: string, method: string): DocumentBlock {
  return block('openapi-operation', { data: { ref, path, method } });
}

/** @param name  of a webhook; without it, all of them */
function webhooksOf(ref: SpecRef, { webhooks }: SpecificationOutline, name?: string): DocumentBlock[] {
  return webhooks
    .filter((webhook) => name === undefined || webhook.name === name)
    .map((webhook) =>
      block('openapi-webhook', { data: { ref, name: webhook.name, method: webhook.method } }),
    );
}

function schemasOf(ref: SpecRef, { schemas }: SpecificationOutline): DocumentBlock[] {
  return schemas.length > 0 ? [block('openapi-schemas', { data: { ref, schemas, grouped: true } })] : [];
}
