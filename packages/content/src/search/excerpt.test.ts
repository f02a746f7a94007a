import { describe, expect, it } from 'vitest';
import { excerptAt, findTerms, foldText } from './excerpt.ts';
import { readingsOf } from './searchTerms.ts';

const find = (text: string, query: string) =>
  findTerms(foldText(text), { terms: readingsOf(query)[0]?.terms ?? [] });
const around = (text: string, query: string) => excerptAt(text, find(text, query).first);
const filler = 'lorem ipsum dolor sit amet '.repeat(40);

describe('the position of a term', () => {
  it('is at a whole word, or for the last term at the beginning of a word', () => {
    expect(find('a preinstall, then install it', 'install it')).toEqual({ found: 2, first: 19 });
    expect(find('reinstallation', 'install')).toEqual({ found: 0, first: 0 });
    expect(find('the installation', 'install').first).toBe(4);
  });

  it('is found regardless of accents, letter variants and case', () => {
    for (const [text, query] of [
      ['Die GRÖSSE', 'größe'],
      ['naïve Größe', 'grosse'],
      ['ﬁﬁ Straße', 'strasse'],
      ['İİİ ISPARTA', 'isparta'],
    ] as const) {
      const { found, first } = find(text, query);
      expect([text, found, first]).toEqual([text, 1, text.lastIndexOf(' ') + 1]);
    }
  });

  it('is anywhere in scripts without spaces', () => {
    expect(find('请先安装数据库', '数据库')).toEqual({ found: 2, first: 4 });
  });
});

describe('an excerpt', () => {
  it('contains the match, and at most 300 characters', () => {
    for (const at of [0, 1, 50, 400, 1_000]) {
      const text = `${filler.slice(0, at)} needle ${filler}`;
      expect(around(text, 'needle')).toContain('needle');
      expect(around(text, 'needle').length).toBeLessThanOrEqual(300);
    }
    expect(around(`${filler}needle`, 'needle')).toMatch(/needle$/);
  });

  it('begins with a whole word', () => {
    expect(around(`${filler}needle ${filler}`, 'needle')).toMatch(/^(lorem|ipsum|dolor|sit|amet) /);
  });

  it('is the whole text if that is short, on one line', () => {
    expect(excerptAt('one\ntwo', 0)).toBe('one two');
  });

  it('splits no character', () => {
    for (const character of ['😀', '👩‍👩‍👧', 'é', '🇩🇪'.slice(0, 4), '語'])
      for (let shift = 0; shift < 7; shift += 1) {
        const text = `${'x'.repeat(shift)}${character.repeat(300)}needle${character.repeat(300)}`;
        const excerpt = excerptAt(text, text.indexOf('needle'));
        expect(excerpt.isWellFormed()).toBe(true);
        expect(excerpt).not.toMatch(/^\p{M}|^\u200d|\u200d$/u);
        expect(text).toContain(excerpt);
        expect(excerpt.length).toBeLessThanOrEqual(300);
      }
    expect(excerptAt(`e${'\u0301'.repeat(5_000)}`, 0).length).toBeLessThanOrEqual(300);
  });
});
