import { describe, expect, it } from 'vitest';
import { bound } from '../../../../test/support/machine.ts';
import { checkTranslation } from './checkTranslation.ts';

const codes = (source: string, translation: string) =>
  checkTranslation(source, translation).map(({ code }) => code);

describe('a translation', () => {
  it.each([
    ['Run <x id="1"/> <g id="2">now</g>', '<g id="2">Ahora</g> <x id="1"/>'],
    ['<g id="1">a <g id="2">b</g></g>', '<g id="2">B <g id="1">A</g></g>'],
    ['It costs 3.50 or 1,000', 'Cuesta 3,50 o 1 000'],
    ['In 2020 100 users', '100 usuarios en 2020'],
    ['Page 12', 'صفحة ١٢'],
    ['OK', 'Aceptar y continuar'],
    ['See a.example at www.a.example', 'Vea www.a.example'],
    ['a [b] `c`', 'A [B] `C`'],
  ])('of %j may be %j', (source, translation) => {
    expect(codes(source, translation)).toEqual([]);
  });

  it.each([
    ['Run <x id="1"/>', 'Run', ['placeholders']],
    ['Run <x id="1"/>', 'Run <x id="1"/><x id="1"/>', ['placeholders']],
    ['Run <x id="1"/>', 'Run <x id="2"/>', ['placeholders', 'placeholders']],
    ['<g id="1">a</g> b', 'a b <g id="1"> </g>', ['empty_pair']],
    ['<g id="1">a</g>', '<g id="1">a', ['not_readable']],
    ['<g id="1">a</g>', 'a</g><g id="1">', ['not_readable']],
    ['a', '<b>a</b>', ['not_readable']],
    ['Page 12', 'Página 21', ['numbers']],
    ['Page one', 'Página 1', ['numbers']],
    ['a', 'a'.repeat(44), ['length']],
    ['words', '…', ['length']],
    ['a', 'https://evil.example', ['links']],
    ['see https://a.example', 'see https://a.example.evil', ['links']],
    ['a', 'a me@evil.example', ['links']],
    ['a', 'a www.evil.example', ['links']],
    ['a', '&lt;script&gt;a&lt;/script&gt;', ['markup']],
    ['a', 'a {% endhint %}', ['markup']],
    ['a', 'a {{ x }}', ['markup']],
    ['a', '[a]: b', ['markup']],
    ['a', '[a](b)', ['markup']],
    ['a', '`a`', ['markup']],
    ['a', 'a 🚀', ['markup']],
  ])('of %j may not be %j: %j', (source, translation, failures) => {
    expect(codes(source, translation)).toEqual(failures);
  });

  it('has the terms of the glossary', () => {
    const terms = [{ source: 'space', target: 'Bereich' }];
    expect(checkTranslation('A space', 'Ein Bereich', { terms })).toEqual([]);
    expect(checkTranslation('A space', 'Ein Raum', { terms })).toEqual([
      { code: 'terms', message: 'It lacks “Bereich”, the term of the glossary for “space”.' },
    ]);
  });
});

it('compares thousands of numbers within a moment', () => {
  const numbers = (digit: string) => Array.from({ length: 10_000 }, () => digit).join('x');
  const begun = performance.now();
  expect(codes(numbers('1'), numbers('2'))).toEqual(['numbers']);
  expect(performance.now() - begun).toBeLessThan(bound(150));
});
