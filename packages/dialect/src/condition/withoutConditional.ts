import type { DocumentNode, DocumentTree } from '@bindery/contract';

const endOfTag = '%}';

/**
 * Removes conditional blocks from a source: everything from an opening tag to its closing tag, or to the end.
 * An unterminated tag is text.
 *
 * Takes linear time, because anybody can request pages of unknown authors.
 */
export function withoutConditional(markdown: string): string {
  const opening = /\{%-?\s*(if|endif)\b/g;
  let shown = '';
  let position = 0;
  let depth = 0;
  for (let match = opening.exec(markdown); match; match = opening.exec(markdown)) {
    const end = markdown.indexOf(endOfTag, opening.lastIndex);
    // Then no later tag is terminated either.
    if (end < 0) break;
    if (depth === 0) shown += markdown.slice(position, match.index);
    depth = match[1] === 'if' ? depth + 1 : Math.max(0, depth - 1);
    position = end + endOfTag.length;
    opening.lastIndex = position;
  }
  return depth === 0 ? shown + markdown.slice(position) : shown;
}

/**
 * Tells whether a document contains the tag of a conditional block as text, because the block is broken or
 * the page is too large to parse.
 */
export function hasTagText({ nodes }: DocumentTree): boolean {
  return nodes.some(hasTagIn);
}

function hasTagIn(node: DocumentNode): boolean {
  if (node.object === 'text') return tag.test(node.leaves.map(({ text }) => text).join(''));
  // Titles, captions and cells.
  if (node.data && tag.test(JSON.stringify(node.data))) return true;
  // Code shows such a tag on purpose.
  if (node.type === 'code') return false;
  return [...(node.nodes ?? []), ...(node.fragments ?? []).flatMap(({ nodes }) => nodes)].some(hasTagIn);
}

const tag = /\{%-?\s*(?:if|endif)\b/;
