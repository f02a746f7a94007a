import { describe, expect, it } from 'vitest';
import { parseHtml } from './parseHtml.ts';
import { bound } from '../../../../../test/support/machine.ts';
import { readHtml } from './readHtml.ts';

const bodyOf = (html: string) => readHtml(parseHtml(html)).body;

describe('the main content of a page', () => {
  it.each([
    ['is what stands in main', '<nav>n</nav><main><p>m</p></main><p>other</p>', 'm'],
    ['is what has the role', '<div>o</div><div role="main"><p>m</p></div>', 'm'],
    ['is the one article', '<div>o</div><article><p>a</p></article>', 'a'],
    [
      'is the body when there are several articles',
      '<article><p>a</p></article><article><p>b</p></article>',
      'a\n\nb',
    ],
    [
      'leaves out what surrounds it',
      '<main><nav>n</nav><header>h</header><aside>s</aside><footer>f</footer><div role="navigation">r</div><p>m</p></main>',
      'm',
    ],
    ['keeps a header with a heading', '<main><header><h2>H</h2></header></main>', '## H'],
    [
      'leaves out what nobody sees',
      '<main><p hidden>h</p><p aria-hidden="true">a</p><template>t</template><p>m</p></main>',
      'm',
    ],
    [
      'leaves out what could run',
      '<main><script>s</script><style>s</style><object>o</object><p onclick="x()">m</p><svg><script>x</script></svg></main>',
      'm',
    ],
  ])('%s', (_name, html, body) => {
    expect(bodyOf(html)).toBe(body);
  });
});

describe('the title of a page', () => {
  it.each([
    ['<title>T</title><h1>H <a class="anchor" href="#h">#</a></h1>', 'H'],
    ['<title>T | Docs</title><p>x</p>', 'T | Docs'],
    ['<meta property="og:title" content="O"><title>T</title><p>x</p>', 'O'],
    ['<h1>\n  Two\n lines </h1>', 'Two lines'],
    ['<p>x</p>', undefined],
  ])('of %j is %s', (html, title) => {
    expect(readHtml(parseHtml(html)).title).toBe(title);
  });
});

describe('HTML as Markdown', () => {
  it.each([
    [
      'text that looks like Markdown',
      '<p>*a* _b_ [c](d) # e `f` &lt;g&gt; {% hint %}</p>',
      String.raw`\*a\* \_b\_ \[c]\(d) # e \`f\` \<g> \{% hint %}`,
    ],
    ['formulas that are none', '<p>It costs $$ 5</p>', String.raw`It costs \$$ 5`],
    ['lists', '<ol start="3"><li>a<ul><li>b</li></ul></li><li>c</li></ol>', '3. a\n   * b\n4. c'],
    [
      'tasks',
      '<ul><li><input type="checkbox" checked> a</li><li><input type="checkbox"> b</li></ul>',
      '* [x] a\n* [ ] b',
    ],
    ['a quotation', '<blockquote><p>a</p></blockquote>', '> a'],
    [
      'a table without a header',
      '<table><tr><td>a</td></tr><tr><td>b</td></tr></table>',
      '| a |\n| - |\n| b |',
    ],
    [
      'a table in a table',
      '<table><tr><th>a</th></tr><tr><td><table><tr><td>b</td></tr></table></td></tr></table>',
      '| a |\n| - |\n| b |',
    ],
    [
      'code with a language',
      '<pre class="highlight-source-rust"><code>fn a() {}\n</code></pre>',
      '```rust\nfn a() {}\n```',
    ],
    ['code with fences in it', '<pre><code>```\nx\n```</code></pre>', '````\n```\nx\n```\n````'],
    ['code with line breaks of its own', '<pre>a<br>b</pre>', '```\na\nb\n```'],
    ['keys', '<p><kbd>Ctrl</kbd></p>', '`Ctrl`'],
    ['raised text', '<p>x<sup>2</sup></p>', 'x<sup>2</sup>'],
    [
      'a caption',
      '<figure><img src="a.png" alt="A"><figcaption>C &amp; D</figcaption></figure>',
      '<figure><img src="a.png" alt="A"><figcaption>C &amp; D</figcaption></figure>',
    ],
    [
      'a note',
      '<div class="theme-admonition theme-admonition-tip"><div class="admonitionHeading_x">tip</div><div><p>a</p></div></div>',
      '{% hint style="success" %}\n\na\n\n{% endhint %}',
    ],
    [
      'an alert',
      '<div class="markdown-alert markdown-alert-caution"><p class="markdown-alert-title">Caution</p><p>a</p></div>',
      '{% hint style="danger" %}\n\na\n\n{% endhint %}',
    ],
    [
      'what folds',
      '<details><summary>A &lt;b&gt;</summary><p>c</p></details>',
      '<details>\n\n<summary>A &lt;b&gt;</summary>\n\nc\n\n</details>',
    ],
    [
      'a video',
      '<iframe src="https://player.vimeo.com/video/12345"></iframe>',
      '{% embed url="https://vimeo.com/12345" %}',
    ],
    ['any other frame', '<iframe src="https://example.org/"></iframe>', ''],
    ['a mark that links lead to', '<p><a id="x"></a>a</p>', 'a'],
  ])('keeps %s', (_name, html, markdown) => {
    expect(bodyOf(`<main>${html}</main>`)).toBe(markdown);
  });
});

