import { describe, expect, it } from 'vitest';
import { splitFrontmatter, yamlOfFrontmatter } from './splitFrontmatter.ts';

const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

function split(file: string): [frontmatter: string, body: string, yaml: string] {
  const { frontmatter, body } = splitFrontmatter(new TextEncoder().encode(file));
  return [decode(frontmatter), decode(body), decode(yamlOfFrontmatter(frontmatter))];
}

describe('splitFrontmatter', () => {
  it.each<[name: string, file: string, frontmatter: string, yaml: string]>([
    ['a file without frontmatter', '# Title\n', '', ''],
    ['an empty file', '', '', ''],
    [
      'frontmatter and body, the blank line being the body’s',
      '---\na: 1\n---\n\n# T\n',
      '---\na: 1\n---\n',
      'a: 1\n',
    ],
    ['line ends of Windows', '---\r\na: 1\r\n---\r\n\r\n# T\r\n', '---\r\na: 1\r\n---\r\n', 'a: 1\r\n'],
    ['line ends of old Macs', '---\ra: 1\r---\r# T\r', '---\ra: 1\r---\r', 'a: 1\r'],
    ['a byte order mark with frontmatter', '\uFEFF---\na: 1\n---\n# T\n', '\uFEFF---\na: 1\n---\n', 'a: 1\n'],
    ['a byte order mark alone', '\uFEFF# T\n', '\uFEFF', ''],
    ['empty frontmatter', '---\n---\nText\n', '---\n---\n', ''],
    ['delimiters with space behind them', '--- \t\na: 1\n---  \nText', '--- \t\na: 1\n---  \n', 'a: 1\n'],
    ['a closing delimiter at the very end', '---\na: 1\n---', '---\na: 1\n---', 'a: 1\n'],
    ['frontmatter that is never closed', '---\na: 1\n\n# T\n', '', ''],
    ['a rule of four dashes', '----\na: 1\n----\n', '', ''],
    ['a delimiter that does not stand first', '\n---\na: 1\n---\n', '', ''],
    [
      'dashes inside of a value',
      '---\na: x --- y\nb: ---z\n---\nText',
      '---\na: x --- y\nb: ---z\n---\n',
      'a: x --- y\nb: ---z\n',
    ],
    ['a later rule in the body', '---\na: 1\n---\nText\n\n---\nmore', '---\na: 1\n---\n', 'a: 1\n'],
  ])('splits %s', (_, file, frontmatter, yaml) => {
    expect(split(file)).toEqual([frontmatter, file.slice(frontmatter.length), yaml]);
  });

  it('keeps bytes that are not UTF-8', () => {
    const file = Uint8Array.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0x0a, 0x2d, 0x2d, 0x2d, 0x0a, 0xe9, 0x00]);
    const { frontmatter, body } = splitFrontmatter(file);
    expect([...frontmatter, ...body]).toEqual([...file]);
    expect([...body]).toEqual([0xe9, 0x00]);
  });
});
