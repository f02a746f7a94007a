import type { DocumentNode } from '@bindery/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentJudge } from '../../../../test/support/documentProblems.ts';
import { markdownToDocument } from './markdownToDocument.ts';
import { parseDocument } from './parseDocument.ts';

const problemsOf = documentJudge();

/** Complete and partial tags, elements and marks. */
const pieces = [
  ...'ab *_`~[]()!<>#-+.1|\\&{%}$:"\'=/\n\n\n\té'.split(''),
  ...[
    '😀',
    '```',
    '$$',
    '    ',
    '](x)',
    '- ',
    '1. ',
    '> ',
    '\n\n',
    '\r\n',
    '| a |\n| - |\n',
    '[^1]',
    '\n\n[^1]: ',
    '&#x20;',
    ':rocket:',
    '\u200b',
    '<!--',
    '-->',
  ],
  ...[
    '{% hint style="info" %}',
    '{% endhint %}',
    '{% tabs %}',
    '{% tab title="t" %}',
    '{% endtab %}',
    '{% endtabs %}',
    '{% stepper %}',
    '{% step %}',
  ],
  ...[
    '{% endstep %}',
    '{% endstepper %}',
    '{% columns %}',
    '{% column width="50%" %}',
    '{% endcolumn %}',
    '{% endcolumns %}',
    '{% updates %}',
  ],
  ...[
    '{% update date="2026-01-01" %}',
    '{% endupdate %}',
    '{% endupdates %}',
    '{% code title=“t” %}',
    '{% endcode %}',
    '{% embed url="u" %}',
    '{% endembed %}',
  ],
  ...[
    '{% content-ref url="c.md" %}',
    '{% endcontent-ref %}',
    '{% file src="f" %}',
    '{% endfile %}',
    '{% include "i.md" %}',
    '{% if a == 1 %}',
    '{% endif %}',
  ],
  ...[
    '{% openapi-operation spec="s" path="p" method="get" %}',
    '{% swagger src="s" path="p" method="get" %}',
    '{% prompt description="d" %}',
    '{% endprompt %}',
  ],
  ...[
    '<details>',
    '<summary>',
    '</summary>',
    '</details>',
    '<table>',
    '<table data-view="cards">',
    '<thead>',
    '<tr>',
    '<th data-type="select">',
    '<td>',
    '</td>',
    '</tr>',
  ],
  ...[
    '<th data-type="content-ref" data-card-target>',
    '<th data-type="image">',
    '<th data-type="files">',
    '</th>',
    '</thead>',
    '</table>',
    '<td rowspan="2">',
  ],
  ...[
    '<figure>',
    '<img src="i">',
    '<figcaption>',
    '</figcaption>',
    '</figure>',
    '<div align="center">',
    '</div>',
    '<p>',
    '</p>',
    '<ul>',
    '<li>',
    '</ul>',
    '<ol start="3">',
  ],
  ...[
    '<a href="h" class="button">',
    '<a href="h">',
    '</a>',
    '<i class="fa-x">',
    '</i>',
    '<mark style="color:red">',
    '</mark>',
    '<br>',
    '<kbd>',
    '</kbd>',
    '<h2>',
    '</h2>',
  ],
  ...[
    '<pre class="language-x"><code>',
    '<strong>',
    '</strong>',
    '</code></pre>',
    '<code class="expression">',
    '</code>',
    '<a data-footnote-ref href="#user-content-fn-1">',
  ],
  ...[
    '<div data-gb-custom-block data-tag="hint">',
    '<blockquote>',
    '</blockquote>',
    '<iframe src="https://i.example">',
    '<script>',
    '</script>',
    '# ',
    '## h',
    '***\n',
  ],
];
const markup = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((all) => all.join(''));

