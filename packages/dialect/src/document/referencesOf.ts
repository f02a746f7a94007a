import type { DocumentNode, DocumentTree } from '@bindery/contract';
import type { LinkUse } from '../links/resolve.ts';
import type { ContentReference } from '../links/contentReference.ts';
import { conditionsIn } from './conditionChains.ts';
import { cellPlaces, useOfType } from './referencePlaces.ts';

/** A reference in a document: as it was written in a parsed tree (`target`), or what it means in a resolved one (`ref`). */
export type FoundReference = { target?: string; ref?: ContentReference; use: LinkUse; blockKey: string; conditions: readonly string[] };

/** Where it stands. */
type Place = Pick<FoundReference, 'blockKey' | 'conditions'>;

/** All references of a document in their order, those of cells, covers and buttons included. `blockKey` is that of the innermost block, `conditions` are outermost first. */
export function* referencesOf({ nodes }: DocumentTree): Iterable<FoundReference> {
  for (const node of nodes) yield* referencesIn(node, { blockKey: '', conditions: [] });
}

function* referencesIn(node: DocumentNode, outer: Place): Iterable<FoundReference> {
  if (node.object === 'text') return;
  const place: Place = {
    blockKey: node.object === 'block' ? (node.key ?? outer.blockKey) : outer.blockKey,
    conditions: conditionsIn(node, outer.conditions),
  };
  const use = useOfType[node.type];
  const { ref, refDark } = node.data ?? {};
  if (use) for (const each of [ref, refDark]) yield* found(each, use, place);
  if (node.type === 'table') for (const { use: of, value } of cellPlaces(node.data ?? {})) yield* found(value, of, place);
  for (const child of node.nodes ?? []) yield* referencesIn(child, place);
  for (const { nodes } of node.fragments ?? []) for (const child of nodes) yield* referencesIn(child, place);
}

/** A cell may hold several targets, the ids of files, or a reference with more about it. */
function* found(value: unknown, use: LinkUse, place: Place): Iterable<FoundReference> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const file of value) if (typeof file === 'string') yield { ref: { kind: 'file', file }, use, ...place };
    return;
  }
  const { kind, target, targets, ref } = value as { kind?: string; target?: string; targets?: string[]; ref?: unknown };
  if (kind === 'target' && target !== undefined) yield { target, use, ...place };
  else if (kind === 'targets') for (const each of targets ?? []) yield { target: each, use, ...place };
  else if (kind !== undefined) yield { ref: value as ContentReference, use, ...place };
  else if (ref !== undefined) yield* found(ref, use, place);
}
