import { describe, expect, it } from 'vitest';
import { partsOf, queryWords, wordsOf } from './words.ts';

const wordsIn = (text: string) => [...new Set(Array.from(wordsOf(text), (word) => word.text))];
/** Tells whether a page with this text has every word of a query, as a search compares them. */
const finds = (text: string, query: string) => {
  const words = wordsIn(text);
  return queryWords(query).every((wanted) =>
    words.some((word) => (wanted.isPrefix ? word.startsWith(wanted.text) : word === wanted.text)),
  );
};

describe('the words of a text', () => {
  it('are in lower case, separated by anything but letters and digits', () => {
    expect(wordsIn('Install it, (twice) in 2026: don’t_stop.')).toEqual([
      'install',
      'it',
      'twice',
      'in',
      '2026',
      'don',
      't',
      'stop',
    ]);
  });

  it('are listed again without accents', () => {
    expect(wordsIn('Größe Übersicht naïve Ærø')).toEqual([
      'größe',
      'grosse',
      'übersicht',
      'ubersicht',
      'naïve',
      'naive',
      'ærø',
      'aero',
    ]);
  });

  it('are the same for composed and decomposed letters, and for letters of any width', () => {
    expect(wordsIn('Cafe\u0301')).toEqual(wordsIn('Café'));
    expect(wordsIn('ＡＰＩ ﬁle')).toEqual(['api', 'file']);
  });

  it('of Turkish are found with and without their dots', () => {
    expect(finds('İstanbul', 'istanbul')).toBe(true);
    expect(finds('İSTANBUL', 'İstanbul')).toBe(true);
    expect(finds('ISPARTA', 'isparta')).toBe(true);
    expect(finds('ılık', 'ilik')).toBe(true);
  });

  it('of Arabic are found without vowel signs, hamza and stretching', () => {
    expect(finds('الوَثِيقَة الأساسية', 'الوثيقة')).toBe(true);
    expect(finds('الأساسية', 'الاساسية')).toBe(true);
    expect(finds('كـــتاب', 'كتاب')).toBe(true);
    expect(finds('مع الخادم وبالخادم', 'خادم')).toBe(true);
    expect(wordsIn('الى')).toEqual(['الى']);
  });

  it('of Devanagari keep the signs that are their vowels', () => {
    expect(wordsIn('हिन्दी')).toEqual(['हिन्दी']);
  });

  it('of Thai are split by a dictionary', () => {
    expect(finds('การติดตั้งโปรแกรม', 'โปรแกรม')).toBe(true);
  });

  it.each([
    ['数据库连接配置', '数据库'],
    ['数据库连接配置', '连接'],
    ['数据库连接配置', '置'],
    ['データベースの設定', 'データベース'],
    ['データベースの設定', '設定'],
    ['ﾃﾞｰﾀﾍﾞｰｽ', 'データベース'],
    ['데이터베이스를 설정합니다', '데이터베이스 설정'],
    ['데이터베이스를 설정합니다', '베이스'],
    ['使用API网关', 'api 网关'],
  ])('%s contains %s', (text, query) => {
    expect(finds(text, query)).toBe(true);
  });

  it('of Chinese count for more where a pair of characters is a word', () => {
    const shareOf = (text: string, pair: string) =>
      [...wordsOf(text)].filter((word) => word.text === pair).reduce((sum, { share }) => sum + share, 0);
    expect(shareOf('京都', '京都')).toBeGreaterThan(shareOf('東京都庁', '京都'));
  });

  it('of an identifier are the whole and its parts', () => {
    expect(wordsIn('getUserById')).toEqual(['getuserbyid', 'get', 'user', 'by', 'id']);
    expect(wordsIn('HTTPServer user_id X-Job-Id')).toEqual([
      'httpserver',
      'http',
      'server',
      'user',
      'id',
      'x',
      'job',
    ]);
    expect(partsOf('plain')).toEqual(['plain']);
  });

  it('are cut when they are too long', () => {
    expect(wordsIn('x'.repeat(10_000))).toEqual(['x'.repeat(64)]);
    expect(wordsIn(`${'𝒳'.repeat(100)}`).every((word) => word.length <= 64 && word.isWellFormed())).toBe(
      true,
    );
  });
});

describe('a query', () => {
  it('has its last word as a prefix', () => {
    expect(queryWords('Install conf')).toEqual([
      { text: 'install', isPrefix: false },
      { text: 'conf', isPrefix: true },
    ]);
    expect(queryWords('京')).toEqual([{ text: '京', isPrefix: true }]);
  });

  it('without a letter or digit has no words', () => {
    for (const query of ['(((', '.*+?^${}', '…—“”', '\u0301'.repeat(512), '   '])
      expect(queryWords(query)).toEqual([]);
  });

  it('is plain text', () => {
    expect(queryWords('$where (a+)+$ .*')).toEqual([
      { text: 'where', isPrefix: false },
      { text: 'a', isPrefix: true },
    ]);
  });
});
