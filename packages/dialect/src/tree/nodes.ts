import type {
  BlockType,
  DocumentBlock,
  DocumentFragment,
  DocumentInline,
  DocumentNode,
  DocumentText,
  InlineType,
  MarkType,
} from '@bindery/contract';
import { isVoidBlock } from '@bindery/contract/documentPlaces';
import { emojiOfCode } from './emoji.ts';

export type Leaf = DocumentText['leaves'][number];
export type Mark = Leaf['marks'][number];
/** The content of a paragraph. */
export type Flow = DocumentText | DocumentInline;
export type Data = Record<string, unknown>;

/**
 * An unresolved reference: the target as written. Only trees of `parseDocument` contain these;
 * `resolveDocument` replaces them by references to content.
 */
export type TargetReference = { kind: 'target'; target: string };

export function target(written: string): TargetReference {
  return { kind: 'target', target: written };
}

type Parts = {
  data?: Data;
  nodes?: DocumentBlock[] | Flow[];
  fragments?: DocumentFragment[];
  meta?: { id: string };
};

export function block(type: BlockType, parts: Parts = {}): DocumentBlock {
  return { object: 'block', type, isVoid: isVoidBlock(type), ...parts };
}

export function inline(type: InlineType, parts: Parts): DocumentInline {
  return { object: 'inline', type, isVoid: type !== 'link' && type !== 'annotation', ...parts };
}

export function text(leaves: Leaf[]): DocumentText {
  return { object: 'text', leaves };
}

export function leaf(words: string, marks: readonly Mark[] = []): Leaf {
  return { object: 'leaf', text: words, marks: [...marks] };
}

export function mark(type: MarkType, data?: Data): Mark {
  return { object: 'mark', type, ...(data && { data }) };
}

export function fragment(name: string, nodes: DocumentBlock[]): DocumentFragment {
  return { object: 'fragment', fragment: name, type: name, nodes };
}

export function paragraph(nodes: Flow[], data?: Data): DocumentBlock {
  return block('paragraph', { ...(data && { data }), nodes: nodes.length > 0 ? nodes : [text([])] });
}

/** Makes a paragraph of plain text, for content without another form. */
export function plainParagraph(words: string): DocumentBlock {
  return paragraph([text(words === '' ? [] : [leaf(words)])]);
}

/** Copies a node with other nodes inside: those of its fragments too, after its own. */
export function withInside<T extends DocumentBlock | DocumentInline>(
  node: T,
  replaced: (nodes: readonly DocumentNode[]) => DocumentNode[],
): T {
  const { nodes, fragments } = node;
  return {
    ...node,
    ...(nodes && { nodes: replaced(nodes) }),
    ...(fragments && { fragments: fragments.map((each) => ({ ...each, nodes: replaced(each.nodes) })) }),
  };
}

/** Returns the text of a node and of all nodes in it. */
export function wordsOf(node: DocumentBlock | Flow): string {
  if (node.object === 'text') return node.leaves.map((each) => each.text).join('');
  if (node.object === 'inline' && node.type === 'emoji') return emojiOfCode(String(node.data?.['code']));
  return (node.nodes ?? []).map(wordsOf).join('');
}

/** Drops undefined properties of data. */
export function present(data: Data): Data {
  for (const key of Object.keys(data)) if (data[key] === undefined) delete data[key];
  return data;
}
