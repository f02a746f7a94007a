/** The lines of a text: how much of it each of them is, in characters, by a number that stands for the line. */
export type Fingerprint = ReadonlyMap<number, number>;

/** Lines that are equal but for the space around them count as one; empty ones do not count. */
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

/** How much two texts have in common: shared lines, counted by their length, over all lines. 0 for nothing, 1 for the same. */
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

/** Two 32-bit FNV-1a hashes as one number of 52 bits: kept in place of lines, it lets go of their texts. */
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
