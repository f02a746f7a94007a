import type { DocumentBlock, DocumentInline, DocumentNode, DocumentTree } from '@bindery/contract';
import { isSafeTarget } from '@bindery/contract/linkTarget';
import type { LinkUse, Resolve } from '../links/resolve.ts';
import type { ContentReference } from '../links/contentReference.ts';
import { shrunkToLimits } from './shrinkToLimits.ts';
import { block, inline, leaf, text, withInside, type Data } from '../tree/nodes.ts';
import { cellReferences, useOfType } from './referenceUses.ts';
import { withSafeReferences } from './safeReferences.ts';

/** The replacement for a missing reusable content: its tag, a note, or nothing. */
export type MissingContent = 'tag' | 'note' | 'nothing';

type Resolving = { resolve: Resolve; missing: MissingContent };

/**
 * Replaces targets by references to content. A target without a reference becomes a URL as written; a block
 * that requires a file then becomes a paragraph with a link. An unsafe link is reduced to its text. Does not
 * change the given tree.
 */
export function resolveDocument(
  tree: DocumentTree,
  resolve: Resolve,
  { missing = 'tag' }: { missing?: MissingContent } = {},
): DocumentTree {
  const nodes = resolveNodes(tree.nodes, { resolve, missing }) as DocumentBlock[];
  return withSafeReferences({ ...tree, nodes: shrunkToLimits(nodes) });
}

function resolveNodes(nodes: readonly DocumentNode[], resolving: Resolving): DocumentNode[] {
  return nodes.flatMap((node) => resolveNode(node, resolving) ?? []);
}

/** @returns undefined for a node to be removed */
function resolveNode(node: DocumentNode, { resolve, missing }: Resolving): DocumentNode | undefined {
  if (node.object === 'text') return node;
  const within = (nodes: readonly DocumentNode[]) => {
    const resolved = resolveNodes(nodes, { resolve, missing });
    // Replaces the last node of a container if only a missing content was in it.
    return resolved.length === 0 && nodes.length > 0 ? [textParagraph('', nodes[0]?.key ?? '')] : resolved;
  };
  const inside = <T extends DocumentBlock | DocumentInline>(given: T): T => {
    const isEmpty = !given.nodes?.length && !given.fragments?.length;
    return isEmpty ? given : withInside(given, within);
  };
  if (node.object === 'block' && node.type === 'table')
    return inside({ ...node, data: resolvedCells(node.data ?? {}, resolve) });
  const use = useOfType[node.type];
  if (!use || !node.data) return inside(node);
  const written = targetIn(node.data['ref']);
  const dark = targetIn(node.data['refDark']);
  if (written === undefined && dark === undefined) return inside(node);
  const ref = written === undefined ? node.data['ref'] : referenceFor(written, use, resolve);
  const data: Data = {
    ...node.data,
    ref,
    ...(dark !== undefined && { refDark: referenceFor(dark, use, resolve) }),
  };
  const made = inside({ ...node, data });
  return made.object === 'block' && written !== undefined ? fallback(made, { written, missing }) : made;
}

function targetIn(ref: unknown): string | undefined {
  const { kind, target } = (ref ?? {}) as { kind?: unknown; target?: unknown };
  return kind === 'target' && typeof target === 'string' ? target : undefined;
}

function referenceFor(target: string, use: LinkUse, resolve: Resolve): ContentReference {
  const ref = resolve(target, use) ?? { kind: 'url', url: target };
  const isPicture = ref.kind === 'file' || ref.kind === 'url';
  return use === 'image' && !isPicture ? { kind: 'url', url: target } : ref;
}

/** Replaces a block whose reference has a kind that it does not permit. */
function fallback(
  given: DocumentBlock,
  { written, missing }: { written: string; missing: MissingContent },
): DocumentBlock | undefined {
  const { type, data = {}, key = '' } = given;
  const ref = data['ref'] as ContentReference | { kind: 'openapi'; spec: string };
  if (type === 'file')
    return ref.kind === 'file' ? given : linkParagraph(ref, { key, title: nameIn(written) });
  if (type === 'reusable-content' && ref.kind !== 'reusable-content') {
    if (missing === 'nothing') return undefined;
    return missing === 'tag' ? textParagraph(`{% include "${written}" %}`, key) : noteOfMissing(written, key);
  }
  if (type === 'drawing' && ref.kind !== 'file') {
    const image = {
      ...block('image', { data: { ref: { kind: 'url', url: written } }, fragments: [] }),
      key: `${key}.1`,
    };
    return { ...block('images', { data: {}, nodes: [image] }), key };
  }
  if (type !== 'swagger' || ref.kind === 'file' || ref.kind === 'url') return given;
  if (ref.kind !== 'openapi') return { ...given, data: { ...data, ref: { kind: 'url', url: written } } };
  const { expanded: _expanded, fullWidth: _fullWidth, ...kept } = data;
  return { ...block('openapi-operation', { data: kept }), key };
}

function nameIn(target: string): string {
  return (
    target
      .split(/[?#]/, 1)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? target
  );
}

function linkParagraph(ref: unknown, { key, title }: { key: string; title: string }): DocumentBlock {
  const words = { ...text([leaf(title === '' ? 'file' : title)]), key: `${key}.2` };
  return {
    ...block('paragraph', {
      nodes: [{ ...inline('link', { data: { ref }, nodes: [words] }), key: `${key}.1` }],
    }),
    key,
  };
}

function textParagraph(words: string, key: string): DocumentBlock {
  return {
    ...block('paragraph', { nodes: [{ ...text(words === '' ? [] : [leaf(words)]), key: `${key}.1` }] }),
    key,
  };
}

function noteOfMissing(written: string, key: string): DocumentBlock {
  const words = `This page includes ${written}, which is not there. Visitors of a site see nothing in this place.`;
  return { ...block('hint', { data: { style: 'warning' }, nodes: [textParagraph(words, `${key}.1`)] }), key };
}

function resolvedCells(data: Data, resolve: Resolve): Data {
  const changed = [...cellReferences(data)].map((place) => ({
    ...place,
    value: resolvedCell(place.value, place.use, resolve),
  }));
  if (changed.length === 0) return data;
  const records = { ...(data['records'] as Record<string, { orderIndex: string; values: Data }>) };
  for (const { record, column, value } of changed) {
    const { orderIndex, values } = records[record] as { orderIndex: string; values: Data };
    records[record] = { orderIndex, values: { ...values, [column]: value } };
  }
  return { ...data, records };
}

function resolvedCell(value: unknown, use: LinkUse, resolve: Resolve): unknown {
  const { kind, target, targets, ref } = value as {
    kind?: string;
    target?: string;
    targets?: string[];
    ref?: unknown;
  };
  if (kind === 'target' && target !== undefined) return referenceFor(target, use, resolve);
  if (kind === 'targets') {
    return (targets ?? []).flatMap((each) => {
      const file = resolve(each, use);
      // A list of files contains their ids; other targets stay as written.
      if (file?.kind === 'file') return [file.file];
      return isSafeTarget(each) ? [each] : [];
    });
  }
  const inner = targetIn(ref);
  return inner === undefined ? value : { ...(value as Data), ref: referenceFor(inner, use, resolve) };
}
