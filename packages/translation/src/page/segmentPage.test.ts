import { describe, expect, it } from 'vitest';
import { segmentPage } from './segmentPage.ts';

const segmentsOf = (markdown: string) => segmentPage(new TextEncoder().encode(markdown)).segments;
const cut = (markdown: string) => segmentsOf(markdown).map(({ role, text }) => `${role}: ${text}`);

describe('the segments of a page', () => {
  it.each<[markdown: string, segments: string[]]>([
    ['# Start\n\n## Next\n\nOne\ntwo.\n', ['title: Start', 'heading: Next', 'text: One two.']],
    ['## No title\n', ['heading: No title']],
    ['* a\n* [ ] b\n  1. c\n\n> d\n> e\n', ['text: a', 'text: b', 'text: c', 'text: d e']],
    ['| A | B |\n|---|---|\n| c \\| d | 5 |\n', ['cell: A', 'cell: B', 'cell: c | d']],
    ['| A |\n|---|\n| <p>b</p><ul><li>c</li></ul> |\n', ['cell: A', 'cell: b', 'cell: c']],
    [
      '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>b &#x26; <strong>c</strong></td></tr></tbody></table>\n',
      ['cell: A', 'cell: b &amp; <g id="1">c</g>'],
    ],
    [
      '<figure><img src="a.png" alt="A picture"><figcaption><p>Below it</p></figcaption></figure>\n',
      ['caption: A picture', 'caption: Below it'],
    ],
    [
      '<details>\n<summary>More **stars**</summary>\nRead **as** Markdown\n* item\n</details>\n',
      ['label: More **stars**', 'text: Read <g id="1">as</g> Markdown', 'text: item'],
    ],
    [
      '{% tabs %}\n{% tab title="First &#x26; last" icon="x" %}\ntext\n{% endtab %}\n{% endtabs %}\n',
      ['label: First &amp; last', 'text: text'],
    ],
    ['{% hint style="info" %} one line {% endhint %}\n', ['text: one line']],
    ['Some text\n{% hint style="info" %}\ninside\n{% endhint %}\n', ['text: Some text', 'text: inside']],
    ['{% code title="src/index.ts" %}\n```js\nlet a;\n```\n{% endcode %}\n', []],
    ['{% code title="The file to change" %}\n```\na\n```\n{% endcode %}\n', ['label: The file to change']],
    ['![Alt *text*](a.png "A title")\n', ['caption: Alt text', 'caption: A title']],
    [
      '---\ntitle: A title\ndescription: >-\n  folded\n  text\nicon: house\n---\n\n# T\n',
      ['title: A title', 'text: folded text', 'title: T'],
    ],
    ['    code\n\n```\ncode\n```\n\n$$\nx\n$$\n\n<pre><code>a</code></pre>\n\n***\n', []],
    [
      'Text[^1].\n\n[^1]: A note.\n\n[x]: https://example.org "title"\n',
      ['text: Text<x id="1"/>.', 'text: A note.'],
    ],
    ['123 – 45 %\n\n`code`\n\n:tada:\n', []],
  ])('of %j', (markdown, segments) => {
    expect(cut(markdown)).toEqual(segments);
  });

  it.each<[markdown: string, text: string]>([
    ['a **b _c_** ~~d~~', 'a <g id="1">b <g id="2">c</g></g> <g id="3">d</g>'],
    [
      'see [the **page**](a.md) or [it][x]\n\n[x]: b.md',
      'see <g id="1">the <g id="2">page</g></g> or <g id="3">it</g>',
    ],
    ['run `x` and **`y`** or [`z`](a.md)', 'run <x id="1"/> and <x id="2"/> or <x id="3"/>'],
    [
      'at https://a.example/b, <https://c.example> or me@a.example now',
      'at <x id="1"/>, <x id="2"/> or <x id="3"/> now',
    ],
    ['a :smile: b 🚀 c $$x$$ d', 'a <x id="1"/> b <x id="2"/> c <x id="3"/> d'],
    ['a\\\nb <br> c', 'a<x id="1"/>b <x id="2"/> c'],
    ['a <kbd>Ctrl</kbd> b <mark style="color:red;">c</mark>', 'a <x id="1"/> b <g id="2">c</g>'],
    ['a {{ b }} c {% d %} e', 'a <x id="1"/> c <x id="2"/> e'],
    ['use <your-name> or a < b', 'use <x id="1"/> or a &lt; b'],
    ['a <b>c **d</b> e** f', 'a <x id="1"/>c <g id="2">d<x id="3"/> e</g> f'],
    ['**All of it**', 'All of it'],
    ['🚀 **All** <a href="#x" id="x"></a>', 'All'],
    ['**Note:** text', '<g id="1">Note:</g> text'],
    ['\\*a\\* &amp; b', '*a* &amp; b'],
    ['a<sup>2</sup> **5** b', 'a<x id="1"/> <x id="2"/> b'],
    [
      'Something [annotated](#user-content-fn-1)[^1] here\n\n[^1]: 1',
      'Something <g id="1">annotated</g> here',
    ],
    ['a [page.md](page.md "mention") b', 'a <x id="1"/> b'],
  ])('has placeholders for the markup in %j', (markdown, text) => {
    expect(segmentsOf(markdown)[0]?.text).toBe(text);
  });

  it('are empty if the file is not UTF-8, or its markup is too entangled', () => {
    expect(segmentPage(Uint8Array.of(0x61, 0xff)).segments).toEqual([]);
    expect(segmentsOf(`${'*a '.repeat(20_000)}b`)).toEqual([]);
  });
});
