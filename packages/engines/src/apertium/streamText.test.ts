import { partsOfText, textOfParts } from '@bindery/translation';
import { describe, expect, it } from 'vitest';
import { partsOfStream, streamOfParts } from './streamText.ts';

const parts = (text: string) => partsOfText(text) ?? [];
const read = (stream: string, source: string) => {
  const reading = partsOfStream(stream, parts(source));
  return reading && textOfParts(reading.parts);
};

describe('a segment in the stream format', () => {
  it.for([
    ['A house', 'A house'],
    ['A <g id="1">blue house</g>.', 'A [[t:x:1]]blue house[[/]].'],
    [
      'A <g id="1">blue, <g id="2">old</g> house</g>',
      'A [[t:x:1]]blue[[/]], [[t:x:1.2]]old[[/]] [[t:x:1]]house[[/]]',
    ],
    ['Use <x id="1"/> now', 'Use [<x1>] now'],
    ['<g id="1">Use <x id="2"/></g> now', '[[t:x:1]]Use[[/]] [<x2>] now'],
    [
      'a well-formed <g id="1">blue</g> one',
      '[[t:x:0]]a well-formed[[/]] [[t:x:1]]blue[[/]] [[t:x:0]]one[[/]]',
    ],
    ['~5 of @all', '[<~>]5 of [<@>]all'],
    ["the user's 'My house'", "the user's [<'>]My house'"],
    ['a^b$c[d]e{f}g/h\\i@j&lt;k&gt; 2*3', 'a\\^b\\$c\\[d\\]e\\{f\\}g\\/h\\\\i\\@j\\<k\\> 2[<*>]3'],
  ] as const)('%s', ([text, stream]) => {
    expect(streamOfParts(parts(text), 'pairs')).toBe(stream);
    expect(read(stream, text)).toBe(text);
  });

  it('has blanks for pairs that were split', () => {
    const text = 'A <g id="1">blue <g id="2">old</g></g> house';
    expect(streamOfParts(parts(text), 'blanks')).toBe('A [<o1>]blue [<o2>]old[<c2>][<c1>] house');
    expect(read('Una [<o1>]azul [<o2>]vieja[<c2>][<c1>] casa', text)).toBe(
      'Una <g id="1">azul <g id="2">vieja</g></g> casa',
    );
  });
});

describe("the engine's answer", () => {
  it.for([
    [
      'words of a pair are joined',
      'A <g id="1">blue house</g>',
      '[[t:x:1]]Una[[/]] [[t:x:1]]casa[[/]]  azul',
      '<g id="1">Una casa</g> azul',
    ],
    [
      'words with hyphens that moved without their spaces get them back',
      'A well-formed <g id="1">2FA request</g>',
      '[[t:x:0]]Una[[/]] [[t:x:1]]petición[[/]][[t:x:0]]bien[[/]][[t:x:0]]formada[[/]]  [[t:x:0]]2[[/]][[t:x:0]]FA[[/]]',
      'Una <g id="1">petición</g> bien formada 2FA',
    ],
    [
      'a word made of several keeps the pairs of all',
      '<g id="1">of the king</g>',
      '[[t:x:1; t:x:1]]del[[/]] [[t:x:1]]rey[[/]]',
      '<g id="1">del rey</g>',
    ],
    ['an atom keeps no space beside it', 'of <x id="1"/>the king', 'del [<x1>] rey', 'del <x id="1"/>rey'],
    ['an atom keeps its space', 'Use <x id="1"/> now', 'Usa[<x1>]ahora', 'Usa <x id="1"/> ahora'],
    [
      'an atom at the start gets a space',
      '<x id="1"/> is on',
      'Está[<x1>] encima',
      'Está <x id="1"/> encima',
    ],
    [
      'a sign stays beside an atom',
      'Use <x id="1"/>, too',
      'Usa [<x1>] , también',
      'Usa <x id="1"/>, también',
    ],
    [
      'signs have no space before them where those of the source have none',
      'Use <x id="1"/>, a <g id="1">house</g> (it is old), too.',
      'Usa [<x1>], una [[t:x:1]]casa[[/]] ( es vieja ) , también .',
      'Usa <x id="1"/>, una <g id="1">casa</g> (es vieja), también.',
    ],
    ['signs keep spaces that the source has', 'a .b', 'una .b', 'una .b'],
    ['a stop stays one', 'In the U.S.', 'En los EE.UU..', 'En los EE.UU.'],
    ['dots stay three', 'Wait...', 'Espera...', 'Espera...'],
    ['a capital letter comes back', '"There is one"', '"hay uno"', '"Hay uno"'],
    ['a word of the source begins as there', 'The npm package', 'npm el paquete', 'npm el paquete'],
    ['spaces move out of a pair', 'a <g id="1">b</g> c', 'a[[t:x:1]] b [[/]]c', 'a <g id="1">b</g> c'],
  ] as const)('%s', ([, source, stream, text]) => {
    expect(read(stream, source)).toBe(text);
  });

  it('counts unknown words', () => {
    const source = parts('The blargify and foo 2*3 #1');
    expect(partsOfStream('El *blargify y #foo 2[<*>]3 [<#>]1', source)).toEqual({
      parts: ['El blargify y foo 2*3 #1'],
      unknownWords: 2,
    });
  });

  it('keeps no marks of the engine inside words', () => {
    const source = parts('2FA is custom, at 9f01 for me@example.com');
    expect(partsOfStream('2*FA es hecho# de encargo, en 9*f01 para me\\@example.com', source)).toEqual({
      parts: ['2FA es hecho de encargo, en 9f01 para me@example.com'],
      unknownWords: 2,
    });
  });

  it.for([
    ['a pair torn apart', 'a <g id="1">b c</g>', '[[t:x:1]]b[[/]] a [[t:x:1]]c[[/]]'],
    ['a pair without words', 'a <g id="1">b</g>', 'a b'],
    ['pairs that do not nest', '<g id="1">a b</g> <g id="2">c</g>', '[<o1>]a [<o2>]b[<c1>] c[<c2>]'],
    ['an open bracket', 'a', 'a ['],
    ['an unknown blank', 'a', 'a [<script>alert(1)</script>]'],
  ] as const)('is refused with %s', ([, source, stream]) => {
    expect(read(stream, source)).toBeUndefined();
  });
});
