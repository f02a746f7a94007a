import { LRUCache } from 'lru-cache';
import { sizeOf, type Answer } from './answer.ts';

/** The specifications that an answer shows: their names, and the versions that their visitor saw. */
export type SpecsShown = { names: readonly string[]; versions: string };

/** An answer that was made. `isLasting`: whether it is right for the same visit again. */
export type Made = { answer: Answer; isLasting: boolean; specs?: SpecsShown | undefined };

const cacheBytes = 64 * 1024 * 1024;

/**
 * Answers by everything that they depend on, except specifications: the state of the site, the path and the
 * claims of the visitor. Readers who ask for the same page at once share one rendering.
 */
const kept = new LRUCache<string, Made>({
  maxSize: cacheBytes,
  sizeCalculation: ({ answer }) => sizeOf(answer),
});
const pending = new Map<string, Promise<Made>>();

/**
 * The answer that is kept under a key, or a new one. An answer with specifications is made again when the
 * visitor sees other versions of them than it shows.
 *
 * @param versionsOf  describes the versions of specifications that the visitor sees now
 */
export async function keep(
  key: string,
  make: () => Promise<Made>,
  versionsOf: (names: readonly string[]) => Promise<string> = async () => '',
): Promise<Answer> {
  const isCurrent = async ({ specs }: Made) => !specs || specs.versions === (await versionsOf(specs.names));
  const known = kept.get(key) ?? (await pending.get(key));
  if (known && (await isCurrent(known))) return known.answer;
  // Others may have begun in the meantime.
  const shared = pending.get(key) ?? begin(key, make);
  return (await shared).answer;
}

async function begin(key: string, make: () => Promise<Made>): Promise<Made> {
  const making = make()
    .then((made) => {
      if (made.isLasting) kept.set(key, made);
      return made;
    })
    .finally(() => pending.delete(key));
  pending.set(key, making);
  return making;
}
