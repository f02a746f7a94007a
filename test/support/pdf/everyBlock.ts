import type { BookPage } from './bookHtml.ts';

const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==';

/**
 * A page with all kinds of content that Chromium or the book treats in a way of its own. The transparent
 * block is last, because Chromium paints such blocks after all others.
 */
export const everyBlock: BookPage = {
  headings: [
    { id: 'everything', level: 1, title: 'Everything' },
    { id: 'fünf ü', level: 2, title: 'Ünï (code) & more' },
    { id: 'third', level: 3, title: 'Third' },
  ],
  html: `<h1 id="everything">Everything</h1>
<p>A paragraph with <strong>strong</strong>, <em>emphasis</em>, <del>deleted</del>, H<sub>2</sub>O, <kbd>Ctrl</kbd>,
<span lang="de">Grüße</span>, a note<a href="#note-1">1</a> and <a href="https://example.com/a?b=(c)">a link that is long enough
to be continued in the next line, because such a link has two places on the sheet</a>.</p>
<ul><li>one<li><p>two</p><ul><li>inner</ul><li><input type="checkbox" disabled checked> task</ul><ol start="3"><li>three<li>four</ol>
<h2 id="fünf ü">Ünï (<code>code</code>) &amp; more</h2>
<table><caption>Caption</caption><thead><tr><th>A<th>B<th>C</tr></thead><tbody>
<tr><th scope="row" rowspan="2">r<td>1<td>2</tr><tr><td colspan="2">wide</tr></tbody></table>
<figure role="group"><img alt="A square" src="${picture}"><figcaption>A figure</figcaption></figure>
<p><a href="mailto:someone@example.com"><img alt="Write to us" src="${picture}"></a> <img alt="" src="${picture}"></p>
<hr>
<h3 id="third">Third</h3><blockquote><p>quoted</p></blockquote>
<pre><code><span style="color: #a0c">let</span> x = <span style="color: #080">'(y)\\'</span>;
next</code></pre>
<p>Formula <span role="img" aria-label="E = mc^2"><i>E</i>=<i>mc</i><sup>2</sup></span>, icon
<svg width="20" height="20" role="img" aria-label="circle"><circle cx="10" cy="10" r="8" fill="red" /></svg></p>
<dl><dt>term</dt><dd>definition</dd></dl><details open><summary>summary</summary><p>inside</p></details>
<p id="note-1">The note.</p>
<div style="opacity: .5; background: #eef; border: 1px solid">half <p>transparent</p></div>`,
};
