import { describe, expect, it } from 'vitest';
import { humanKey, segmentKey, type SegmentSource } from './segmentKey.ts';
import { wordStatistics } from './wordStatistics.ts';

const source: SegmentSource = {
  organization: 'o',
  pair: ['en', 'es'],
  engine: 'e',
  role: 'text',
  text: 'See <x id="1"/>',
};
const keyOf = (changes: Partial<SegmentSource> = {}) =>
  Buffer.from(segmentKey({ ...source, ...changes })).toString('hex');

describe('the key of a segment', () => {
  it('has 16 bytes, which depend only on the segment', () => {
    expect(keyOf()).toBe(keyOf({ terms: [], instructions: '' }));
    expect(segmentKey(source)).toHaveLength(16);
  });

  it.each<Partial<SegmentSource>>([
    { organization: 'p' },
    { pair: ['en', 'fr'] },
    { engine: 'f' },
    { role: 'cell' },
    { text: 'See <x id="2"/>' },
    { terms: [{ source: 'See', target: 'Ver' }] },
    { instructions: 'Be polite.' },
  ])('differs with %j', (changes) => {
    expect(keyOf(changes)).not.toBe(keyOf());
  });
});

it('gives a human translation a key that does not depend on the engine, terms or instructions', () => {
  const { engine: _engine, ...segment } = source;
  const key = humanKey(segment);
  expect(humanKey({ ...segment, ...{ terms: [{ source: 'See', target: 'Ver' }] } })).toEqual(key);
  expect(key).not.toEqual(segmentKey(source));
  expect(humanKey({ ...segment, role: 'cell' })).not.toEqual(key);
});

describe('the statistics of words', () => {
  it('count each segment in one class', () => {
    const segments = ['a', 'b', 'c', 'd', 'a', 'b'].map((key) => ({ key, words: 2 }));
    const classes: Record<string, 'memory' | 'human' | 'fuzzy'> = { b: 'memory', c: 'human', d: 'fuzzy' };
    expect(wordStatistics(segments, (key) => classes[key])).toEqual({
      new: { segments: 1, words: 2 },
      repeated: { segments: 1, words: 2 },
      memory: { segments: 2, words: 4 },
      human: { segments: 1, words: 2 },
      fuzzy: { segments: 1, words: 2 },
    });
  });
});
