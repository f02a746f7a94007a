import { describe, expect, it } from 'vitest';
import { ExchangeError, exchangeLimits, readUnits, type ExchangeLimits } from './index.ts';

const pair = { source: 'en', target: 'es' };

async function read(
  format: 'tmx' | 'xliff',
  { file, limits = {} }: { file: string | Buffer; limits?: Partial<ExchangeLimits> },
) {
  const all = { ...exchangeLimits, ...limits };
  return Array.fromAsync(readUnits([Buffer.from(file)], { format, pair, limits: all }));
}

const units = (content: string) =>
  `<xliff version="1.2"><file source-language="en"><body>${content}</body></file></xliff>`;
const unit = '<trans-unit id="a"><source>A</source><target>B</target></trans-unit>';

describe('a file that cannot be read', () => {
  it.each([
    ['that is cut off', units(unit).slice(0, 90), 1, 'unclosed tag'],
    ['with tags that do not nest', `<xliff>\n<file>\n  <body></file></xliff>`, 3, 'unexpected close tag'],
    ['of no XML', 'PK\u0003\u0004', 1, 'is not XML'],
    ['without content', '', 1, 'is not XML'],
    ['of another format', '<html/>', 1, 'The file is not XLIFF: it begins with <html>.'],
    ['with an entity', units('&nbsp;'), 1, 'undefined entity'],
    ['with a name of an object', units('&toString;&__proto__;'), 1, 'undefined entity'],
    ['with entities of its own', `<!DOCTYPE a [<!ENTITY x "y">]>${units('&x;')}`, 1, 'defines something'],
    [
      'with an external entity',
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>`,
      1,
      'defines',
    ],
    ['with bytes that are not UTF-8', Buffer.from([...Buffer.from('<xliff>\n'), 0xff, 0x3c]), 1, 'not UTF-8'],
    ['in an unknown encoding', '<?xml version="1.0" encoding="x-none"?><a/>', 1, 'x-none is unknown'],
  ])('%s gives the place and the reason', async (_name, file, line, words) => {
    const error = await read('xliff', { file }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ExchangeError);
    expect(error).toMatchObject({
      ...{ line, column: expect.any(Number) },
      message: expect.stringContaining(words),
      action: expect.stringMatching(/^[A-Z].*\.$/),
    });
  });

  it('names an external document type without fetching it', async () => {
    const file = `<!DOCTYPE xliff SYSTEM "http://127.0.0.1:1/xliff.dtd">${units(unit)}`;
    expect(await read('xliff', { file })).toHaveLength(1);
  });

  it.each<[string, Partial<ExchangeLimits>, string]>([
    ['bytes', { bytes: 100 }, 'larger than 100 bytes'],
    ['levels', { depth: 4 }, 'more than 4 deep'],
    ['units', { units: 2 }, 'more than 2 units'],
  ])('has too many %s', async (_name, limits, words) => {
    await expect(read('xliff', { file: units(unit.repeat(3)), limits })).rejects.toThrow(words);
  });
});

describe('a unit that cannot be read', () => {
  it.each<[string, Partial<ExchangeLimits>, string]>([
    ['characters', { characters: 10 }, 'longer than 10 characters'],
    ['placeholders', { placeholders: 3 }, 'more than 3 placeholders'],
  ])('has too many %s, and other units are read', async (_name, limits, words) => {
    const long = `<trans-unit id="long"><source>${'A<x id="1"/>'.repeat(50)}</source></trans-unit>`;
    expect(await read('xliff', { file: units(long + unit), limits })).toEqual([
      { id: 'long', line: 1, problem: expect.stringContaining(words) },
      { id: 'a', line: 1, source: 'A', target: 'B' },
    ]);
  });

  it('is reported with its line', async () => {
    const [found] = await read('xliff', { file: units(`\n\n<trans-unit id="a"><x/></trans-unit>`) });
    expect(found).toEqual({ id: 'a', line: 3, problem: 'It has no source.' });
  });
});

describe('a name of a million characters', () => {
  const long = 'n'.repeat(1_000_000);
  const xliff = (language: string, content: string) =>
    `<xliff version="1.2"><file source-language="${language}"><body>${content}</body></file></xliff>`;
  const tmx = (content: string) => `<tmx version="1.4"><body><tu>${content}</tu></body></tmx>`;
  const variants = '<tuv xml:lang="en"><seg>A</seg></tuv><tuv xml:lang="es"><seg>B</seg></tuv>';

  it.each([
    ['an id', 'xliff', xliff('en', `<trans-unit id="${long}"><source>A</source></trans-unit>`)],
    ['the language of all units', 'xliff', xliff(long, unit.repeat(10))],
    ['a tag in a text', 'xliff', xliff('en', `<trans-unit><source>A<${long}/></source></trans-unit>`)],
    ['a role', 'tmx', tmx(`<prop type="x-role">${long}</prop>${variants}`)],
  ] as const)('is cut in the messages of units when it is %s', async (_name, format, file) => {
    const found = await read(format, { file });
    expect(found.length).toBeGreaterThan(0);
    for (const one of found) expect(JSON.stringify(one).length).toBeLessThan(1_000);
  });

  it('is cut in the error when it is the first tag', async () => {
    const error = await read('tmx', { file: `<${long}/>` }).catch((reason: unknown) => reason);
    expect((error as Error).message.length).toBeLessThan(1_000);
  });
});

describe('the time for a hostile file', { timeout: 30_000 }, () => {
  const size = 4_000_000;
  it.each([
    ['many attributes', `<xliff ${Array.from({ length: size / 20 }, (_, n) => `a${n}="1"`).join(' ')}/>`],
    [
      'many namespaces',
      `<xliff ${Array.from({ length: size / 40 }, (_, n) => `xmlns:a${n}="u${n}"`).join(' ')}/>`,
    ],
    ['a long comment', `<xliff><!--${'- '.repeat(size / 2)}--></xliff>`],
    ['a long attribute', `<xliff a="${'&amp;'.repeat(size / 5)}"/>`],
    ['a long type', `<!DOCTYPE xliff SYSTEM "${'x'.repeat(size)}"><xliff/>`],
    [
      'many tags in a text',
      units(`<trans-unit><source>${'<x id="1"/>'.repeat(size / 11)}</source></trans-unit>`),
    ],
    ['spaces in a text', units(`<trans-unit><source>${' '.repeat(size)}</source></trans-unit>`)],
    ['references in a text', units(`<trans-unit><source>${'&#32;'.repeat(size / 5)}</source></trans-unit>`)],
    ['brackets in CDATA', units(`<trans-unit><source><![CDATA[${']'.repeat(size)}]]></source></trans-unit>`)],
  ])('with %s grows with its size', async (_name, file) => {
    // A quadratic reader exceeds the time limit of the test.
    await read('xliff', { file }).catch(() => {});
  });
});
