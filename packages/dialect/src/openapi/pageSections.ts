import type { ComputedDocumentSource, DocumentBlock } from '@bindery/contract';
import { contentOfPage } from './documents.ts';
import type { SpecificationOutline } from './outline.ts';
import { textIn } from './specification.ts';

/** A part of a page with its text, for searches. The first has the text of the page itself, and no title. */
export type PageSection = { title: string; text: string };

type SpecificationSource = Extract<ComputedDocumentSource, { type: 'builtin:openapi' }>;

/**
 * Prepares to list the sections of pages of `pagesOf`: their texts as Markdown, each operation with its
 * title, method and path, and the names of schemas.
 */
export function sectionsIn(
  outline: SpecificationOutline,
): (source: Pick<SpecificationSource, 'props' | 'dependencies'>) => PageSection[] {
  const titles = new Map([
    ...outline.operations.map(({ method, path, title }) => [`${method} ${path}`, title] as const),
    ...outline.webhooks.map(({ method, name, title }) => [`${method} ${name}`, title] as const),
  ]);
  return (source) => {
    const content = contentOfPage(outline, source);
    if (!content) return [];
    return [{ title: '', text: content.markdown }, ...content.blocks.map((each) => sectionOf(each, titles))];
  };
}

function sectionOf({ data = {} }: DocumentBlock, titles: ReadonlyMap<string, string>): PageSection {
  if (Array.isArray(data['schemas'])) return { title: '', text: data['schemas'].join(' ') };
  const [method, name] = [textIn(data, 'method'), textIn(data, 'path') || textIn(data, 'name')];
  return { title: titles.get(`${method} ${name}`) ?? '', text: `${method.toUpperCase()} ${name}` };
}
