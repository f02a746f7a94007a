import type { DocumentFragment, DocumentNode, DocumentTree } from '@bindery/contract';
import type { IndexedSectionRecord } from '@bindery/models';
import { conditionsIn } from '@bindery/dialect';

/** Text beyond this length is not indexed. */
const maxCharacters = 200_000;

/**
 * A heading with the text below it, or a part of that; `isContinued` if it continues the previous section.
 * All of it has the same conditions.
 */
export type TextPiece = {
  id: string;
  title: string;
  lines: string[];
  conditions: readonly string[];
  isContinued?: true;
};

/**
 * Extracts the text of a document, split at its headings and where conditions begin and end: the text before
 * the first heading has neither anchor nor title.
 *
 * Includes all visible text, also titles of tabs, captions and code, but not the targets of links.
 */
export function piecesOf({ nodes }: DocumentTree): TextPiece[] {
  let conditions: readonly string[] = [];
  let piece: TextPiece = { id: '', title: '', lines: [], conditions };
  const pieces = [piece];
  let room = maxCharacters;
  const begin = (fields: Pick<TextPiece, 'id' | 'title' | 'isContinued'>) =>
    pieces.push((piece = { ...fields, lines: [], conditions }));
  const add = (line: string) => {
    const text = line.replaceAll(/\s+/g, ' ').trim().slice(0, room).toWellFormed();
    room -= text.length;
    if (text === '') return;
    if (piece.conditions !== conditions) begin({ id: '', title: '', isContinued: true });
    piece.lines.push(text);
  };
  const visit = (node: DocumentNode | DocumentFragment): void => {
    if (room <= 0) return;
    if (node.object === 'text') return add(inlineText([node]));
    if (node.object === 'fragment') return visitAll(node.nodes);
    const outer = conditions;
    conditions = conditionsIn(node, outer);
    visitBlock(node);
    conditions = outer;
  };
  const visitBlock = (node: Exclude<DocumentNode, { object: 'text' }>): void => {
    if (node.object === 'block' && node.type.startsWith('heading-')) {
      const title = inlineText(node.nodes ?? [])
        .replaceAll(/\s+/g, ' ')
        .trim();
      room -= title.length;
      begin({ id: node.meta?.id ?? '', title });
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
  // Adjacent inlines and texts form one line.
  const visitAll = (children: readonly DocumentNode[]): void => {
    if (children.every(({ object }) => object !== 'block')) add(inlineText(children));
    else for (const child of children) visit(child);
  };
  visitAll(nodes);
  return pieces;
}

/**
 * Joins pieces to the sections as a reader sees them who sees all pieces. Omits sections without a text and a
 * title.
 */
export function sectionsOf(
  pieces: readonly Pick<TextPiece, 'id' | 'title' | 'lines' | 'isContinued'>[],
): IndexedSectionRecord[] {
  const sections: { id: string; title: string; lines: string[] }[] = [];
  for (const { id, title, lines, isContinued } of pieces) {
    const last = sections.at(-1);
    if (isContinued && last) last.lines.push(...lines);
    else sections.push({ id, title, lines: [...lines] });
  }
  return sections
    .filter(({ title, lines }) => title !== '' || lines.length > 0)
    .map(({ id, title, lines }) => ({ id, title, text: lines.join('\n') }));
}

/** Fields of `data` that contain visible text. */
const shownFields = ['title', 'alt', 'caption', 'label', 'formula', 'description', 'method', 'path'] as const;

function columnTitles(definition: unknown): string[] {
  if (typeof definition !== 'object' || definition === null) return [];
  return Object.values(definition).flatMap((column: { title?: unknown }) =>
    typeof column.title === 'string' ? [column.title] : [],
  );
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
