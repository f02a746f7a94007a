/** The lines of a text: the number of characters of each line, by the hash of the line. */
export type Fingerprint = ReadonlyMap<number, number>;

/** Lines count as equal regardless of the white space around them; empty lines are ignored. */
export function fingerprintOf(text: string): Fingerprint {
  const weights = new Map<number, number>();
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (!line) continue;
    const key = hashOf(line);
    weights.set(key, (weights.get(key) ?? 0) + line.length);
  }
  return weights;
}

/**
 * Measures the similarity of two texts: shared lines, weighted by their length, over all lines. 0 for none, 1
 * for the same.
 */
export function similarity(a: Fingerprint, b: Fingerprint): number {
  let shared = 0;
  let all = 0;
  for (const [line, weight] of a) {
    const other = b.get(line) ?? 0;
    shared += Math.min(weight, other);
    all += Math.max(weight, other);
  }
  for (const [line, weight] of b) if (!a.has(line)) all += weight;
  return all === 0 ? 0 : shared / all;
}

/**
 * Combines two 32-bit FNV-1a hashes to a number of 52 bits, which replaces the line so that its text can be
 * freed.
 */
function hashOf(line: string): number {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 13;
  }
  return (high & 0xfffff) * 2 ** 32 + (low >>> 0);
}
