import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PageSource } from '@bindery/dialect/frontmatter';
import { bound } from '../../../../test/support/machine.ts';
import type { Choice, Side } from './conflict/choices.ts';
import { mergeSource } from './mergeSource.ts';
import { splitBlocks } from './splitBlocks.ts';

const source = (body: string, frontmatter = ''): PageSource => ({
  frontmatter: Buffer.from(frontmatter),
  body: Buffer.from(body),
});
const textOf = ({ frontmatter, body }: PageSource) => Buffer.concat([frontmatter, body]).toString();
function merge(base: string, ours: string, theirs: string) {
  const { source: merged, conflicts } = mergeSource({
    base: source(base),
    ours: source(ours),
    theirs: source(theirs),
  });
  return {
    text: textOf(merged),
    conflicts: conflicts.map(({ base: o, ours: a, theirs: b }) => ({ base: o, ours: a, theirs: b })),
  };
}
function mergeKeys(base: string, ours: string, theirs: string) {
  const { source: merged, conflicts } = mergeSource({
    base: source('', base),
    ours: source('', ours),
    theirs: source('', theirs),
  });
  return { text: textOf(merged), conflicts: conflicts.map(({ base: o, ours: a, theirs: b }) => [o, a, b]) };
}

describe('the blocks of a page', () => {
  it('give its text when joined', () => {
    const piece = fc.constantFrom(
      'a',
      '# T',
      '',
      ' ',
      '```',
      '~~~',
      '{% hint %}',
      '{% endhint %}',
      '<table>',
      '</table>',
      '$$',
      '- x',
      '---',
      '\r',
    );
    const lines = fc
      .tuple(fc.array(piece, { maxLength: 30 }), fc.constantFrom('\n', '\r\n'))
      .map(([all, feed]) => all.join(feed));
    fc.assert(
      fc.property(lines, (text) => {
        expect(
          splitBlocks(text)
            .map((block) => block.text + block.gap)
            .join(''),
        ).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('end where another block begins, and keep related content together', () => {
    const hint = '{% hint style="info" %}\n\nText.\n\n```js\n# no heading\n\n```\n\n{% endhint %}';
    const details = '<details>\n\n<summary>More</summary>\n\nText.\n\n</details>';
    const text = `\n# Title\nText\nof two lines.\n${hint}\nMore.\n\n\n~~~\ncode\n\n~~~\n${details}\n\n$$\na\n\nb\n$$\n`;
    expect(splitBlocks(text).map((block) => block.text)).toEqual([
      ...['', '# Title', 'Text\nof two lines.', hint, 'More.', '~~~\ncode\n\n~~~', details, '$$\na\n\nb\n$$'],
    ]);
  });

  it('do not extend to the end of the text for a missing closing line', () => {
    expect(splitBlocks('{% hint %}\n\nText.\n\n<table>\n\nMore.').map((block) => block.text)).toEqual([
      '{% hint %}',
      'Text.',
      '<table>',
      'More.',
    ]);
  });
});

describe('merging two versions of a page', () => {
  it('takes the changes of each side to a block, even next to each other', () => {
    expect(merge('# T\n\nA\n\nB\n', '# T\n\nA of ours\n\nB\n', '# T\n\nA\n\nB of theirs\n')).toEqual({
      text: '# T\n\nA of ours\n\nB of theirs\n',
      conflicts: [],
    });
    expect(merge('A\n\nB\n', 'A\n\nX\n\nB\n', 'A\n')).toEqual({ text: 'A\n\nX\n', conflicts: [] });
    expect(merge('# T\nA\n', '# U\nA\n', '# T\nB\n')).toEqual({ text: '# U\nB\n', conflicts: [] });
  });

  it('merges lines inside a block, even next to each other', () => {
    expect(merge('- a\n- b\n- c\n', '- A\n- b\n- c\n', '- a\n- B\n- c\n')).toEqual({
      text: '- A\n- B\n- c\n',
      conflicts: [],
    });
    expect(merge('- a\n- b\n- c\n', '- x\n- a\n- b\n- c\n', '- a\n- b\n- C\n')).toEqual({
      text: '- x\n- a\n- b\n- C\n',
      conflicts: [],
    });
  });

  it('takes theirs where both changed the same lines, and reports both texts', () => {
    expect(merge('A\n\nB\n', 'A of ours\n\nB\n', 'A of theirs\n\nB\n')).toEqual({
      text: 'A of theirs\n\nB\n',
      conflicts: [{ base: 'A', ours: 'A of ours', theirs: 'A of theirs' }],
    });
    expect(merge('A\n\nB\n', 'A\n', 'A\n\nB!\n')).toEqual({
      text: 'A\n\nB!\n',
      conflicts: [{ base: 'B', ours: null, theirs: 'B!' }],
    });
    expect(merge('A\n\nB\n', 'A\n\nB!\n', 'A\n')).toEqual({
      text: 'A\n',
      conflicts: [{ base: 'B', ours: 'B!', theirs: null }],
    });
  });

  it('keeps additions of both sides in one position, ours first, and one title', () => {
    expect(merge('A', 'A\n\nOurs.', 'A\n\nTheirs.\n')).toEqual({
      text: 'A\n\nOurs.\n\nTheirs.\n',
      conflicts: [],
    });
    expect(merge('', '# Ours\n\nX\n', '# Theirs\n\nY\n')).toEqual({
      text: '# Theirs\n\nX\n\nY\n',
      conflicts: [{ base: null, ours: '# Ours', theirs: '# Theirs' }],
    });
    expect(merge('A\n', 'A\n\nSame.\n', 'A\n\nSame.\n')).toEqual({ text: 'A\n\nSame.\n', conflicts: [] });
  });

  it('keeps unchanged bytes', () => {
    const bytes = (...parts: (string | number[])[]) =>
      Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    const broken = [0xff, 0xfe, 0xa0, 0x85];
    const of = (one: string, two: string): PageSource => ({
      frontmatter: bytes([0xef, 0xbb, 0xbf]),
      body: bytes(one, '\r\n\r\n', broken, '\r\n\r\n', two),
    });
    const { source: merged, conflicts } = mergeSource({
      base: of('A', 'B'),
      ours: of('Ä', 'B'),
      theirs: of('A', 'ß'),
    });
    expect(conflicts).toEqual([]);
    expect(Buffer.concat([merged.frontmatter, merged.body])).toEqual(
      Buffer.concat([of('Ä', 'ß').frontmatter, of('Ä', 'ß').body]),
    );
  });

  it('merges frontmatter by its keys', () => {
    const base = '---\n# About\nicon: a\nlayout:\n  width: wide\nvars:\n  x: 1\n---\n';
    expect(mergeKeys(base, base.replace('icon: a', 'icon: b'), base.replace('wide', 'default'))).toEqual({
      text: '---\n# About\nicon: b\nlayout:\n  width: default\nvars:\n  x: 1\n---\n',
      conflicts: [],
    });
    expect(mergeKeys('', '---\nicon: a\n---\n', '---\nicon: b\ntitle: T\n---\n')).toEqual({
      text: '---\nicon: b\ntitle: T\n---\n',
      conflicts: [[null, 'icon: a\n', 'icon: b\n']],
    });
    expect(mergeKeys('---\nicon: a\n---\n', '', '---\nicon: b\n---\n')).toEqual({
      text: '---\nicon: b\n---\n',
      conflicts: [['icon: a\n', null, 'icon: b\n']],
    });
    expect(mergeKeys('---\nicon: a\nhidden: true\n---\n', '---\nicon: a\n---\n', '')).toEqual({
      text: '',
      conflicts: [],
    });
  });

  const word = fc.constantFrom('one', 'two', 'three', 'four', 'five');
  const words = fc.array(word, { minLength: 1, maxLength: 4 });
  const plain = fc.oneof(
    words.map((all) => all.join(' ')),
    words.map((all) => all.map((item) => `- ${item}`).join('\n')),
  );
  const block = fc.oneof(
    plain,
    word.map((text) => `# ${text}`),
    word.map((text) => `{% hint %}\n\n${text}\n\n{% endhint %}`),
    word.map((text) => `\`\`\`\n${text}\n\n\`\`\``),
  );
  const page = fc
    .tuple(fc.array(block, { maxLength: 8 }), fc.boolean())
    .map(([all, isEnded]) => all.join('\n\n') + (isEnded ? '\n' : ''));

  it('equals the other side when one side changed nothing', () => {
    fc.assert(
      fc.property(page, page, (base, side) => {
        expect(merge(base, base, side)).toEqual({ text: side, conflicts: [] });
        expect(merge(base, side, base)).toEqual({ text: side, conflicts: [] });
        expect(merge(base, side, side)).toEqual({ text: side, conflicts: [] });
      }),
    );
  });

  it('commutes where the sides edited different blocks', () => {
    const edits = fc.array(fc.tuple(plain, fc.constantFrom('none', 'ours', 'theirs')), {
      minLength: 1,
      maxLength: 10,
    });
    fc.assert(
      fc.property(edits, (parts) => {
        const of = (...sides: string[]) =>
          parts.map(([text, by], at) => `${at} ${text}${sides.includes(by) ? ' edited' : ''}`).join('\n\n');
        const expected = { text: of('ours', 'theirs'), conflicts: [] };
        expect(merge(of(), of('ours'), of('theirs'))).toEqual(expected);
        expect(merge(of(), of('theirs'), of('ours'))).toEqual(expected);
      }),
    );
  });

  it("loses no line: each side's text is in the page, or in a conflict", () => {
    const lines = (text: string) => new Set(text.split('\n').flatMap((line) => line.trim() || []));
    fc.assert(
      fc.property(page, page, page, (base, ours, theirs) => {
        const { text, conflicts } = merge(base, ours, theirs);
        const kept = lines(text);
        for (const [side, told] of [
          [ours, conflicts.map((conflict) => conflict.ours)],
          [theirs, conflicts.map((conflict) => conflict.theirs)],
        ] as const) {
          const found = lines(told.join('\n'));
          for (const line of lines(side).difference(lines(base)))
            expect([line, kept.has(line) || found.has(line)]).toEqual([line, true]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes less than a second for any page', () => {
    const many = (count: number, text: (index: number) => string, between = '\n\n') =>
      Array.from({ length: count }, (_, at) => text(at)).join(between);
    for (const [base, ours, theirs] of [
      [
        many(50_000, (at) => `${at}`),
        `top\n\n${many(50_000, (at) => `${at}`)}`,
        `${many(50_000, (at) => `${at}`)}\n\nend`,
      ],
      [many(50_000, () => 'x'), `top\n\n${many(50_000, () => 'x')}`, `${many(49_000, () => 'x')}\n\nend`],
      [many(20_000, (at) => `a ${at}`), many(20_000, (at) => `b ${at}`), many(20_000, (at) => `c ${at}`)],
      [
        many(50_000, (at) => `${at % 40}`, '\n'),
        many(50_000, (at) => `${at % 41}`, '\n'),
        many(50_000, (at) => `${at % 43}`, '\n'),
      ],
      [
        '{% hint %}\n\n'.repeat(40_000),
        `${'{% hint %}\n\n'.repeat(40_000)}a`,
        `b\n\n${'{% hint %}\n\n'.repeat(40_000)}`,
      ],
    ] as const) {
      const startedAt = process.cpuUsage();
      merge(base, ours, theirs);
      const { user, system } = process.cpuUsage(startedAt);
      expect((user + system) / 1_000).toBeLessThan(bound(1_000));
    }
  });
});

describe('a chosen version', () => {
  const versions = {
    base: source('One.\r\n\r\n- a\r\n- b\r\n- c\r\n', 'icon: a\n'),
    ours: source('Ours.\r\n\r\n- A\r\n- b\r\n- ours\r\n', 'icon: a\n'),
    theirs: source('Theirs.\r\n\r\n- a\r\n- b\r\n- theirs\r\n', 'icon: a\n'),
  };
  const taking = (parts: [string, Choice][], otherwise?: Side) =>
    textOf(mergeSource({ ...versions, choices: { parts: new Map(parts), otherwise } }).source);

  it('is the whole text of a side, or a given text with the line breaks of the file', () => {
    expect(taking([])).toBe('icon: a\nTheirs.\r\n\r\n- A\r\n- b\r\n- theirs\r\n');
    expect(taking([['body.1', 'theirs']], 'ours')).toBe('icon: a\nOurs.\r\n\r\n- a\r\n- b\r\n- theirs\r\n');
    expect(taking([['body.0', { text: '\nÄ\n\nB ' }]], 'ours')).toBe(
      'icon: a\nÄ\r\n\r\nB\r\n\r\n- A\r\n- b\r\n- ours\r\n',
    );
    expect(taking([['body.0', { text: ' \n' }]], 'ours')).toBe('icon: a\n- A\r\n- b\r\n- ours\r\n');
    expect(taking([['body.0', { text: '\uFEFF\n' }]], 'ours')).toBe('icon: a\n- A\r\n- b\r\n- ours\r\n');
    expect(taking([['body.0', { text: '\uFEFFÄ' }]], 'ours')).toBe(
      taking([['body.0', { text: 'Ä' }]], 'ours'),
    );
  });

  it('may be the merged lines, or one side for the conflicting lines of all conflicts', () => {
    const lists = {
      base: source('- a\n- b\n- c\n'),
      ours: source('- a\n- B\n- ours\n'),
      theirs: source('- A\n- b\n- theirs\n'),
    };
    const merged = (choices: { parts?: [string, Choice][]; otherwise?: Side }) =>
      textOf(
        mergeSource({ ...lists, choices: { parts: new Map(choices.parts), otherwise: choices.otherwise } })
          .source,
      );
    expect(merged({ parts: [['body.0', 'merged']] })).toBe('- A\n- B\n- theirs\n');
    expect(merged({ otherwise: 'theirs' })).toBe('- A\n- B\n- theirs\n');
    expect(merged({ otherwise: 'ours' })).toBe('- A\n- B\n- ours\n');
    expect(merged({ parts: [['body.0', 'ours']] })).toBe('- a\n- B\n- ours\n');
  });

  it('never becomes frontmatter', () => {
    const choices = { parts: new Map([['body.0', { text: '---\ntitle: Other\n---' }]]) };
    const { source: merged } = mergeSource({
      ...{ base: source('One.\n'), ours: source('Ours.\n'), theirs: source('Theirs.\n') },
      choices,
    });
    expect(textOf(merged)).toBe('\n---\ntitle: Other\n---\n');
  });
});