/** Self-contained pieces, with words of their own. */
const whole: ((word: string) => string)[] = [
  (word) => `${word} **${word}x** [${word}y](target) ![${word}z](i.png)`,
  (word) => `## ${word}`,
  (word) => `- ${word}\n  - ${word}x\n\n  ${word}y`,
  (word) =>
    `1. ${word}\n\n   {% tabs %}\n   {% tab title="${word}x" %}\n   ${word}y\n   {% endtab %}\n   {% endtabs %}\n2. ${word}z`,
  (word) => `> ${word}\n>\n> \`\`\`\n> ${word}x\n> \`\`\``,
  (word) => `| ${word} |\n| - |\n| ${word}x |`,
  (word) =>
    `<table><thead><tr><th>${word}</th></tr></thead><tbody><tr><td><p>${word}x</p><ul><li>${word}y</li></ul></td></tr></tbody></table>`,
  (word) =>
    `{% hint style="info" %}\n${word}\n\n| ${word}x |\n| - |\n\n\`\`\`\n${word}y\n\`\`\`\n{% endhint %}`,
  (word) =>
    `<details>\n\n<summary>${word}</summary>\n\n${word}x\n\n{% tabs %}\n{% tab %}\n${word}y\n{% endtab %}\n{% endtabs %}\n\n</details>`,
  (word) =>
    `{% stepper %}\n{% step %}\n### ${word}\n\n<table><tr><td>${word}x</td></tr></table>\n{% endstep %}\n{% endstepper %}`,
  (word) =>
    `{% columns %}\n{% column %}\n${word}\n{% endcolumn %}\n\n{% column %}\n{% tabs %}\n{% tab %}\n${word}x\n{% endtab %}\n{% endtabs %}\n{% endcolumn %}\n{% endcolumns %}`,
  (word) => `{% code title="${word}" %}\n\`\`\`js\n${word}x\n\`\`\`\n{% endcode %}`,
  (word) => `<pre class="language-js"><code>${word}\n<strong>${word}x\n</strong></code></pre>`,
  (word) => `<figure><img src="${word}.png" alt="${word}x"><figcaption><p>${word}y</p></figcaption></figure>`,
  (word) => `{% embed url="https://${word}.example" %}\n${word}x\n{% endembed %}`,
  (word) => `$$\n${word}\n$$\n\n${word}x $$${word}y$$`,
  (word) => `${word} {% endhint %}`,
  (word) => `{% hint %}\n${word}`,
  (word) => `<div>\n${word}\n\n${word}x`,
  (word) => `${word}[^${word}]\n\n[^${word}]: ${word}x`,
  (word) => `<p align="center">${word} <b>${word}x</b></p>`,
  (word) =>
    `{% swagger method="get" path="/${word}" %}\n{% swagger-description %}\n${word}x\n{% endswagger-description %}\n{% endswagger %}`,
  (word) =>
    `{% api-method method="get" host="h" path="/${word}" %}\n{% api-method-headers %}\n{% api-method-parameter name="${word}" %}\n${word}x\n{% endapi-method-parameter %}\n{% endapi-method-headers %}\n{% api-method-response-example httpCode=200 %}\n${word}\n{% endapi-method-response-example %}\n{% endapi-method %}`,
  (word) => `{% if visitor.claims.${word} %}\n${word}x\n{% endif %}`,
];
const wholePage = fc
  .array(fc.nat({ max: whole.length - 1 }), { maxLength: 12 })
  .map((chosen) => chosen.map((index, place) => whole[index]?.(`word${place}`) ?? '').join('\n\n'));

function keysOf(nodes: readonly DocumentNode[]): (string | undefined)[] {
  return nodes.flatMap((node) => [
    node.key,
    ...(node.object === 'text'
      ? []
      : [
          ...keysOf(node.nodes ?? []),
          ...(node.fragments ?? []).flatMap((each) => [each.key, ...keysOf(each.nodes)]),
        ]),
  ]);
}

function check(markdown: string): void {
  const parsed = parseDocument(markdown);
  const keys = keysOf(parsed.nodes);
  expect(keys).not.toContain(undefined);
  expect(new Set(keys).size).toBe(keys.length);
  expect(problemsOf(markdownToDocument(markdown))).toBeUndefined();
}

// Validation by the published schema takes long.
describe('parseDocument', { timeout: 60_000 }, () => {
  it('makes a valid tree of any text, with a key for each node', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 200 }),
          fc.string({ unit: 'grapheme', maxLength: 200 }),
        ),
        check,
      ),
      { numRuns: 300 },
    );
  });

  it('makes a valid tree of any markup', () => {
    fc.assert(fc.property(markup, check), { numRuns: 300 });
  });

  it('makes a valid tree of any blocks in any order, with every word', () => {
    fc.assert(
      fc.property(wholePage, (markdown) => {
        check(markdown);
        const found = JSON.stringify(parseDocument(markdown));
        const words = [...markdown.matchAll(/word\d+[x-z]?/g)].map(([word]) => word);
        // The name of a footnote is not visible.
        const shown = words.filter((word) => !markdown.includes(`[^${word}]`) || found.includes(word));
        expect(shown.filter((word) => !found.includes(word))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('is deterministic', () => {
    fc.assert(
      fc.property(markup, (markdown) => {
        expect(parseDocument(markdown)).toEqual(parseDocument(markdown));
      }),
      { numRuns: 50 },
    );
  });
});
