import fc from 'fast-check';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { toYaml } from './toYaml.ts';

const write = (document: object) => Buffer.concat(toYaml(document)).toString();

/** Two libraries, neither of which has written the text, each for both versions of YAML. */
const parsers: Record<string, (text: string) => unknown> = {
  'js-yaml, YAML 1.2': (text) => load(text),
  'js-yaml, YAML 1.1': (text) => load(text, { schema: YAML11_SCHEMA }),
  'yaml, YAML 1.2': (text) => parse(text),
  'yaml, YAML 1.1': (text) => parse(text, { version: '1.1' }),
};

function expectSame(document: object): void {
  const text = write(document);
  for (const [name, read] of Object.entries(parsers)) expect(read(text), name).toEqual(document);
}

const strings = [
  ...[
    '1',
    '-1',
    '+1',
    '0x1F',
    '0o17',
    '012',
    '1_000',
    '.5',
    '1.',
    '1e3',
    '1:30',
    'e5',
    '.inf',
    '.nan',
    'NaN',
  ],
  ...['true', 'False', 'yes', 'No', 'on', 'OFF', 'y', 'N', 'null', 'NULL', '~', '', '=', '<<'],
  ...['2020-01-01', '2020-01-01T00:00:00Z', '2020-1-1 1:00:00'],
  ...['-', '- a', '? a', ':', 'a:', ':a', 'a: b', 'a:b', 'a #b', 'a#b', '#a', '---', '--- a', '...', '%a'],
  ...['"', "'", '\\', '\\n', '|', '>', '@a', '`', '&a', '*a', '!a', '!!str 1', '{a}', '[a]', 'a]', 'a, b'],
  ...[' a', 'a ', ' ', '\t', '\ta', 'a\tb', '\n', 'a\n', 'a\n\n', '\na', ' a\nb', 'a\n  b\n\tc\n', 'a\n  '],
  ...['a\n\n   \nb', 'a\r\nb', '---\na', 'a\n...\nb', '# a\nb\n', 'k: |\n  v', 'a\n#b', 'null\n', '- a\n- b'],
  ...[
    'é',
    '日本',
    '😀',
    '👨‍👩‍👧',
    '\u00A0a\nb',
    'a\nb\u00A0',
    '\u0000',
    '\u007F',
    'a\u0085b',
    '\u2028',
    '\uFEFFa',
  ],
  ...[
    '\uD800',
    '\uFFFF',
    'x'.repeat(2_000),
    `${'x '.repeat(1_000)}\ny`,
    '/pets/{id}',
    '$ref',
    'https://a/:80',
  ],
];

describe('YAML of a document', () => {
  it.each(strings)('keeps the string %j as a value, a key and an item', (text) => {
    expectSame({ value: text, [text]: { [text]: [text, [text], { [text]: text }] } });
  });

  it('keeps numbers, lists in lists, empty objects, and names of JavaScript', () => {
    expectSame({
      numbers: [0, -1, 1.5, 1e21, -1e21, 1e-7, 1.5e300, 5e-324, Number.MAX_SAFE_INTEGER],
      lists: [null, true, false, [], {}, [[]], [[1, [2, { a: 1 }]], {}], [{ a: [{ b: [1] }] }]],
      names: JSON.parse('{"__proto__":{"__proto__":1},"constructor":2}') as object,
    });
  });

  it('keeps any JSON document', () => {
    const text = fc.string({ unit: 'binary' });
    const document = fc.dictionary(text, fc.jsonValue({ stringUnit: 'binary' }));
    // A text of JSON has no -0.
    const check = (value: object) => expectSame(JSON.parse(JSON.stringify(value)) as object);
    fc.assert(fc.property(document, check), { numRuns: 500 });
  });

  it('reads as if a person wrote it', () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Pets', description: 'First.\n\n- one\n- two\n' },
      paths: { '/pets/{id}': { get: { tags: ['pets', 'on'], parameters: [{ name: 'id', in: 'path' }] } } },
      security: [],
    };
    expect(write(document)).toBe(`openapi: "3.1.0"
info:
  title: Pets
  description: |
    First.

    - one
    - two
paths:
  /pets/{id}:
    get:
      tags:
        - pets
        - "on"
      parameters:
        - name: id
          in: path
security: []
`);
  });

  it('comes in pieces that do not divide a character', () => {
    const document = { texts: Array.from({ length: 50_000 }, () => '日本') };
    const pieces = toYaml(document);
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces)
      expect(() => new TextDecoder('utf-8', { fatal: true }).decode(piece)).not.toThrow();
    expect(parse(write(document))).toEqual(document);
  });
});
