import type { BlockChange } from '@bindery/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import { bound } from '../../../../test/support/machine.ts';
import { splitBlocks } from '../merge/splitBlocks.ts';
import { diffBlocks } from './diffBlocks.ts';
import { diffLines } from './diffLines.ts';
import { linesIn } from './showChange.ts';

/** A change in one line: its kind, the old text, the new text. */
const brief = (changes: BlockChange[]) =>
  changes.map(({ kind, before, after }) => [kind, before?.text, after?.text]);
const lines = (changes: BlockChange[]) =>
  changes.map(({ before, after }) => [
    before && [before.firstLine, before.lastLine],
    after && [after.firstLine, after.lastLine],
  ]);

describe('the changes of a page', () => {
  it('list the changed blocks, with their lines on both sides', () => {
    const before = '---\ndescription: Old\n---\n\n# Title\n\nStays.\n\n- a\n- b\n\nGoes.\n';
    const after = '---\ndescription: New\n---\n\n# Title\n\nComes.\n\nStays.\n\n- a\n- B\n';
    const changes = diffBlocks(before, after);
    expect(brief(changes)).toEqual([
      ['changed', '---\ndescription: Old\n---', '---\ndescription: New\n---'],
      ['added', undefined, 'Comes.'],
      ['changed', '- a\n- b', '- a\n- B'],
      ['removed', 'Goes.', undefined],
    ]);
    expect(lines(changes)).toEqual([
      [
        [1, 3],
        [1, 3],
      ],
      [undefined, [7, 7]],
      [
        [9, 10],
        [11, 12],
      ],
      [[12, 12], undefined],
    ]);
  });

  it('keep the content of a tag, element or fence together', () => {
    const hint = (text: string) =>
      `# T\n\n{% hint style="info" %}\n${text}\n\nMore.\n{% endhint %}\n\nEnd.\n`;
    expect(brief(diffBlocks(hint('One.'), hint('Two.')))).toEqual([
      [
        'changed',
        '{% hint style="info" %}\nOne.\n\nMore.\n{% endhint %}',
        '{% hint style="info" %}\nTwo.\n\nMore.\n{% endhint %}',
      ],
    ]);
  });

  it('include all blocks of a new or removed page', () => {
    expect(brief(diffBlocks(undefined, '# T\n\nA\n'))).toEqual([
      ['added', undefined, '# T'],
      ['added', undefined, 'A'],
    ]);
    expect(brief(diffBlocks('---\nicon: x\n---\nA\n', undefined))).toEqual([
      ['removed', '---\nicon: x\n---', undefined],
      ['removed', 'A', undefined],
    ]);
    expect(diffBlocks(undefined, undefined)).toEqual([]);
  });

  it('include white space where nothing else differs', () => {
    expect(brief(diffBlocks('A\n\nB', 'A\n\nB\n'))).toEqual([['changed', 'B', 'B\n']]);
    expect(brief(diffBlocks('A\n\nB\n\nC\n', 'A\n\n\nB\n\nC\n'))).toEqual([['changed', 'A\n\n', 'A\n\n\n']]);
    expect(brief(diffBlocks('A\n', '\nA\n'))).toEqual([['added', undefined, '\n']]);
    expect(brief(diffBlocks('A\n', 'A\n\nB\n'))).toEqual([['added', undefined, 'B']]);
  });

  it('show the differing part of a long block, marked as cut', () => {
    const table = (cell: string) =>
      Array.from({ length: 2_000 }, (_, row) => `| ${row === 1_500 ? cell : row} | x |`).join('\n');
    const [change, ...more] = diffBlocks(`# T\n\n${table('old')}\n`, `# T\n\n${table('new')}\n`);
    expect(more).toEqual([]);
    expect(change).toEqual({
      kind: 'changed',
      before: {
        text: '| 1499 | x |\n| old | x |\n| 1501 | x |\n',
        firstLine: 1_502,
        lastLine: 1_504,
        cut: true,
      },
      after: {
        text: '| 1499 | x |\n| new | x |\n| 1501 | x |\n',
        firstLine: 1_502,
        lastLine: 1_504,
        cut: true,
      },
    });
  });

  it('show at most 4,000 characters of each side, without splitting one', () => {
    const [change] = diffBlocks(undefined, `a${'😀'.repeat(5_000)}`);
    expect(change?.after?.text).toBe(`a${'😀'.repeat(1_999)}`);
    expect(change?.after).toMatchObject({ firstLine: 1, lastLine: 1, cut: true });
    const long = 'x'.repeat(10_000);
    const [other] = diffBlocks(`${long}A${long}`, `${long}B${long}`);
    expect(other?.before?.text).toContain('xA');
    expect(other?.after?.text).toContain('xB');
  });

  it('are one change for a text far longer than a page', () => {
    const file = (word: string) =>
      `${'A line.\n\n'.repeat(50_000)}${word}\n${'Another line.\n\n'.repeat(50_000)}`;
    expect(diffBlocks(file('old'), file('new'))).toEqual([
      {
        kind: 'changed',
        before: { text: '\nold\nAnother line.\n', firstLine: 100_000, lastLine: 100_002, cut: true },
        after: { text: '\nnew\nAnother line.\n', firstLine: 100_000, lastLine: 100_002, cut: true },
      },
    ]);
  });
});

