import type { DocumentBlock, DocumentInline, DocumentNode, DocumentTree } from '@bindery/contract';
import { isSafeTarget } from '@bindery/contract/linkTarget';
import { leaf, paragraph, text, type Data } from '../tree/nodes.ts';
import { cellReferences, useOfType } from './referenceUses.ts';

/**
 * Removes unsafe references (`isSafeTarget`) from a document. A link is reduced to its text, and a button, a
 * mention or an image to its name. Returns a tree without such references unchanged.
 */
export function withSafeReferences(tree: DocumentTree): DocumentTree {
  const nodes = safeNodes(tree.nodes);
  return nodes === tree.nodes ? tree : { ...tree, nodes: nodes as DocumentBlock[] };
}

type Element = DocumentBlock | DocumentInline;

/** Returns the same array when nothing in it changes. */
function safeNodes(nodes: DocumentNode[]): DocumentNode[] {
  const made = nodes.map((node) => (node.object === 'text' ? [node] : safeElement(node)));
  return made.every((each, index) => each.length === 1 && each[0] === nodes[index]) ? nodes : made.flat();
}

function safeElement(given: Element): DocumentNode[] {
  const node = withSafeParts(given);
  const { data = {}, type } = node;
  const use = useOfType[type] === 'image' ? 'picture' : 'link';
  if (type === 'table') return [withData(node, safeCells(data))];
  if (type === 'images')
    return (node.nodes ?? []).length > 0 || node === given ? [node] : [wordsInstead(node, namesOf(given))];
  if (type === 'embed') return isSafeUrl(data['url']) ? [node] : [wordsInstead(node, String(data['url']))];
  if (type === 'integration') return [isSafeUrl(data['url']) ? node : withData(node, without(data, 'url'))];
  if (!isSafeReference(data['ref'], use)) {
    if (type === 'link') return node.nodes ?? [];
    // Once all its images are removed, the surrounding block of images is replaced.
    return type === 'image' ? [] : [wordsInstead(node, nameOf(data))];
  }
  return [isSafeReference(data['refDark'], use) ? node : withData(node, without(data, 'refDark'))];
}

function withSafeParts<T extends Element>(node: T): T {
  const nodes = node.nodes && safeNodes(node.nodes);
  const fragments = node.fragments?.map((each) => {
    const inside = safeNodes(each.nodes);
    return inside === each.nodes ? each : { ...each, nodes: inside };
  });
  const isSame =
    nodes === node.nodes && (fragments?.every((each, index) => each === node.fragments?.[index]) ?? true);
  return isSame ? node : { ...node, ...(nodes && { nodes }), ...(fragments && { fragments }) };
}

function isSafeReference(ref: unknown, use: 'link' | 'picture'): boolean {
  const { kind, url, target } = (ref ?? {}) as { kind?: unknown; url?: unknown; target?: unknown };
  if (kind === 'url') return isSafeUrl(url, use);
  return kind !== 'target' || isSafeUrl(target, use);
}

function isSafeUrl(url: unknown, use?: 'link' | 'picture'): boolean {
  return typeof url !== 'string' || isSafeTarget(url, use);
}

function wordsInstead({ object, key }: Element, words: string): DocumentNode {
  const inText = {
    ...text(words === '' ? [] : [leaf(words)]),
    ...(key !== undefined && { key: object === 'inline' ? key : `${key}.1` }),
  };
  return object === 'inline' ? inText : { ...paragraph([inText]), ...(key !== undefined && { key }) };
}

function namesOf({ nodes = [] }: Element): string {
  return nodes
    .flatMap((node) => (node.object === 'text' ? [] : [nameOf(node.data ?? {})]))
    .join(' ')
    .trim();
}

function nameOf(data: Data): string {
  const name = [data['label'], data['caption'], data['alt'], data['path']].find(
    (each) => typeof each === 'string' && each !== '',
  );
  return (name as string | undefined) ?? '';
}

function withData<T extends Element>(node: T, data: Data): T {
  return node.data === undefined || data === node.data ? node : { ...node, data };
}

function without(data: Data, name: string): Data {
  const { [name]: _, ...rest } = data;
  return rest;
}

function safeCells(data: Data): Data {
  const changed = [...cellReferences(data)].flatMap(({ record, column, use, value }) =>
    isSafeCell(value, use === 'image' ? 'picture' : 'link') ? [] : [{ record, column }],
  );
  if (changed.length === 0) return data;
  const records = { ...(data['records'] as Record<string, { orderIndex: string; values: Data }>) };
  for (const { record, column } of changed) {
    const { orderIndex, values } = records[record] as { orderIndex: string; values: Data };
    records[record] = { orderIndex, values: { ...values, [column]: null } };
  }
  return { ...data, records };
}

function isSafeCell(value: unknown, use: 'link' | 'picture'): boolean {
  return isSafeReference(value, use) && isSafeReference((value as { ref?: unknown }).ref, use);
}
