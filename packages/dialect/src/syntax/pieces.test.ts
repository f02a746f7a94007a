import { describe, expect, it } from 'vitest';
import { bound } from '../../../../test/support/machine.ts';
import { htmlPieces, tagPieces } from './pieces.ts';

const anyTag = () => true;
const length = 240_000;
const repeated = (piece: string) => piece.repeat(length / piece.length);

describe('pieces', () => {
  it.each([
    ['<a b="<a " c="d">e', ['open <a b="<a " c="d">', 'text e']],
    ['<a b="<a " c="<a "', ['text <a b="<a " c="<a "']],
    ['<a b="<i> " c="<a "', ['text <a b="', 'open <i>', 'text  " c="<a "']],
    ['<a b="> <b c="d">', ['open <a b="> <b c="d">']],
  ])('of the HTML %j are found', (html, found) => {
    expect(htmlPieces(html).map((piece) => `${piece.kind} ${'raw' in piece ? piece.raw : ''}`)).toEqual(found);
  });

  it.each([
    ['{% a {% b %} c', ['text {% a ', 'open {% b %}', 'text  c']],
    ['{% a %}{% enda %}', ['open {% a %}', 'close {% enda %}']],
    ['%}{% a %} %} {% b', ['text %}', 'open {% a %}', 'text  %} {% b']],
    ['{%%} {% b %}', ['text {%%} ', 'open {% b %}']],
  ])('of the tags %j are found', (source, found) => {
    expect(tagPieces(source, anyTag).map((piece) => `${piece.kind} ${'raw' in piece ? piece.raw : ''}`)).toEqual(found);
  });

  it.each([
    ['beginnings with one end', () => tagPieces(`${repeated('{% hint ')}%}`, anyTag)],
    ['beginnings without an end', () => tagPieces(repeated('{% hint '), anyTag)],
    ['quotes with tags in them', () => htmlPieces(`<a b="${repeated('<a " b="')}"`)],
    ['quotes of both kinds', () => htmlPieces(`<a b="${repeated(`<a " b="<a ' c='`)}"'`)],
    ['tags in quotes that end nowhere', () => htmlPieces(repeated('<a b="'))],
  ])('are found in linear time: %s', (_what, find) => {
    const startMs = performance.now();
    find();
    expect(performance.now() - startMs).toBeLessThan(bound(800));
  });
});
