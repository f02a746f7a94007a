import { describe, expect, it } from 'vitest';
import { booleanOf, membersOf, numberOf, readYaml, textOf, type YamlValue } from './yaml.ts';

function read(text: string, maxBytes = 64_000): YamlValue {
  const reading = readYaml(new TextEncoder().encode(text), maxBytes);
  if ('problem' in reading) throw new Error(reading.problem);
  return reading.value;
}

function problemOf(text: string, maxBytes = 64_000): string | undefined {
  const reading = readYaml(new TextEncoder().encode(text), maxBytes);
  return 'problem' in reading ? reading.problem : undefined;
}

describe('readYaml', () => {
  it('keeps the text of a number as written', () => {
    const members = membersOf(read('title: 1.10\nyes: yes\nn: 0x10\nwhen: 2026-01-31\nempty:\n'));
    expect(textOf(members.get('title'))).toBe('1.10');
    expect(numberOf(members.get('title'))).toBe(1.1);
    expect(booleanOf(members.get('yes'))).toBeUndefined();
    expect(textOf(members.get('when'))).toBe('2026-01-31');
    expect(textOf(members.get('empty'))).toBeUndefined();
  });

  it('reads keys named like properties of objects as any other key', () => {
    const members = membersOf(read('__proto__: 1\nconstructor: 2\nhasOwnProperty: 3\n'));
    expect([...members.keys()]).toEqual(['__proto__', 'constructor', 'hasOwnProperty']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('lets the last of duplicate keys win', () => {
    expect(textOf(membersOf(read('a: 1\na: 2\n')).get('a'))).toBe('2');
  });

  it('ignores merge keys', () => {
    expect([...membersOf(read('<<: {a: 1}\nb: 2\n')).keys()]).toEqual(['<<', 'b']);
  });

  it('drops zero-width spaces, which would make a key a different one', () => {
    expect([...membersOf(read('root: ./\n\u200Bstructure:\n  readme: A.md\u200B\n')).keys()]).toEqual([
      'root',
      'structure',
    ]);
  });

  it.each([
    ['aliases', 'a: &x [1]\nb: *x\n', /aliases/],
    ['an unclosed quote', 'a: "b\n', /not valid YAML/],
    ['deep nesting', `a: ${'['.repeat(40)}${']'.repeat(40)}`, /nests too deeply/],
    ['very deep nesting', '['.repeat(5000), /not valid YAML|nests too deeply/],
    ['a list as key', '? [a]\n: b\n', /key/],
    ['more bytes than allowed', 'a: b', /larger than 3 bytes/, 3],
    ['more keys than anybody reads', 'a: 1\n'.repeat(12_000), /too many keys and values/],
    ['more values than anybody reads', `a: [${'1,'.repeat(30_000)}1]`, /too many keys and values/],
    ['more comments than anybody reads', '#\n'.repeat(30_000), /too many keys and values/],
  ])('refuses %s without throwing', (_, text, problem, maxBytes?: number) => {
    expect(problemOf(text, maxBytes)).toMatch(problem);
  });

  it('reads a file of the maximum size with the usual length of lines', () => {
    const text = Array.from({ length: 2_400 }, (_, line) => `name-${line}: of line ${line}\n`).join('');
    expect(membersOf(read(text)).size).toBeGreaterThan(2_000);
  });

  it('caches a parsed text by its limit', () => {
    const text = 'a: b c d e f\n';
    expect(problemOf(text, 64_000)).toBeUndefined();
    expect(problemOf(text, 10)).toMatch(/larger/);
    expect(problemOf('a: [1,1,1,1,1,1,1,1]', 21)).toMatch(/too many/);
    expect(problemOf('a: [1,1,1,1,1,1,1,1]')).toBeUndefined();
  });
});
