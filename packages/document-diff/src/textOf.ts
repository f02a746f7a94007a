import type { DocumentFragment, DocumentNode } from '@bindery/contract';

type Leaf = Extract<DocumentNode, { object: 'text' }>['leaves'][number];

/** The signs of marks, as in Markdown; other marks have none. */
const signs: Partial<Record<Leaf['marks'][number]['type'], string>> = {
  bold: '**',
  italic: '_',
  code: '`',
  strikethrough: '~~',
};

/**
 * Writes the text of a node with the signs of Markdown, so that a comparison of words also shows changed
 * marks, links and pictures. Blocks are separated by line breaks.
 */
export function textOf(node: DocumentNode | DocumentFragment): string {
  if (node.object === 'text') return node.leaves.map(leafText).join('');
  const inner = childrenOf(node);
  if (node.object === 'inline') return inlineText(node, inner.map(textOf).join(''));
  const isBlockList = inner.some(({ object }) => object === 'block');
  return inner.map(textOf).join(isBlockList ? '\n' : '');
}

/** The nodes in a node, also those in its fragments. */
export function childrenOf(node: DocumentNode | DocumentFragment): DocumentNode[] {
  if (node.object === 'text') return [];
  const inFragments =
    node.object === 'fragment' ? [] : (node.fragments ?? []).flatMap((fragment) => fragment.nodes);
  return [...(node.nodes ?? []), ...inFragments];
}

function leafText({ text, marks }: Leaf): string {
  const around = marks.map(({ type }) => signs[type] ?? '');
  return text === '' ? '' : `${around.join('')}${text}${around.toReversed().join('')}`;
}

function inlineText({ type, data = {} }: Extract<DocumentNode, { object: 'inline' }>, inner: string): string {
  const word = (name: string) => (typeof data[name] === 'string' ? data[name] : '');
  if (type === 'link') return `[${inner}](${targetText(data['ref'])})`;
  if (type === 'button') return `[${word('label')}](${targetText(data['ref'])})`;
  if (type === 'inline-image') return `![${word('alt')}](${targetText(data['ref'])})`;
  if (type === 'inline-math') return `$$${word('formula')}$$`;
  if (type === 'emoji') return `:${word('code')}:`;
  if (type === 'icon') return `:${word('icon')}:`;
  if (type === 'expression') return `{{ ${word('expression')} }}`;
  if (type === 'mention') return `@${targetText(data['ref'])}`;
  return inner;
}

/** The target of a reference in short: its URL or id. */
export function targetText(ref: unknown): string {
  if (typeof ref !== 'object' || ref === null) return '';
  return Object.entries(ref)
    .filter(([name, value]) => name !== 'kind' && name !== 'space' && typeof value === 'string')
    .map(([, value]) => value as string)
    .join('#');
}
