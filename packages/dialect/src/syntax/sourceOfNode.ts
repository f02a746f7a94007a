import type { Nodes } from 'mdast';

/** Where a node of Markdown stands in its source; nothing for one that was made. */
export function rangeOf(node: Nodes): [number, number] | undefined {
  const { position } = node as { position?: { start: { offset?: number }; end: { offset?: number } } };
  const { start, end } = position ?? {};
  return start?.offset === undefined || end?.offset === undefined ? undefined : [start.offset, end.offset];
}

/** A node as it was written. */
export function sourceOfNode(node: Nodes, source: string): string {
  const range = rangeOf(node);
  return range ? source.slice(...range) : '';
}
