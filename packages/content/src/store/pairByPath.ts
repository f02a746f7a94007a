/**
 * Pairs the items of two lists by path: first those whose paths share the most trailing segments, then the
 * rest in order. So in a renamed folder, files with equal content are paired with their old paths. Takes time
 * for items times folders, not for pairs.
 */
export function pairByPath<Before, After>(
  before: readonly Before[],
  after: readonly After[],
  { pathOfBefore, pathOfAfter }: { pathOfBefore(item: Before): string; pathOfAfter(item: After): string },
): [Before, After][] {
  const left = new Map(before.map((item) => [item, pathOfBefore(item).split('/')]));
  const open = new Map(after.map((item) => [item, pathOfAfter(item).split('/')]));
  const pairs: [Before, After][] = [];
  const pair = (one: Before, other: After) => {
    pairs.push([one, other]);
    left.delete(one);
    open.delete(other);
  };
  for (
    let length = Math.min(longest(left), longest(open));
    length > 0 && left.size * open.size > 1;
    length--
  ) {
    const byEnd = Map.groupBy(endings(left, length), ([, end]) => end);
    for (const [item, end] of endings(open, length)) {
      const found = byEnd.get(end)?.shift();
      if (found) pair(found[0], item);
    }
  }
  const rest = left.keys();
  for (const item of [...open.keys()]) {
    const next = rest.next();
    if (next.done) break;
    pair(next.value, item);
  }
  return pairs;
}

function longest(paths: ReadonlyMap<unknown, string[]>): number {
  let length = 0;
  for (const names of paths.values()) length = Math.max(length, names.length);
  return length;
}

/** The trailing segments of each path that has at least this many. */
function endings<Item>(paths: ReadonlyMap<Item, string[]>, length: number): [Item, string][] {
  return [...paths].flatMap(([item, names]): [Item, string][] =>
    names.length < length ? [] : [[item, names.slice(-length).join('/')]],
  );
}
