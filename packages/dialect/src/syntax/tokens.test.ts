import { describe, expect, it } from 'vitest';
import { bound } from '../../../../test/support/machine.ts';
import { tokenizeHtml, tokenizeTags } from './tokens.ts';

const anyTag = () => true;
const length = 240_000;
const repeated = (token: string) => token.repeat(length / token.length);

describe('tokens', () => {
  it.each([
    ['<a b="<a " c="d">e', ['open <a b="<a " c="d">', 'text e']],
    ['<a b="<a " c="<a "', ['text <a b="<a " c="<a "']],
    ['<a b="<i> " c="<a "', ['text <a b="', 'open <i>', 'text  " c="<a "']],
    ['<a b="> <b c="d">', ['open <a b="> <b c="d">']],
  ])('of the HTML %j are found', (html, found) => {
    expect(tokenizeHtml(html).map((token) => `${token.kind} ${'raw' in token ? token.raw : ''}`)).toEqual(
      found,
    );
  });

  it.each([
    ['{% a {% b %} c', ['text {% a ', 'open {% b %}', 'text  c']],
    ['{% a %}{% enda %}', ['open {% a %}', 'close {% enda %}']],
    ['%}{% a %} %} {% b', ['text %}', 'open {% a %}', 'text  %} {% b']],
    ['{%%} {% b %}', ['text {%%} ', 'open {% b %}']],
  ])('of the tags %j are found', (source, found) => {
    expect(
      tokenizeTags(source, anyTag).map((token) => `${token.kind} ${'raw' in token ? token.raw : ''}`),
    ).toEqual(found);
  });

  it.each([
    ['beginnings with one end', () => tokenizeTags(`${repeated('{% hint ')}%}`, anyTag)],
    ['beginnings without an end', () => tokenizeTags(repeated('{% hint '), anyTag)],
    ['quotes with tags in them', () => tokenizeHtml(`<a b="${repeated('<a " b="')}"`)],
    ['quotes of both kinds', () => tokenizeHtml(`<a b="${repeated(`<a " b="<a ' c='`)}"'`)],
    ['tags in quotes that end nowhere', () => tokenizeHtml(repeated('<a b="'))],
  ])('are found in linear time: %s', (_what, find) => {
    const startMs = performance.now();
    find();
    expect(performance.now() - startMs).toBeLessThan(bound(800));
  });
});
