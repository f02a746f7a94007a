/** Above this number of comparisons, only equal beginnings and ends are aligned. */
const maxComparisons = 4_000_000;

/**
 * Pairs the texts of two versions of a list: equal ones in their order, and between them those at the same
 * place, where both versions have as many.
 *
 * @returns pairs of indexes
 */
export function alignTexts(one: readonly string[], other: readonly string[]): [number, number][] {
  const pairs: [number, number][] = [];
  let first = 0;
  while (first < one.length && first < other.length && one[first] === other[first]) {
    pairs.push([first, first]);
    first += 1;
  }
  let [end, otherEnd] = [one.length, other.length];
  const ends: [number, number][] = [];
  while (end > first && otherEnd > first && one[end - 1] === other[otherEnd - 1])
    ends.unshift([(end -= 1), (otherEnd -= 1)]);
  const isSmall = (end - first) * (otherEnd - first) <= maxComparisons;
  const anchors = isSmall ? longestCommon(one.slice(first, end), other.slice(first, otherEnd)) : [];
  let [at, otherAt] = [first, first];
  for (const [left, right] of [
    ...anchors.map(([a, b]) => [a + first, b + first] as const),
    [end, otherEnd] as const,
  ]) {
    if (left - at === right - otherAt)
      for (let index = 0; index < left - at; index += 1) pairs.push([at + index, otherAt + index]);
    if (left < end) pairs.push([left, right]);
    [at, otherAt] = [left + 1, right + 1];
  }
  return [...pairs, ...ends];
}

/** The longest common subsequence, as pairs of indexes. */
function longestCommon(one: readonly string[], other: readonly string[]): [number, number][] {
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        one[i] === other[j]
          ? (lengths[(i + 1) * width + j + 1] as number) + 1
          : Math.max(lengths[(i + 1) * width + j] as number, lengths[i * width + j + 1] as number);
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < one.length && j < other.length) {
    if (one[i] === other[j]) pairs.push([i++, j++]);
    else if ((lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number)) i += 1;
    else j += 1;
  }
  return pairs;
}
