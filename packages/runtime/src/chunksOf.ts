/** Cuts items in parts of at most `size`, for queries and threads that take some at a time. */
export function* chunksOf<Item>(items: readonly Item[], size: number): Iterable<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
