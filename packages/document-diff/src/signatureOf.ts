import type { DocumentFragment, DocumentNode } from '@bindery/contract';

/** Writes everything that two equal nodes have in common: all but their keys. */
export function signatureOf(node: DocumentNode | DocumentFragment): string {
  if (node.object === 'text') {
    let text = '';
    for (const leaf of node.leaves)
      text += leaf.marks.length === 0 ? `t${quoted(leaf.text)}` : `m${JSON.stringify(leaf)}`;
    return text;
  }
  const parts = [node.type ?? ''];
  if (node.object === 'fragment') parts.push(node.fragment ?? '');
  else if (node.data) parts.push(canonical(node.data));
  for (const inner of node.nodes ?? []) parts.push(signatureOf(inner));
  if (node.object !== 'fragment')
    for (const fragment of node.fragments ?? []) parts.push(`f${signatureOf(fragment)}`);
  return `(${parts.join(' ')})`;
}

/** The length first keeps the ends of texts apart. */
function quoted(text: string): string {
  return `${text.length}:${text}`;
}

/** JSON with sorted names. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`)
    .join()}}`;
}
