import { afterAll, describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../test/support/render/renderMarkdown.ts';
import { createRenderer } from '../renderer.ts';

const renderer = createRenderer();
afterAll(async () => renderer.close());

/** The body of a page, without the title. */
async function bodyOf(markdown: string): Promise<string> {
  const { html } = await renderMarkdown(renderer, markdown);
  return html.replace('<h1 id="p-x">Title</h1>', '').replaceAll(/ short(?=")| class="short"/g, '');
}

const cases: [name: string, markdown: string, html: string | RegExp][] = [
  ['paragraph', 'One\\\ntwo', '<p>One<br />two</p>'],
  ['paragraph, aligned', '<p align="center">Mid</p>', '<p class="center">Mid</p>'],
  [
    'marks',
    '**b** _i_ ~~s~~ `c` <kbd>k</kbd> <sup>2</sup> <sub>3</sub>',
    '<p><strong>b</strong> <em>i</em> <s>s</s> <code>c</code> <kbd>k</kbd> <sup>2</sup> <sub>3</sub></p>',
  ],
  [
    'colours',
    '<mark style="color:red;">r</mark> <mark style="background-color:$info;">i</mark>',
    '<span class="text-red">r</span> <mark class="back-info">i</mark>',
  ],
  ['headings', '## A b\n\n### C', '<h2 id="p-x--a-b">A b</h2><h3 id="p-x--c">C</h3>'],
  [
    'lists',
    '- a\n- b\n\n3. c',
    '<ul><li><p>a</p></li><li><p>b</p></li></ul><ol start="3"><li><p>c</p></li></ol>',
  ],
  [
    'tasks',
    '- [x] a\n- [ ] b',
    '<ul class="tasks"><li><span class="box done" role="img" aria-label="Checked">×</span><p>a</p></li><li><span class="box" role="img" aria-label="Not checked">\u00A0</span><p>b</p></li></ul>',
  ],
  ['quote', '> q', '<blockquote><p>q</p></blockquote>'],
  ['divider', 'a\n\n***\n\nb', '<p>a</p><hr /><p>b</p>'],
  [
    'hint',
    '{% hint style="danger" %}\nNo\n{% endhint %}',
    '<aside class="hint danger" role="note"><p class="label">Danger</p><p>No</p></aside>',
  ],
  [
    'tabs',
    '{% tabs %}\n{% tab title="One" %}\na\n{% endtab %}\n{% tab title="Two" %}\nb\n{% endtab %}\n{% endtabs %}',
    '<section class="tabs"><section class="tab"><p class="title">One</p><p>a</p></section><section class="tab"><p class="title">Two</p><p>b</p></section></section>',
  ],
  [
    'steps',
    '{% stepper %}\n{% step %}\n## Do\n{% endstep %}\n{% endstepper %}',
    '<ol class="stepper"><li><h2 id="p-x--do">Do</h2></li></ol>',
  ],
  [
    'columns',
    '{% columns %}\n{% column width="30%" valign="middle" %}\na\n{% endcolumn %}\n{% endcolumns %}',
    '<div class="columns"><div class="column middle" style="width:30%"><p>a</p></div></div>',
  ],
  [
    'expandable, open',
    '<details>\n<summary>Why **so**</summary>\n\nThus.\n\n</details>',
    /<details open[^>]*><summary>Why \*\*so\*\*<\/summary><p>Thus\.<\/p><\/details>/,
  ],
  [
    'code',
    '```js\nlet a = "<b>";\n```',
    '<pre dir="ltr" data-language="js"><code><span class="line"><span class="t-keyword">let</span> a <span class="t-keyword">= </span><span class="t-string">"&lt;b&gt;"</span>;\n</span></code></pre>',
  ],
  [
    'code, titled and numbered',
    '{% code title="a.txt" lineNumbers="true" %}\n```\na\n\nb\n```\n{% endcode %}',
    '<figcaption>a.txt</figcaption><pre class="numbered" dir="ltr"><code><span class="line">a\n</span><span class="line">\n</span><span class="line">b\n</span></code></pre>',
  ],
  ['code, unknown language', '```nosuch\na\n```', '<span class="line">a\n</span>'],
  ['code, diagram', '```mermaid\ngraph TD\n```', /graph.*TD/],
  [
    'image',
    '![An <alt>](a.png)',
    '<figure role="group"><img src="https://render.invalid/files/a.png" alt="An &lt;alt&gt;" /></figure>',
  ],
  ['image, decorative', '![](a.png)', '<img src="https://render.invalid/files/a.png" alt="" />'],
  [
    'image with caption',
    '<figure><img src="a.png" alt="A" width="50%"><figcaption><p>C</p></figcaption></figure>',
    '<img src="https://render.invalid/files/a.png" alt="A" style="width:50%" /><figcaption><p>C</p></figcaption>',
  ],
  [
    'image elsewhere',
    '![Far](https://example.org/far.png)',
    '<p class="missing"><a href="https://example.org/far.png" class="picture-link">Far</a></p>',
  ],
  [
    'image, embedded',
    '![Dot](data:image/png;base64,AAAA)',
    '<img src="data:image/png;base64,AAAA" alt="Dot" />',
  ],
  [
    'inline image',
    'a ![i](b.png) c',
    '<p>a <img src="https://render.invalid/files/b.png" alt="i" class="inline" /> c</p>',
  ],
  [
    'file',
    '{% file src="a.pdf" %}',
    '<p><a href="https://files.example/a.pdf">a.pdf</a><span class="detail"> 1.2 MB</span></p>',
  ],
  [
    'embed',
    '{% embed url="https://example.org/v?a=1&b=2" %}',
    '<a href="https://example.org/v?a=1&amp;b=2">https://example.org/v?a=1&amp;b=2</a>',
  ],
  [
    'content-ref',
    '{% content-ref url="b.md" %}\n[b.md](b.md)\n{% endcontent-ref %}',
    '<a href="#p-b">Page b</a>',
  ],
  [
    'link',
    '[w](https://example.org) [p](b.md) [n](gone) [a](#here)\n\n## Here',
    '<a href="https://example.org">w</a> <a href="#p-b">p</a> <span>n</span> <a href="#p-x--here">a</a>',
  ],
  ['link to a missing anchor', '[a](#nowhere)', '<a href="#p-x">a</a>'],
  ['mail', '[m](mailto:a@example.org) [t](tel:123)', '<a href="mailto:a@example.org">m</a> <span>t</span>'],
  ['mention', '[b.md](b.md "mention")', '<a class="mention" href="#p-b">Page b</a>'],
  [
    'emoji and icons',
    ':rocket: <i class="fa-rocket">:rocket:</i> <i class="fa-check">:check:</i> <i class="fa-leaf-heart">:leaf-heart:</i>',
    '<span class="emoji">🚀</span> <span class="icon">🚀</span> <span class="icon">✓</span> <span class="icon-name">leaf heart</span>',
  ],
  [
    'expression',
    '<code class="expression">space.vars.name</code>',
    '<code class="expression">space.vars.name</code>',
  ],
  [
    'buttons',
    '<a href="b.md" class="button primary">Go</a> <button type="button" class="button secondary" data-action="ask">Ask</button>',
    '<a href="#p-b" class="button primary">Go</a> <span class="button">Ask</span>',
  ],
  [
    'note',
    'An [annotated](#user-content-fn-1)[^1] word.\n\n[^1]: Said **so**.',
    /<span class="annotated">annotated<\/span><sup class="note"><a href="#p-x-n1" id="p-x-r1">1<\/a><\/sup> word\.<\/p>.*<li id="p-x-n1"><p>Said <strong>so<\/strong>\.<\/p><p class="back"><a href="#p-x-r1">\^1<\/a><\/p><\/li>/s,
  ],
  [
    'formula',
    '$$\na^2\n$$',
    /<div class="formula"><span role="img" aria-label="a\^2" class="math"><span class="katex-display">/,
  ],
  ['formula, wrong', '$$\n\\nosuch{\n$$', '<div class="formula"><code class="tex">\\nosuch{</code></div>'],
  [
    'table',
    '| A | B |\n| - | -: |\n| **a** | b |',
    '<table><thead><tr><th scope="col">A</th><th scope="col" class="right">B</th></tr></thead><tbody><tr><td><p><strong>a</strong></p></td><td class="right"><p>b</p></td></tr></tbody></table>',
  ],
  [
    'table without heads',
    '<table data-header-hidden><thead><tr><th>h</th></tr></thead><tbody><tr><td>a</td></tr></tbody></table>',
    '<table><tbody><tr><td><p>a</p></td></tr></tbody></table>',
  ],
  [
    'table of all types',
    '<table><thead><tr><th data-type="number">N</th><th data-type="checkbox">C</th><th data-type="rating" data-max="5">R</th><th>S<select><option value="o1" label="Open"></option></select></th><th data-type="content-ref">P</th><th data-type="files">F</th><th data-type="users">U</th></tr></thead><tbody><tr><td>5</td><td>true</td><td>4</td><td><span data-option="o1">Open</span></td><td><a href="b.md">b.md</a></td><td><a href="a.pdf">a.pdf</a></td><td>me</td></tr></tbody></table>',
    '<td class="right">5</td><td><span class="box done" role="img" aria-label="Checked">×</span></td><td class="right">4 / 5</td><td><span class="tag">Open</span></td><td><a href="#p-b">Page b</a></td><td><a href="https://files.example/a.pdf">a.pdf</a></td><td>Ada</td>',
  ],
  [
    'table with merged cells',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td colspan="2">c</td></tr></tbody></table>',
    '<td colspan="2"><p>c</p></td></tr>',
  ],
  [
    'table with empty cells',
    '| a |  |\n| --- | --- |\n|  | b |',
    /<th scope="col">\u00A0<\/th>.*<td>\u00A0<\/td><td><p>b<\/p><\/td>/,
  ],
  [
    'table with an empty checkbox',
    '<table><thead><tr><th data-type="checkbox">Done</th></tr></thead><tbody><tr><td>false</td></tr></tbody></table>',
    '<td><span class="box" role="img" aria-label="Not checked">\u00A0</span></td>',
  ],
  [
    'wide table',
    `| ${'a | '.repeat(9)}\n| ${'- | '.repeat(9)}\n| ${'configuration | '.repeat(9)}`,
    '<div class="table wide">',
  ],
  [
    'wide table below headings',
    `Text.\n\n## A\n\n### B\n\n| ${'a | '.repeat(9)}\n| ${'- | '.repeat(9)}\n| ${'configuration | '.repeat(9)}`,
    '<p>Text.</p><h2 id="p-x--a" class="wide">A</h2><h3 id="p-x--b" class="wide">B</h3><div class="table wide">',
  ],
  ['table of many short columns', `| ${'a | '.repeat(9)}\n| ${'- | '.repeat(9)}\n`, '<div class="table">'],
  [
    'note about no words',
    'Said[^1].\n\n[^1]: So.',
    '<p>Said<sup class="note"><a href="#p-x-n1" id="p-x-r1">1</a></sup>.</p>',
  ],
  [
    'cards',
    '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="image"></th></tr></thead><tbody><tr><td><strong>Fast</strong></td><td><a href="b.md">b.md</a></td><td><a href="f.png">f.png</a></td></tr></tbody></table>',
    '<ul class="cards"><li class="card"><div class="cover"><img src="https://render.invalid/files/f.png" alt="" /></div><div class="field"><p><strong>Fast</strong></p></div><p class="target"><a href="#p-b">Page b</a></p></li></ul>',
  ],
  [
    'condition, for a member',
    '{% if visitor.claims.x %}\nYou\n{% endif %}',
    '<p class="label">Only if <code>visitor.claims.x</code></p><p>You</p>',
  ],
  [
    'prompt',
    '{% prompt description="Ask" %}\n```\nWrite.\n```\n{% endprompt %}',
    '<p class="label">Prompt</p><p class="title">Ask</p>',
  ],
  [
    'updates',
    '{% updates format="full" %}\n{% update date="2026-01-02" tags="new" %}\nThis.\n{% endupdate %}\n{% endupdates %}',
    '<p class="title"><time datetime="2026-01-02T00:00:00.000Z">January 2, 2026</time> <span class="tag">new</span></p><p>This.</p>',
  ],
  [
    'operation without its specification',
    '{% openapi-operation spec="pets" path="/pets/{id}" method="get" %}',
    '<span class="method">GET</span> <code>/pets/{id}</code></p><p class="detail">API specification <span>pets</span></p>',
  ],
  ['missing reusable content', '{% include "x.md" %}', '{% include "x.md" %}'],
  [
    'Arabic between Latin',
    'Latin\n\n- مرحبا a\n- b',
    '<p>Latin</p><ul dir="rtl"><li><p>مرحبا a</p></li><li dir="ltr"><p>b</p></li></ul>',
  ],
];

describe('the HTML of blocks', () => {
  it.each(cases)('%s', async (_, markdown, html) => {
    const body = await bodyOf(markdown);
    if (typeof html === 'string') expect(body).toContain(html);
    else expect(body).toMatch(html);
  });
});
