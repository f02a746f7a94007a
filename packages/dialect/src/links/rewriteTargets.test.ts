import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, it } from 'vitest';
import { mdastNodes } from '../../../../test/support/mdastText.ts';
import { rewriteTargets } from './rewriteTargets.ts';
import { bound } from '../../../../test/support/machine.ts';

const seen = (markdown: string) => {
  const targets: string[] = [];
  rewriteTargets(markdown, (target, use) => {
    targets.push(`${use} ${target}`);
    return undefined;
  });
  return targets;
};
const renamed = (markdown: string, to = 'new.md') => rewriteTargets(markdown, () => to);
const unlinked = (markdown: string) => rewriteTargets(markdown, () => null);

describe('rewriting targets', () => {
  it.each([
    ['[a](b.md)', '[a](new.md)'],
    ['[a](<b c.md> "title")', '[a](new.md "title")'],
    ['[a]( b.md\n  "title" )', '[a]( new.md\n  "title" )'],
    ['![a](b.png)', '![a](new.md)'],
    ['[![a](b.png)](c.md)', '[![a](new.md)](new.md)'],
    ['[a [b](c) d](e)', '[a [b](new.md) d](e)'],
    ['[a\\](b)](c(d)e)', '[a\\](b)](new.md)'],
    ['[a]()', '[a](new.md)'],
    ['> * [a](b.md)\n>   > [c](d.md)', '> * [a](new.md)\n>   > [c](new.md)'],
    ['[a][b]\n\n[b]: <c.md> "t"\n[d]:\n  e.md\n', '[a][b]\n\n[b]: new.md "t"\n[d]:\n  new.md\n'],
    ['[^1]: see [a](b.md)', '[^1]: see [a](new.md)'],
    [
      'a <img src="b.png" alt="c"> <a href=\'d.md\'>e</a>',
      'a <img src="new.md" alt="c"> <a href=\'new.md\'>e</a>',
    ],
    ['<a href=d.md>e</a>', '<a href="new.md">e</a>'],
    [
      '<picture><source srcset="a, b.png 2x" media="dark"><img src="c.png"></picture>',
      '<picture><source srcset="new.md 2x" media="dark"><img src="new.md"></picture>',
    ],
    [
      '<table><tr><td><a href="b.md">c</a></td></tr></table>',
      '<table><tr><td><a href="new.md">c</a></td></tr></table>',
    ],
    ['{% embed url="https://a" %}', '{% embed url="new.md" %}'],
    ['{% file src="a b.pdf" %}\nwords\n{% endfile %}', '{% file src="new.md" %}\nwords\n{% endfile %}'],
    [
      '{% content-ref url=“b.md” %}\n[b.md](b.md)\n{% endcontent-ref %}',
      '{% content-ref url=“new.md” %}\n[b.md](new.md)\n{% endcontent-ref %}',
    ],
    ['{% include "/.gitbook/includes/a.md" %}', '{% include "new.md" %}'],
    ['| a |\n| - |\n| [b](c.md) |', '| a |\n| - |\n| [b](new.md) |'],
    ['# [a](b.md) #', '# [a](new.md) #'],
    ['* [a](b.md)\r\n* [c](d.md)\r\n', '* [a](new.md)\r\n* [c](new.md)\r\n'],
  ])('%j becomes %j', (markdown, expected) => {
    expect(renamed(markdown)).toBe(expected);
  });

  it.each([
    '`[a](b.md)`',
    '``[a](b.md) ` ``',
    '```\n[a](b.md)\n<img src="c">\n{% embed url="d" %}\n```',
    '* a\n\n  ~~~\n  [a](b.md)\n  ~~~',
    '    [a](b.md)',
    '$$\n[a](b.md)\n$$',
    'x $$[a](b.md)$$ y',
    '<pre><code><a href="b.md">c</a></code></pre>',
    '<!-- [a](b.md) <a href="c"> -->',
    '\\[a](b.md)',
    'a](b.md)',
    '[a] (b.md)',
    '[a](b c.md)',
    '<https://example.org>',
    'https://example.org',
    '{% hint style="info" %}',
    '{% embed caption="no" %}',
  ])('leaves %j as it is', (markdown) => {
    expect(renamed(markdown)).toBe(markdown);
  });

  it.each<[string, string[]]>([
    ['[a](b\\_c%20d.md) [e](f&amp;g)', ['link b_c%20d.md', 'link f&g']],
    [
      '{% file src="a&#x22;b" %} {% content-ref url="c" %} {% openapi src="d" path="/e" %}',
      ['file a"b', 'content-ref c', 'openapi d'],
    ],
    ['![i](j) <img src="k&#x26;l">', ['image j', 'image k&l']],
  ])('finds the targets of %j, decoded', (markdown, targets) => {
    expect(seen(markdown)).toEqual(targets);
  });

  it.each([
    ['[a **b**](c.md) d', 'a **b** d'],
    ['![alt](c.png) d', 'alt d'],
    ['[![alt](c.png)](d)', 'alt'],
    ['a <a href="b">c</a> <img src="d" alt="e">', 'a c e'],
    ['{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}\n', '\na.md\n\n'],
    ['[b]: c.md\n', '[b]: c.md\n'],
    ['{% include "a.md" %}', '{% include "a.md" %}'],
  ])('reduces %j to its text: %j', (markdown, expected) => {
    expect(unlinked(markdown)).toBe(expected);
  });

  it('writes any target so that it reads back unchanged', () => {
    const target = fc.string({
      unit: fc.constantFrom(...'ab/.#?&;%()<>\\"\'_ é*[]{}|x41'.split('')),
      minLength: 1,
      maxLength: 12,
    });
    const forms = [
      '[a](b)',
      '![a](b)',
      '[a](<b>)',
      '[c][a]\n\n[a]: b',
      '{% embed url="b" %}',
      '<a href="b">c</a>',
      '<a href=b>c</a>',
    ];
    fc.assert(
      fc.property(target, fc.constantFrom(...forms), (text, form) => {
        const wanted = text.trim();
        fc.pre(wanted !== '');
        expect(seen(renamed(form, wanted)).map((each) => each.replace(/^\S+ /, ''))).toEqual([wanted]);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the same targets as a CommonMark parser, and changes nothing without replacements', () => {
    const piece = fc.constantFrom(
      ...[
        '[a](b)',
        '![c](d)',
        '[',
        ']',
        '(',
        ')',
        '](e)',
        '`',
        '``',
        '\\',
        ' ',
        '\n',
        '\n\n',
        '> ',
        '* ',
        '1. ',
        '    ',
        '```\n',
        '<a href="f">',
        '</a>',
        '<i>',
        '*',
        'x',
        '# ',
        '<',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const markdown = pieces.join('');
        expect(rewriteTargets(markdown, (target) => target)).toBe(markdown);
        const expected = [...mdastNodes(fromMarkdown(markdown))].flatMap((node) =>
          node.type === 'link' || node.type === 'image' ? [node.url] : [],
        );
        const found = seen(markdown).filter((each) => !each.endsWith(' f'));
        expect(found.map((each) => each.replace(/^\S+ /, '')).toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['brackets', '['],
    ['images', '!['],
    ['ends of links', ']('],
    ['links without an end', '[a](b'],
    ['titles without an end', '[a](b "'],
    ['angle brackets', '[a](<'],
    ['tags', '<a '],
    ['quotes in tags', '<a b="'],
    ['comments', '<!-- '],
    ['comments in text', 'x <!-- '],
    ['backticks', '`` ` '],
    ['block tags', '{% embed url="'],
    ['math', '$$ '],
    ['definitions', '[a]: b\n'],
    ['quotes', '> '],
    ['parentheses', '[a]((('],
  ])('takes no longer for a long row of %s', (_what, piece) => {
    const start = performance.now();
    renamed(`x ${piece.repeat(20_000)}`);
    renamed(piece.repeat(20_000));
    expect(performance.now() - start).toBeLessThan(bound(1_000));
  });
});
