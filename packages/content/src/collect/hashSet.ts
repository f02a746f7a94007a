import { sha256 } from '../store/hash.ts';

/** A set of names of stored content. It takes 16 to 48 bytes per name, a tenth of a Set of strings. */
export type HashSet = {
  /** @returns whether it was new */
  add(name: string): boolean;
  has(name: string): boolean;
  readonly size: number;
};

const wordsEach = 4;
/** The load factor at which the set grows. */
const fullest = 0.7;

export function createHashSet(): HashSet {
  let places = 1_024;
  let table = new Uint32Array(places * wordsEach);
  let size = 0;

  /** Finds the slot of a name, or the free slot for it. */
  function find(
    words: Words,
    { table: within, places: count }: { table: Uint32Array; places: number },
  ): number {
    for (let place = words[0] % count; ; place = (place + 1) % count) {
      const at = place * wordsEach;
      const isFree = within[at] === 0 && within[at + 1] === 0 && within[at + 2] === 0 && within[at + 3] === 0;
      if (isFree || words.every((word, index) => within[at + index] === word)) return at;
    }
  }
  function grow(): void {
    const larger = { table: new Uint32Array(table.length * 2), places: places * 2 };
    for (let at = 0; at < table.length; at += wordsEach) {
      const words = Array.from(table.subarray(at, at + wordsEach)) as Words;
      if (words.some((word) => word !== 0)) larger.table.set(words, find(words, larger));
    }
    ({ table, places } = larger);
  }
  const isTaken = (at: number) => table.subarray(at, at + wordsEach).some((word) => word !== 0);

  return {
    add(name) {
      if (size >= places * fullest) grow();
      const words = wordsOf(name);
      const at = find(words, { table, places });
      if (isTaken(at)) return false;
      table.set(words, at);
      size += 1;
      return true;
    },
    has: (name) => isTaken(find(wordsOf(name), { table, places })),
    get size() {
      return size;
    },
  };
}

type Words = [number, number, number, number];

/**
 * The first half of a SHA-256: finding two texts that share it is infeasible. Never all zero, which marks a
 * free slot.
 */
function wordsOf(name: string): Words {
  const hash = /^[0-9a-f]{64}$/.test(name) ? name : sha256(name);
  const word = (index: number) => Number.parseInt(hash.slice(index * 8, index * 8 + 8), 16);
  return [word(0), word(1), word(2), word(3) || 1];
}

/** The share of a name, from 0 to below `of`, by its hash: shares of many names have about the same size. */
export function shareOf(name: string, of: number): number {
  // The second half of the hash, because the first one selects the slot in the set.
  return Number.parseInt(sha256(name).slice(32, 40), 16) % of;
}
