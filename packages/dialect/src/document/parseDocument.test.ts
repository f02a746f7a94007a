import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { documentJudge } from '../../../../test/support/documentProblems.ts';
import { markdownToDocument } from './markdownToDocument.ts';
import { parseDocument } from './parseDocument.ts';

const problemsOf = documentJudge();
const typesOf = (markdown: string) => parseDocument(markdown).nodes.map(({ type }) => type);
const first = (markdown: string) => parseDocument(markdown).nodes[0] as DocumentBlock;
const textOf = (node: DocumentNode): string =>
  node.object === 'text'
    ? node.leaves.map(({ text }) => text).join('')
    : [...(node.nodes ?? []), ...(node.fragments ?? []).flatMap(({ nodes }) => nodes)].map(textOf).join('|');

describe('parseDocument', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['Hello', ['paragraph']],
    [
      '# A\n\n## B\n\n### C\n\n#### D\n\n##### E',
      ['heading-1', 'heading-1', 'heading-2', 'heading-3', 'heading-3'],
    ],
    ['- a\n- b\n\n7. c', ['list-unordered', 'list-ordered']],
    ['- [ ] a\n- [x] b', ['list-tasks']],
    ['> quote\n>\n> > deeper', ['blockquote']],
    ['```js title\nlet a;\n```\n\n    indented', ['code', 'code']],
    ['a\n\n***\n\nb', ['paragraph', 'divider', 'paragraph']],
    ['| a | b |\n| - | - |\n| 1 | 2 |', ['table']],
    ['$$\na^2\n$$', ['math']],
    ['![a](b.png)', ['images']],
    ['{% hint style="info" %}\nhi\n{% endhint %}', ['hint']],
    ['{% tabs %}\n{% tab title="A" %}\na\n{% endtab %}\n{% endtabs %}', ['tabs']],
    ['{% stepper %}\n{% step %}\n## A\n{% endstep %}\n{% endstepper %}', ['stepper']],
    ['{% columns %}\n{% column width="50%" %}\na\n{% endcolumn %}\n{% endcolumns %}', ['columns']],
    [
      '{% updates format="short" %}\n{% update date="2026-01-02" tags="a" %}\na\n{% endupdate %}\n{% endupdates %}',
      ['updates'],
    ],
    ['{% code title="a" %}\n```js\na\n```\n{% endcode %}', ['code']],
    ['{% prompt description="Do" %}\n```\na\n```\n{% endprompt %}', ['prompt']],
    ['{% embed url="https://a.example" %}', ['embed']],
    ['{% embed url="https://a.example" %}\nCaption\n{% endembed %}', ['embed', 'paragraph']],
    ['{% embed url="a" %}\n\n{% embed url="b" %}\nCaption\n{% endembed %}', ['embed', 'embed', 'paragraph']],
    ['{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}', ['content-ref']],
    ['{% page-ref page="a.md" %}', ['content-ref']],
    ['{% file src="a.pdf" %}', ['file']],
    ['{% include "../.gitbook/includes/a.md" %}', ['reusable-content']],
    ['{% if visitor.claims.a %}\na\n{% endif %}', ['if']],
    ['{% openapi src="a.yaml" path="/a" method="get" %}\n[a.yaml](a.yaml)\n{% endopenapi %}', ['swagger']],
    [
      '{% openapi-operation spec="a" path="/a" method="get" %}\n[a](b)\n{% endopenapi-operation %}',
      ['openapi-operation'],
    ],
    [
      '{% openapi-schemas spec="a" schemas="A,B" grouped="true" %}\n{% endopenapi-schemas %}',
      ['openapi-schemas'],
    ],
    ['{% openapi-webhook spec="a" name="b" method="post" %}\n{% endopenapi-webhook %}', ['openapi-webhook']],
    ['<details>\n\n<summary>A</summary>\n\nb\n\n</details>', ['expandable']],
    ['<figure><img src="a.png" alt=""><figcaption><p>b</p></figcaption></figure>', ['images']],
    [
      '<div align="left" data-full-width="true"><figure><img src="a.png"></figure><figure><img src="b.png"></figure></div>',
      ['images'],
    ],
    ['<img src="a.svg" alt="" class="gitbook-drawing">', ['images']],
    ['<figure><img src="a.svg" class="gitbook-drawing"></figure>', ['drawing']],
    ['<pre class="language-js"><code>a\n<strong>b\n</strong></code></pre>', ['code']],
    ['<table data-view="cards"><tbody><tr><td>a</td></tr></tbody></table>', ['table']],
    ['<!-- nobody sees this -->\n\na', ['paragraph']],
    ['<div onclick="x">\nhi\n</div>', ['paragraph']],
    ['<h2 id="a">b</h2>\n<ul><li>c</li></ul>\n<hr>', ['heading-1', 'list-unordered', 'divider']],
  ])('%j has the blocks %j', (markdown, types) => {
    expect(typesOf(markdown)).toEqual(types);
    expect(problemsOf(markdownToDocument(markdown))).toBeUndefined();
  });

  it.each([
    ['an end of nothing', 'a\n\n{% endhint %}\n\nb', ['paragraph', 'paragraph', 'paragraph']],
    ['a hint without an end', '{% hint %}\na\n\n## b', ['paragraph', 'paragraph', 'heading-1']],
    [
      'parts without ends',
      '{% tabs %}\n{% tab title="A" %}\na\n{% tab title="B" %}\nb\n{% endtabs %}\n\nc',
      ['tabs', 'paragraph'],
    ],
    ['parts without a whole', '{% tab title="A" %}\na\n{% endtab %}', ['tabs']],
    ['another order of ends', '{% hint %}\n<details>\n\n{% endhint %}\n\n</details>', ['expandable']],
    ['all in one line', '{% hint style="info" %} a *b* {% endhint %}', ['hint']],
    ['an end after a text', '{% hint style="info" %} a\nb {% endhint %}', ['hint']],
    ['tags of other languages', '{% raw %}\n{% for a in b %}\n{% endraw %}', ['paragraph']],
    ['tags in a fence', '```\n{% hint %}\n```', ['code']],
    ['tags in a text', 'Write `{% hint %}`, or {% hint %} and {% endhint %} around it.', ['paragraph']],
    ['an unknown element', '<keymap>\na\n</keymap>', ['paragraph']],
    ['a tag that lacks what it needs', '{% file %}', ['paragraph']],
  ])('reads %s', (_what, markdown, types) => {
    expect(typesOf(markdown)).toEqual(types);
    expect(problemsOf(markdownToDocument(markdown))).toBeUndefined();
  });

  it.each([
    ['{% hint style=“warning” %}\na\n{% endhint %}', { style: 'warning' }],
    ['{% hint style="danger %}\na\n{% endhint %}', { style: 'danger' }],
    ['{% hint style=\'success\' icon="gear" %}\na\n{% endhint %}', { style: 'success', icon: 'gear' }],
    ['{% hint style="tip" %}\na\n{% endhint %}', { style: 'success' }],
    ['{% hint style="purple" %}\na\n{% endhint %}', { style: 'info' }],
    [
      '{% code title="a \\"b\\"" overflow="wrap" lineNumbers="true" %}\n```js\na\n```\n{% endcode %}',
      {
        ...{ syntax: 'js', title: 'a "b"', overflow: 'wrap', lineNumbers: true },
      },
    ],
    ['{% if visitor.claims.a == "b" %}\na\n{% endif %}', { expression: 'visitor.claims.a == "b"' }],
    ['<details open><summary>a</summary></details>', { defaultExpanded: true }],
  ])('%s has its data', (markdown, data) => {
    expect(first(markdown).data).toEqual(data);
  });

  it('places a block that is not allowed in its container after it, and continues', () => {
    const numbered = parseDocument(
      '1. a\n2. b\n\n   {% tabs %}\n   {% tab title="T" %}\n   t\n   {% endtab %}\n   {% endtabs %}\n\n   c\n3. d',
    ).nodes;
    expect(numbered.map(({ type, data }) => [type, data])).toEqual([
      ['list-ordered', {}],
      ['tabs', {}],
      ['paragraph', undefined],
      ['list-ordered', { start: 3 }],
    ]);
    expect(numbered.map(textOf)).toEqual(['a|b', 't', 'c', 'd']);
    expect(typesOf('{% hint %}\na\n\n```\nb\n```\n\nc\n{% endhint %}')).toEqual(['hint', 'code', 'hint']);
    expect(
      typesOf('{% tabs %}\n{% tab title="A" %}\n| a |\n| - |\n\nb\n{% endtab %}\n{% endtabs %}'),
    ).toEqual(['tabs', 'table', 'tabs']);
    const inList = first('- a\n\n  ![b](c.png)');
    expect(inList.nodes?.[0]).toMatchObject({
      nodes: [{ type: 'paragraph' }, { type: 'paragraph', nodes: [{ type: 'inline-image' }] }],
    });
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'reads %s neither as an alignment nor as a tag, although objects have a property of this name',
    (name) => {
      const paragraph = parseDocument(`<p align="${name}">Words</p>`).nodes;
      expect(paragraph).toEqual(parseDocument('<p>Words</p>').nodes);
      const heading = parseDocument(`<h2 align="${name}">Words</h2>\n\nMore.\n`).nodes;
      expect(heading.map(({ type }) => type)).toEqual(['heading-1', 'paragraph']);
      const tag = parseDocument(
        `Before.\n\n<div data-gb-custom-block data-tag="${name}">Words</div>\n\n## Heading\n`,
      ).nodes;
      expect(tag.at(-1)?.type).toBe('heading-1');
    },
  );

  it('gives headings their own anchors, or ones from their text, all unique', () => {
    const markdown =
      '## A b! <a href="#own" id="own"></a>\n\n## Same\n\n## Same\n\n### own\n\n## C++ & Ö\n\n## !';
    const names = parseDocument(markdown).nodes.map(({ meta, data }) => [meta?.id, data?.['id']]);
    expect(names).toEqual([
      ['own', 'own'],
      ['same', undefined],
      ['same-1', undefined],
      ['own-1', undefined],
      ['c-ö', undefined],
      ['section', undefined],
    ]);
    expect(first('## A <a href="#Up" id="Up"></a>')).toMatchObject({
      meta: { id: 'Up' },
      data: {},
      nodes: [{ leaves: [{ text: 'A' }] }],
    });
  });

  it('keeps the keys of unchanged blocks', () => {
    const keysOf = (markdown: string) => parseDocument(markdown).nodes.map(({ key }) => key);
    const [a, b, c] = keysOf('a\n\nb\n\nc');
    expect(keysOf('a\n\nnew\n\nc')).toEqual([a, expect.any(String), c]);
    expect(keysOf('c\n\na\n\nb')).toEqual([c, a, b]);
    expect(keysOf('a\n\na\n\na')).toEqual([a, `${a}-2`, `${a}-3`]);
    expect(keysOf('## x\n\n## x')[1]).toBe(`${keysOf('## x')[0]}-2`);
  });

  it('reads tables with rich cells, types and spans', () => {
    const html =
      '<table data-full-width="true"><thead><tr><th width="100">A</th><th data-type="select"><select multiple><option value="x" label="X" color="blue"></option></select></th>' +
      '<th data-type="checkbox"></th><th data-type="number">N</th><th data-type="rating" data-max="3"></th><th data-type="files"></th><th data-hidden data-type="users" data-multiple></th></tr></thead>' +
      '<tbody><tr><td><p>a <strong>b</strong></p><ul><li>c</li></ul></td><td><span data-option="x">X</span></td><td>true</td><td>5</td><td>2</td><td><a href="f.pdf">f</a></td><td>u1</td></tr>' +
      '<tr><td rowspan="2">d</td></tr><tr><td>e</td></tr></tbody></table>';
    const { data, fragments } = first(html);
    expect(data).toMatchObject({
      fullWidth: true,
      view: {
        type: 'grid',
        columns: ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'],
        columnWidths: { c1: 100 },
        hideHeader: false,
      },
      definition: {
        c2: { type: 'select', multiple: true, options: [{ value: 'x', label: 'X', color: 'blue' }] },
        c5: { max: 3 },
      },
      records: {
        r1: {
          values: {
            c1: 'r1c1',
            c2: ['x'],
            c3: true,
            c4: 5,
            c5: 2,
            c6: { kind: 'targets', targets: ['f.pdf'] },
            c7: ['u1'],
          },
        },
        r3: { values: { c2: ['e'] } },
      },
      cellMerges: [{ anchor: { record: 'r2', column: 'c1' }, rowSpan: 2, colSpan: 1 }],
    });
    expect(fragments?.map(({ nodes }) => nodes.map((node) => node.object === 'block' && node.type))).toEqual([
      ['paragraph', 'list-unordered'],
      ['paragraph'],
    ]);
    expect(problemsOf(markdownToDocument(html))).toBeUndefined();
  });

  it('reads code with highlighted lines, and every line of code', () => {
    const { data, nodes } = first(
      '<pre class="language-js" data-title="a.js" data-line-numbers><code class="lang-js">let a = &#x3C;1>;\n<strong>b\n</strong>\n{% hint %}\n</code></pre>',
    );
    expect(data).toEqual({ syntax: 'js', title: 'a.js', lineNumbers: true });
    expect((nodes as DocumentBlock[]).map((line) => [textOf(line), line.data])).toEqual([
      ['let a = <1>;', {}],
      ['b', { highlighted: true }],
      ['', {}],
      ['{% hint %}', {}],
    ]);
  });
});
