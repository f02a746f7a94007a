import type { DocumentBlock, DocumentFragment, DocumentNode, DocumentTree } from '@bindery/contract';
import { mayStandIn } from '@bindery/contract/documentPlaces';
import { headingsOf } from './headingsOf.ts';
import { shrunkToLimits } from './shrinkToLimits.ts';
import { onlyFitting } from '../tree/containers.ts';

/** The reference of a reusable content block. */
export type ReusableContentReference = { kind: 'reusable-content'; reusableContent: string; space?: string };

/** Loads the resolved document of a reusable content; undefined keeps the block that refers to it. */
export type LoadReusableContent = (ref: ReusableContentReference) => Promise<DocumentTree | undefined>;

/** Maximum nesting of reusable contents. */
const maxDepth = 5;

/**
 * Replaces references to reusable contents in a resolved document by their blocks, recursively. A content
 * inside itself, or nested too deep, stays a reference. Keys in a content get the key of the replaced block
 * as prefix; a heading gets another anchor if the page already has it.
 */
export async function inlineReusableContents(
  tree: DocumentTree,
  load: LoadReusableContent,
): Promise<DocumentTree> {
  const loaded = new Map<string, Promise<DocumentTree | undefined>>();
  const loadOnce = (ref: ReusableContentReference) => {
    const name = `${ref.space ?? ''} ${ref.reusableContent}`;
    const known = loaded.get(name) ?? load(ref);
    loaded.set(name, known);
    return known;
  };
  const anchors = new Set(headingsOf(tree).map(({ id }) => id));
  const nodes = await inlined(tree.nodes, { container: 'top', outer: [], loadOnce, anchors });
  return loaded.size === 0 ? tree : { ...tree, nodes: shrunkToLimits(nodes) };
}

type Inlining = {
  container: 'top' | 'expandable-body';
  outer: readonly string[];
  loadOnce: LoadReusableContent;
  anchors: Set<string>;
};

async function inlined(blocks: readonly DocumentBlock[], inlining: Inlining): Promise<DocumentBlock[]> {
  const result: DocumentBlock[] = [];
  for (const each of blocks)
    result.push(
      ...(each.type === 'reusable-content'
        ? await contentOf(each, inlining)
        : [await withContents(each, inlining)]),
    );
  return result;
}

async function contentOf(
  given: DocumentBlock,
  { container, outer, loadOnce, anchors }: Inlining,
): Promise<DocumentBlock[]> {
  const ref = given.data?.['ref'] as ReusableContentReference;
  const name = `${ref.space ?? ''} ${ref.reusableContent}`;
  if (ref.kind !== 'reusable-content' || outer.includes(name) || outer.length >= maxDepth) return [given];
  const content = await loadOnce(ref);
  if (!content) return [given];
  const fitting = container === 'top' ? content.nodes : onlyFitting(content.nodes, container);
  const keyed = fitting
    .filter(({ type }) => mayStandIn(container, type))
    .map((each) => withPrefix(each, `${given.key ?? ''}.`) as DocumentBlock);
  nameApart(keyed, anchors);
  return inlined(keyed, { container, outer: [...outer, name], loadOnce, anchors });
}

/** Reusable contents may be at the top, in conditional blocks, and in expandable blocks. */
async function withContents(given: DocumentBlock, inlining: Inlining): Promise<DocumentBlock> {
  if (given.type === 'if')
    return {
      ...given,
      nodes: await inlined((given.nodes ?? []) as DocumentBlock[], { ...inlining, container: 'top' }),
    };
  if (given.type !== 'expandable') return given;
  const fragments: DocumentFragment[] = [];
  for (const each of given.fragments ?? []) {
    const nodes = await inlined(each.nodes as DocumentBlock[], { ...inlining, container: 'expandable-body' });
    fragments.push({ ...each, nodes: nodes.length > 0 ? nodes : each.nodes });
  }
  return { ...given, fragments };
}

/** Renames the anchors in a copy of a content that the page already has. */
function nameApart(nodes: readonly DocumentNode[], anchors: Set<string>): void {
  for (const node of nodes) {
    if (node.object !== 'block') continue;
    if (node.meta) {
      let { id } = node.meta;
      for (let count = 1; anchors.has(id); count += 1) id = `${node.meta.id}-${count}`;
      anchors.add(id);
      node.meta = { id };
    }
    nameApart(node.nodes ?? [], anchors);
    for (const each of node.fragments ?? []) nameApart(each.nodes, anchors);
  }
}

function withPrefix(node: DocumentNode, prefix: string): DocumentNode {
  const key = prefix + (node.key ?? '');
  if (node.object === 'text') return { ...node, key };
  const nodes = node.nodes?.map((child) => withPrefix(child, prefix));
  const fragments = node.fragments?.map((each) => ({
    ...each,
    key: prefix + (each.key ?? ''),
    nodes: each.nodes.map((child) => withPrefix(child, prefix)),
  }));
  return { ...node, key, ...(nodes && { nodes }), ...(fragments && { fragments }) };
}
