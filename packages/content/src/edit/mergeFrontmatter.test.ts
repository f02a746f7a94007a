import { describe, expect, it } from 'vitest';
import { keysOf, mergeFrontmatter } from './mergeFrontmatter.ts';

const merged = (old: string, given: string) =>
  Buffer.from(mergeFrontmatter(Buffer.from(old), Buffer.from(given))).toString();

describe('mergeFrontmatter', () => {
  it('keeps keys that the given frontmatter does not name, as they were written', () => {
    const old =
      '---\n# head\na: 1\nb:   "two" # why\nc:\n  - x\n  # inside\n  - y\nd: >-\n  long\n  text\n---\n';
    expect(merged(old, '---\nb: 2\n---\n\n')).toBe(
      '---\nb: 2\na: 1\nc:\n  - x\n  # inside\n  - y\nd: >-\n  long\n  text\n---\n\n',
    );
  });

  it('returns the given frontmatter when it names all keys, or the old one is empty', () => {
    expect(merged('---\na: 1\n---\n', '---\na:\nb: 2\n---')).toBe('---\na:\nb: 2\n---');
    expect(merged('', '---\na: 1\n---\n')).toBe('---\na: 1\n---\n');
    expect(merged('---\n---\n', '---\na: 1\n---\n')).toBe('---\na: 1\n---\n');
  });

  it('returns the old frontmatter when none is given', () => {
    expect(merged('---\na: 1\n---\n', '')).toBe('---\na: 1\n---\n');
    expect(merged('---\na: 1\n---\n', '---\n---\n')).toBe('---\na: 1\n---\n');
  });

  it('returns the given frontmatter when either cannot be parsed', () => {
    for (const old of [
      '---\n{a: 1}\n---\n',
      '---\n- a\n---\n',
      '---\na: "open\n---\n',
      '---\ntext\n---\n',
      '---\n? [x]\n: 1\n---\n',
    ])
      expect(merged(old, '---\nb: 2\n---\n')).toBe('---\nb: 2\n---\n');
    expect(merged('---\na: 1\n---\n', '---\n{b: 2}\n---\n')).toBe('---\n{b: 2}\n---\n');
  });

  it('recognizes keys without a value, in quotes, and with letters of any script', () => {
    expect([...keysOf(Buffer.from('---\na:\n"b": 1\nключ: 2\n---\n'))]).toEqual(['a', 'b', 'ключ']);
    expect(merged('---\nключ: "значение"\n---\n', '---\nb: 2\n---\n')).toBe(
      '---\nb: 2\nключ: "значение"\n---\n',
    );
  });
});
