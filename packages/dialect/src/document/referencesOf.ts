import type { DocumentNode, DocumentTree } from '@bindery/contract';
import type { LinkUse } from '../links/resolve.ts';
import type { ContentReference } from '../links/contentReference.ts';
import { conditionsIn } from './conditionChains.ts';
import { cellReferences, useOfType } from './referenceUses.ts';

/**
 * A reference in a document: as written in a parsed tree (`target`), or its meaning in a resolved one
 * (`ref`).
 */
export type FoundReference = {
  target?: string;
  ref?: ContentReference;
  use: LinkUse;
  blockKey: string;
  conditions: readonly string[];
  /** Of a block that shows parts of a specification: its type and data. */
  openapi?: { type: string; data: Record<string, unknown> };
};

/** The block and the conditions around a reference. */
type Position = Pick<FoundReference, 'blockKey' | 'conditions' | 'openapi'>;

/**
 * Yields all references of a document in order, including those of cells, covers and buttons. `blockKey`
 * belongs to the innermost block; `conditions` are outermost first.
 */
export function* referencesOf({ nodes }: DocumentTree): Iterable<FoundReference> {
  for (const node of nodes) yield* referencesIn(node, { blockKey: '', conditions: [] });
}

function* referencesIn(node: DocumentNode, outer: Position): Iterable<FoundReference> {
  if (node.object === 'text') return;
  const position: Position = {
    blockKey: node.object === 'block' ? (node.key ?? outer.blockKey) : outer.blockKey,
    conditions: conditionsIn(node, outer.conditions),
    openapi: node.type.startsWith('openapi-') ? { type: node.type, data: node.data ?? {} } : undefined,
  };
  const use = useOfType[node.type];
  const { ref, refDark } = node.data ?? {};
  if (use) for (const each of [ref, refDark]) yield* found(each, use, position);
  if (node.type === 'table')
    for (const { use: of, value } of cellReferences(node.data ?? {})) yield* found(value, of, position);
  for (const child of node.nodes ?? []) yield* referencesIn(child, position);
  for (const { nodes } of node.fragments ?? [])
    for (const child of nodes) yield* referencesIn(child, position);
}

/** A cell may contain several targets, the ids of files, or a reference with options. */
function* found(value: unknown, use: LinkUse, position: Position): Iterable<FoundReference> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const file of value)
      if (typeof file === 'string') yield { ref: { kind: 'file', file }, use, ...position };
    return;
  }
  const { kind, target, targets, ref } = value as {
    kind?: string;
    target?: string;
    targets?: string[];
    ref?: unknown;
  };
  if (kind === 'target' && target !== undefined) yield { target, use, ...position };
  else if (kind === 'targets') for (const each of targets ?? []) yield { target: each, use, ...position };
  else if (kind !== undefined) yield { ref: value as ContentReference, use, ...position };
  else if (ref !== undefined) yield* found(ref, use, position);
}