describe('a table', () => {
  it('keeps cells that span rows or columns', () => {
    const html =
      '<main><table><tr><th colspan="2">a</th></tr><tr><td rowspan="2">b</td><td>c</td></tr><tr><td>d</td></tr></table></main>';
    expect(bodyOf(html)).toBe('| a | |\n| - | - |\n| b | c |\n| | d |');
  });

  it.each([
    [
      'cells that span all there is',
      '<table>' + '<tr><td colspan="1000" rowspan="65534">cell</td></tr>'.repeat(2_000) + '</table>',
    ],
    [
      'one long row over many short ones',
      `<table><tr>${'<td>cell</td>'.repeat(3_000)}</tr>${'<tr><td>cell</td></tr>'.repeat(3_000)}</table>`,
    ],
    [
      'many cells that span',
      `<table>${`<tr>${'<td colspan="50" rowspan="50">cell</td>'.repeat(100)}</tr>`.repeat(50)}</table>`,
    ],
    [
      'a span that is no number',
      '<table><tr><td colspan="1e9" rowspan="-1">cell</td></tr><tr><td colspan="Infinity">cell</td></tr></table>',
    ],
  ])('with %s is read quickly', (_what, table) => {
    const began = process.cpuUsage();
    const body = bodyOf(`<main>${table}</main>`);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1_000).toBeLessThan(bound(5_000));
    expect(body.length).toBeLessThan(20 * table.length);
    expect(body.match(/cell/g)).toHaveLength(table.match(/cell/g)!.length);
  });
});

describe('a page with too deep nesting', () => {
  it.each([
    ['div', 5_000],
    ['b', 1_000],
    ['span', 20_000],
    ['blockquote', 5_000],
    ['ul><li', 1_000],
    ['table><tr><td', 1_000],
  ])('is read quickly as text: %s, %i times', (tag, times) => {
    const html = `<title>Name</title><body><h1>Top</h1><p>before &amp; <style>x</style>after</p>${`<${tag}>`.repeat(times)}deep words`;
    let told = 0;
    const began = performance.now();
    const page = readHtml(parseHtml(html, () => (told += 1)));
    expect(performance.now() - began).toBeLessThan(bound(2_000));
    expect([page.title, told]).toEqual(['Top', 1]);
    expect(page.body).toContain('before & after');
    expect(page.body).toContain('deep words');
    expect(page.body).not.toMatch(/<style|x</);
  });

  it('is distinguished from an ordinary one', () => {
    let told = 0;
    expect(readHtml(parseHtml(`${'<div>'.repeat(100)}<b>words</b>`, () => (told += 1))).body).toBe(
      '**words**',
    );
    expect(told).toBe(0);
  });

  it.each(['<', '<a', '</', '<!--', '<script>', '<p ', '<b>', '&amp;<i'])(
    'is read in time proportional to its length: %s',
    (part) => {
      const began = performance.now();
      parseHtml('<div>'.repeat(6_000) + part.repeat(300_000 / part.length));
      expect(performance.now() - began).toBeLessThan(bound(5_000));
    },
  );
});
