/**
 * Where the translation of a segment comes from: an engine (`new`, or `fuzzy` if the memory has a similar
 * text), another segment of the same run, the memory, or a person.
 */
export type WordClass = 'new' | 'fuzzy' | 'repeated' | 'memory' | 'human';

export type WordStatistics = Record<WordClass, { segments: number; words: number }>;

/**
 * Counts segments and words by class.
 *
 * @param classOf  the class of a key in the memory; undefined if the memory does not have it
 */
export function wordStatistics(
  segments: Iterable<{ key: string; words: number }>,
  classOf: (key: string) => 'memory' | 'human' | 'fuzzy' | undefined,
): WordStatistics {
  const none = () => ({ segments: 0, words: 0 });
  const statistics = { new: none(), fuzzy: none(), repeated: none(), memory: none(), human: none() };
  const seen = new Set<string>();
  for (const { key, words } of segments) {
    const known = classOf(key);
    const isStored = known === 'memory' || known === 'human';
    const counted = statistics[seen.has(key) && !isStored ? 'repeated' : (known ?? 'new')];
    counted.segments += 1;
    counted.words += words;
    seen.add(key);
  }
  return statistics;
}
