/**
 * Finds a longest increasing subsequence of distinct numbers: the remaining ones are the fewest that must
 * move to sort them.
 *
 * @returns the positions of its members
 */
export function longestIncreasing(values: readonly number[]): Set<number> {
  /** `ends[n]` is the position of the smallest number that ends an increasing sequence of n + 1 numbers. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [position, value] of values.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    before[position] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = position;
  }
  const chosen = new Set<number>();
  for (let position = ends.at(-1) ?? -1; position !== -1; position = before[position] as number)
    chosen.add(position);
  return chosen;
}
