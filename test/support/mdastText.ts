import type { fromMarkdown } from 'mdast-util-from-markdown';

export type MdastRoot = ReturnType<typeof fromMarkdown>;
export type MdastNode = MdastRoot | MdastRoot['children'][number];

/**
 * Returns the plain text of a Markdown node on one line: images as their alternative text, no HTML except a
 * break as a space.
 */
export function mdastText(node: MdastNode): string {
  if (node.type === 'html') return /^<br\b/i.test(node.value) ? ' ' : '';
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? '';
  if (node.type === 'break') return ' ';
  if ('children' in node) return node.children.map(mdastText).join('');
  return 'value' in node ? node.value.replaceAll(/\r?\n/g, ' ') : '';
}

export function* mdastNodes(node: MdastNode): Iterable<MdastNode> {
  yield node;
  if ('children' in node) for (const child of node.children) yield* mdastNodes(child);
}
