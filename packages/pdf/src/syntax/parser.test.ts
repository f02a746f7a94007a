import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Parser } from './parser.ts';
import { bytesOf, writeBytes, writeText } from './text.ts';
import { Text, write, type Value } from './value.ts';

const parse = (source: string): Value => new Parser(source, 0).value();
const rewritten = (source: string) => write(parse(source), ({ number }) => `${number + 100} 0 R`);

describe('a value', () => {
  it.each([
    ['<</A 1/B[2 0 R 3 4 0 R]/C<</D(e)>>>>', '<</A 1/B [102 0 R 3 104 0 R]/C <</D (e)>>>>'],
    ['[1 2 3 0 R 0 0 R]', '[1 2 103 0 R 100 0 R]'],
    ['[-.5 +3 10. true false null]', '[-0.5 3 10 true false null]'],
    ['[(a 1 0 R \\) (b)) <31 30 52>]', '[(a 1 0 R \\) (b)) <31 30 52>]'],
    ['/a#20b#2f', '/a#20b#2f'],
    ['% comment\n[1 % 2\r 3]', '[1 3]'],
  ])('%s is written with other references only outside strings', (source, wanted) => {
    expect(rewritten(source)).toBe(wanted);
  });

  it.each([
    '',
    '<<',
    '[1',
    '(a',
    '(a\\',
    '<12',
    '<1x>',
    '<</A>>',
    '<<1 2>>',
    'endobj',
    '1e5',
    '--1',
    ')',
    '>>',
    '\u0000',
  ])('cannot be read from %j', (source) => {
    expect(() => parse(source)).toThrow('The printed PDF cannot be used');
  });

  it('is refused when it is nested too deeply', () => {
    expect(() => parse('['.repeat(100_000))).toThrow('nested too deeply');
    expect(() => parse('<</A'.repeat(100_000))).toThrow('nested too deeply');
  });
});

describe('a string', () => {
  it.each([
    ['(a\\(b\\)\\\\\\n\\101\\0053\\\r\nc)', 'a(b)\\\nA\u00053c'],
    ['<4142 4>', 'AB@'],
    ['()', ''],
  ])('%j stands for its bytes', (raw, bytes) => {
    expect(bytesOf(new Text(raw))).toBe(bytes);
  });

  it('reads back as it was written', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (data) => {
        const bytes = Buffer.from(data).toString('latin1');
        expect(bytesOf(parse(writeBytes(bytes)) as Text)).toBe(bytes);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = Buffer.from(bytesOf(parse(writeText(text)) as Text), 'latin1');
        const isWide = bytes[0] === 0xfe && bytes[1] === 0xff;
        expect(isWide ? bytes.subarray(2).swap16().toString('utf16le') : bytes.toString()).toBe(text);
      }),
    );
  });
});
