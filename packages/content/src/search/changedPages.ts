import type { DocumentPage, PageItem } from '../store/items.ts';
import { loadNodes } from '../store/nodes.ts';
import { childrenOf } from '../tree/pageLookup.ts';

/** The indexed properties of the pages above a page. */
export type Above = { title: string; condition?: string };

/** A page of a tree with its ancestors, outermost first. */
export type PlacedPage = { page: DocumentPage; above: readonly Above[] };

/**
 * Lists the updates of the index when one tree of pages replaces another: pages that are new, changed or have
 * changed ancestors, and the ids of removed pages.
 *
 * Equal hashes are equal content, so only differing nodes are read, and the cost grows with the change.
 *
 * @param from  absent when nothing is indexed: then every page is new
 */
export async function changedPages(
  organization: string,
  { from, to }: { from?: string | undefined; to: string },
): Promise<{ changed: PlacedPage[]; removed: string[] }> {
  const before = new Map<string, PlacedPage>();
  const after = new Map<string, PlacedPage>();
  for (
    let level: Pair[] = [
      { from: from === undefined ? undefined : { node: from, above: [] }, to: { node: to, above: [] } },
    ];
    level.length > 0;
  ) {
    const pairs = level.filter(({ from: old, to: now }) => !isSame(old, now));
    const nodes = await loadNodes<PageItem>(
      organization,
      pairs.flatMap((pair) => [pair.from?.node ?? [], pair.to?.node ?? []].flat()),
    );
    level = pairs.flatMap((pair) => {
      const old = childrenIn(nodes, pair.from, before);
      const now = childrenIn(nodes, pair.to, after);
      return [...new Set([...old.keys(), ...now.keys()])].map((id) => ({
        from: old.get(id),
        to: now.get(id),
      }));
    });
  }
  return {
    changed: [...after]
      .filter(([id, placed]) => !isEqual(before.get(id), placed))
      .map(([, placed]) => placed),
    removed: [...before.keys()].filter((id) => !after.has(id)),
  };
}

/** The children of a page in both trees. */
type Pair = { from?: Branch | undefined; to?: Branch | undefined };
type Branch = { node: string; above: readonly Above[] };

function isSame(a: Branch | undefined, b: Branch | undefined): boolean {
  return a?.node === b?.node && JSON.stringify(a?.above) === JSON.stringify(b?.above);
}

/**
 * Collects the pages of a node.
 *
 * @returns the branches below it, by the id of their page
 */
function childrenIn(
  nodes: ReadonlyMap<string, PageItem[]>,
  branch: Branch | undefined,
  placed: Map<string, PlacedPage>,
): Map<string, Branch> {
  const below = new Map<string, Branch>();
  if (!branch) return below;
  for (const item of nodes.get(branch.node) ?? []) {
    if (item.type === 'document') placed.set(item.id, { page: item, above: branch.above });
    const node = childrenOf(item);
    const condition = item.type === 'document' ? item.condition : undefined;
    if (node !== undefined)
      below.set(item.id, {
        node,
        above: [...branch.above, { title: item.title, condition }],
      });
  }
  return below;
}

/** Ignores the children of a page. */
function isEqual(a: PlacedPage | undefined, b: PlacedPage): boolean {
  const own = ({ page, above }: PlacedPage) =>
    JSON.stringify([{ ...page, children: undefined, updatedAt: undefined }, above]);
  return a !== undefined && own(a) === own(b);
}
