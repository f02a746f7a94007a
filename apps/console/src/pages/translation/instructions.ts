import { emptyDocument, type DocumentNode, type DocumentTree } from '@bindery/contract';

/** Writes plain text as a document; blank lines separate its paragraphs. */
export function instructionsOf(text: string): DocumentTree {
  const paragraphs = text.split(/\n[^\S\n]*\n/).filter((one) => one.trim() !== '');
  return { ...emptyDocument, nodes: paragraphs.map((one) => paragraphOf(one.trim())) };
}

function paragraphOf(text: string): DocumentTree['nodes'][number] {
  const leaves = [{ object: 'leaf' as const, text, marks: [] }];
  return { object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves }] };
}

/** The text of instructions in plain paragraphs; undefined for others, which a form would spoil. */
export function plainTextOf({ nodes }: DocumentTree): string | undefined {
  const paragraphs = nodes.map(({ type, nodes: inner = [] }) =>
    type === 'paragraph' && inner.every(isPlain) ? inner.map(wordsOf).join('') : undefined,
  );
  return paragraphs.includes(undefined) ? undefined : paragraphs.join('\n\n');
}

function isPlain(node: DocumentNode): boolean {
  return node.object === 'text' && node.leaves.every(({ marks }) => marks.length === 0);
}

function wordsOf(node: DocumentNode): string {
  return node.object === 'text' ? node.leaves.map(({ text }) => text).join('') : '';
}
