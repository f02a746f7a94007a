import { describe, expect, it } from 'vitest';
import { collectExpressions, expressionsIn } from '../support/expressions/collectExpressions.ts';
import { slowExpressions } from '../support/expressions/slowExpressions.ts';

const inSource = async (text: string) => (await slowExpressions(expressionsIn('a.ts', text))).size;

describe('regular expressions', { timeout: 300_000 }, () => {
  it('take linear time, or have a comment with the bound of their input', async () => {
    const expressions = collectExpressions();
    expect(expressions.length).toBeGreaterThan(400);
    const slow = await slowExpressions(expressions);
    const unexcused = [...slow].filter(([{ isExcused }]) => !isExcused);
    expect(
      unexcused.map(([{ place, source, flags }, why]) => `${place} /${source}/${flags}: ${why}`),
    ).toEqual([]);
    const stale = expressions.filter((expression) => expression.isExcused && !slow.has(expression));
    expect(stale.map(({ place }) => place)).toEqual([]);
  });

  it('are excused by a comment with the bound of their input', () => {
    const excusedIn = (comment: string) =>
      expressionsIn('a.ts', `${comment}\nconst a = /a+$/;`).map(({ isExcused }) => isExcused);
    expect(excusedIn('// Not linear: of at most 1024 characters.')).toEqual([true]);
    expect(excusedIn('// Not linear: nobody will notice.')).toEqual([false]);
    expect(excusedIn('// At most 1024 characters.')).toEqual([false]);
  });

  it.each([
    ['with two quantifiers for one character', String.raw`/^\s*([^#]*?)\s*$/`],
    ['that begin anywhere in what they look for', String.raw`/\/+$/`],
    ['with beginnings that never end', String.raw`/\{%-?\s*(if|endif)\b(?:[^%]|%(?!\}))*%\}/g`],
    ['of a prefix and anything', String.raw`/text-decoration:[^;]*line-through/`],
    ['with loops in loops', String.raw`/^(?:<!--[\s\S]{0,2000}?-->\s*)*<svg/`],
    ['made of a text', String.raw`new RegExp('a+b?a+c')`],
    ['made of a template', 'new RegExp(`a+${b}?a+c`)'],
  ])('are reported when they are slow: %s', async (_what, text) => {
    expect(await inSource(`const a = ${text};`)).toBe(1);
  });

  it.each([
    String.raw`/^\s*a\s*$/`,
    String.raw`/[^/]+/g`,
    String.raw`/\{%-?\s*(if|endif)\b/g`,
    String.raw`/^(?:[a-z]+-)*[a-z]+$/`,
  ])('are not reported when they are linear: %s', async (text) => {
    expect(await inSource(`const a = ${text};`)).toBe(0);
  });
});
