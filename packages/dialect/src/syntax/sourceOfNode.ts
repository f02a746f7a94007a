import type { Nodes } from 'mdast';

/** Returns the range of a Markdown node in its source; undefined for a generated node. */
export function rangeOf(node: Nodes): [number, number] | undefined {
  const { position } = node as { position?: { start: { offset?: number }; end: { offset?: number } } };
  const { start, end } = position ?? {};
  return start?.offset === undefined || end?.offset === undefined ? undefined : [start.offset, end.offset];
}

/** Returns the source of a Markdown node. */
export function sourceOfNode(node: Nodes, source: string): string {
  const range = rangeOf(node);
  return range ? source.slice(...range) : '';
}
