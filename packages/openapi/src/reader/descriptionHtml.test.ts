import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { describe, expect, it } from 'vitest';
import { descriptionHtml } from './descriptionHtml.ts';

describe('renders', () => {
  it.each([
    ['A pet.', '<p>A pet.</p>'],
    ['A *pet* & `<b>`', '<p>A <em>pet</em> &amp; <code>&lt;b&gt;</code></p>'],
    ['a_b_c and 1 < 2', '<p>a_b_c and 1 &lt; 2</p>'],
    ['# Pets\n\n- one\n- two', '<h1>Pets</h1>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>'],
    ['[docs](https://a.example/b)', '<p><a href="https://a.example/b">docs</a></p>'],
    ['<p>Text<br/>of <b>HTML</b></p>', '<p>Text<br />of <b>HTML</b></p>'],
    [
      '| a |\n|---|\n| b |',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>',
    ],
  ])('%j', (text, html) => {
    expect(descriptionHtml(text)).toBe(html);
  });
});

/** Each tries to run a script, to leave its place, or to load something; `{}` stands for the payload. */
const hostile = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//evil.example></sCrIpT>',
  '<img src=x onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<svg onload=alert(1)><a xlink:href="javascript:alert(1)">x</a></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="/logout">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java&#115;cript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:alert(1))',
  '[x](//evil.example)',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '[x]: javascript:alert(1)\n\n[x]',
  '<javascript:alert(1)>',
  '[a](https://b.example "x\\" onmouseover=\\"alert(1)")',
  '![" onerror="alert(1)](https://b.example/c.png)',
  '```"><script>alert(1)</script>\ncode\n```',
  '`<img src=x onerror=alert(1)>`',
  '<style>body{display:none}</style>',
  '<div style="position:fixed;top:0;background:url(https://evil.example)">x</div>',
  '<td style="text-align:center;background:url(https://evil.example)">x</td>',
  '<iframe src="https://evil.example"></iframe>',
  '<object data="https://evil.example"></object><embed src="https://evil.example">',
  '<form action="https://evil.example"><input name=a><button formaction="javascript:alert(1)">x</button></form>',
  '<base href="https://evil.example"><meta http-equiv=refresh content="0;url=https://evil.example">',
  '<link rel=stylesheet href="https://evil.example">',
  '<p onclick="alert(1)" onmouseover=alert(1)>x</p>',
  '<!--><script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea></textarea><script>alert(1)</script>',
  '<template><script>alert(1)</script></template>',
  '<x/onclick=alert(1)>',
  '</p></div></body><script>alert(1)</script>',
  '<details open ontoggle=alert(1)><summary>x</summary></details>',
  '<a href="https://a.example" target="_blank" id="login" name="body" class="gb">x</a>',
];

const elements = new Set(
  'p br hr div span blockquote pre code kbd h1 h2 h3 h4 h5 h6 a img b strong i em s del ul ol li table thead tbody tr th td details summary'.split(
    ' ',
  ),
);

describe('keeps only safe elements and attributes of', () => {
  it.each(hostile)('%s', (text) => {
    // Beside plain words, in a list and in a table, where other parts of the parser read it.
    for (const around of [
      '{}',
      'Words {} and\nmore',
      '- {}',
      '> {}',
      `a\n\n{}\n\nb <b>c</b>`,
      '| a |\n|---|\n| {} |',
    ]) {
      const html = descriptionHtml(around.replace('{}', () => text));
      for (const element of elementsIn(parseFragment(html))) {
        expect(elements, html).toContain(element.tagName);
        for (const { name, value } of element.attrs) {
          expect(['href', 'src', 'alt', 'title', 'style', 'open', 'class'], html).toContain(name);
          if (name === 'href') expect(value, html).toMatch(/^(?:https?:\/\/|mailto:|#)/);
          if (name === 'src') expect(value, html).toMatch(/^https?:\/\//);
          if (name === 'style') expect(value, html).toMatch(/^text-align:(?:left|right|center)$/);
          if (name === 'class') expect(value, html).toMatch(/^language-/);
        }
      }
    }
  });
});

function elementsIn(node: DefaultTreeAdapterTypes.ParentNode): DefaultTreeAdapterTypes.Element[] {
  return node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...elementsIn(child)] : []));
}

it('renders texts that are made to take long as text, or in time', () => {
  const patterns = [
    '[',
    '*a',
    '`',
    '<a href="',
    '> ',
    '- ',
    '|a',
    '![',
    '<!--',
    '&',
    '[a](',
    '\\',
    '_a ',
    '<b>',
    '~~',
  ];
  for (const pattern of patterns) {
    const text = pattern.repeat(Math.floor(200_000 / pattern.length));
    expect(descriptionHtml(text).length, pattern).toBeLessThan(20 * text.length);
    expect(descriptionHtml(`${pattern}\n`.repeat(20_000)).length, pattern).toBeGreaterThan(0);
  }
});
