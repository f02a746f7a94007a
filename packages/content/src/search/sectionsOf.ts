import type { DocumentFragment, DocumentNode, DocumentTree } from '@bindery/contract';
import type { IndexedSectionRecord } from '@bindery/models';

/** Of a longer page the rest cannot be found. */
const maxCharacters = 200_000;

/**
 * The text of a document, cut at its headings: what stands before the first one is a section with neither anchor nor title.
 *
 * All that a reader sees counts, also titles of tabs, captions, and code; not where links lead. Sections without any text are left out when they
 * have no title either.
 */
export function sectionsOf({ nodes }: DocumentTree): IndexedSectionRecord[] {
  const sections: (Omit<IndexedSectionRecord, 'text'> & { lines: string[] })[] = [{ id: '', title: '', lines: [] }];
  let room = maxCharacters;
  const add = (line: string) => {
    const text = line.replaceAll(/\s+/g, ' ').trim().slice(0, room).toWellFormed();
    room -= text.length;
    if (text !== '') sections.at(-1)?.lines.push(text);
  };
  const visit = (node: DocumentNode | DocumentFragment): void => {
    if (room <= 0) return;
    if (node.object === 'text') return add(inlineText([node]));
    if (node.object === 'fragment') return visitAll(node.nodes);
    if (node.object === 'block' && node.type.startsWith('heading-')) {
      const title = inlineText(node.nodes ?? [])
        .replaceAll(/\s+/g, ' ')
        .trim();
      room -= title.length;
      sections.push({ id: node.meta?.id ?? '', title, lines: [] });
      return;
    }
    for (const name of shownFields) {
      const value = node.data?.[name];
      if (typeof value === 'string') add(value);
    }
    if (node.type === 'table') for (const title of columnTitles(node.data?.['definition'])) add(title);
    visitAll(node.nodes ?? []);
    for (const fragment of node.fragments ?? []) visit(fragment);
  };
  // Inlines and texts that stand side by side are one line.
  const visitAll = (children: readonly DocumentNode[]): void => {
    if (children.some(({ object }) => object !== 'block')) add(inlineText(children));
    else for (const child of children) visit(child);
  };
  visitAll(nodes);
  return sections
    .filter(({ title, lines }) => title !== '' || lines.length > 0)
    .map(({ id, title, lines }) => ({ id, title, text: lines.join('\n') }));
}

/** Fields of `data` that hold text for readers. */
const shownFields = ['title', 'alt', 'caption', 'label', 'formula', 'description', 'method', 'path'] as const;

function columnTitles(definition: unknown): string[] {
  if (typeof definition !== 'object' || definition === null) return [];
  return Object.values(definition).flatMap((column: { title?: unknown }) => (typeof column.title === 'string' ? [column.title] : []));
}

function inlineText(nodes: readonly DocumentNode[]): string {
  let text = '';
  for (const node of nodes) {
    if (node.object === 'text') for (const leaf of node.leaves) text += leaf.text;
    else {
      for (const name of shownFields) {
        const value = node.data?.[name];
        if (typeof value === 'string') text += value;
      }
      text += inlineText(node.nodes ?? []);
    }
  }
  return text;
}