describe('comparing', () => {
  it('takes little time for any texts', () => {
    const word = (index: number) => String((index * 7_919) % 10_007);
    const paragraphs = (count: number, text: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => text(index)).join('\n\n');
    const worst: [string, string][] = [
      [paragraphs(4_900, word), paragraphs(4_900, (index) => word(index + 5_000))],
      [
        paragraphs(600, (index) => word(index).repeat(100)),
        paragraphs(600, (index) => word(index + (index % 2 ? 0 : 1)).repeat(100)),
      ],
      [paragraphs(4_900, () => 'a'), `b\n\n${paragraphs(4_890, () => 'a')}\n\nc`],
      ['</a'.repeat(99_000), '</b'.repeat(99_000)],
      ['{% hint %}\n'.repeat(9_000), '{% tip %}\n'.repeat(9_000)],
      ['```\n\n'.repeat(4_900), '~~~\n\n'.repeat(4_900)],
      ['x'.repeat(5_000_000), 'y'.repeat(5_000_000)],
    ];
    for (const [before, after] of worst) {
      const start = process.cpuUsage();
      expect(diffBlocks(before, after)).not.toEqual([]);
      const { user } = process.cpuUsage(start);
      expect(user / 1_000).toBeLessThan(bound(600));
    }
  });
});

const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    'A sentence.',
    'A sentence!',
    '# T',
    '## U',
    '',
    '',
    ' ',
    '```',
    '{% hint %}',
    '{% endhint %}',
  ],
  ...['<table>', '</table>', '- x', '---', 'k: v', '\r', 'ü', '😀', '\uFEFF'],
);
const text = fc
  .tuple(fc.array(piece, { maxLength: 25 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([all, feed, hasFrontmatter]) =>
    [...(hasFrontmatter ? ['---', 'k: v', '---'] : []), ...all].join(feed),
  );

describe('any two texts', () => {
  it('have changes exactly when they differ', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(diffBlocks(before, before)).toEqual([]);
        expect(diffLines(before, before)).toEqual([]);
        expect(diffBlocks(before, after).length > 0).toBe(before !== after);
        expect(diffLines(before, after).length > 0).toBe(before !== after);
      }),
      { numRuns: 3_000 },
    );
  });

  it('turn into each other when the changes are applied', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(replaceLines(before, diffLines(before, after))).toBe(after);
        const changes = diffBlocks(before, after);
        // Unchanged blocks keep their order; new blocks are at their stated position.
        expect(blocksWithout(before, changes, 'before')).toEqual(blocksWithout(after, changes, 'after'));
        for (const { before: old, after: now } of changes) {
          if (old) expect(linesOf(before, old)).toContain(old.text);
          if (now) expect(linesOf(after, now)).toContain(now.text);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  function linesOf(file: string, { firstLine, lastLine }: { firstLine: number; lastLine: number }): string {
    return file
      .split(/(?<=\n)/)
      .slice(firstLine - 1, lastLine)
      .join('');
  }

  function replaceLines(file: string, changes: BlockChange[]): string {
    const all = file.split(/(?<=\n)/);
    let [result, next, written] = ['', 0, 0];
    for (const { before, after } of changes) {
      const from = before ? before.firstLine - 1 : next + ((after?.firstLine ?? 1) - 1 - written);
      for (; next < from; next += 1, written += 1) result += all[next];
      result += after?.text ?? '';
      written += after ? after.lastLine - after.firstLine + 1 : 0;
      next += before ? before.lastLine - before.firstLine + 1 : 0;
    }
    return result + all.slice(next).join('');
  }

  function blocksWithout(file: string, changes: BlockChange[], side: 'before' | 'after'): string[] {
    const named = new Set(changes.map((change) => change[side]?.firstLine));
    const head = file.startsWith('---')
      ? Buffer.from(splitFrontmatter(Buffer.from(file)).frontmatter).toString()
      : '';
    let line = 1;
    const kept: string[] = [];
    for (const { text: block, gap } of [{ text: head, gap: '' }, ...splitBlocks(file.slice(head.length))]) {
      if (!named.has(line)) kept.push(block.trim());
      line += linesIn(block + gap);
    }
    return kept.filter((block) => block !== '');
  }
});
