import { afterAll, describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../test/support/render/renderMarkdown.ts';
import { createRenderer } from '../renderer.ts';

const renderer = createRenderer();
afterAll(async () => renderer.close());

async function bodyOf(markdown: string): Promise<string> {
  const { html } = await renderMarkdown(renderer, markdown, { medium: 'screen' });
  return html.replace('<h1 id="~top">Title</h1>', '');
}

describe('a page on a screen', () => {
  it.each([
    [
      'tabs, of which a reader chooses one',
      '{% tabs %}\n{% tab title="One" %}\na\n{% endtab %}\n{% tab title="Two" %}\nb\n{% endtab %}\n{% endtabs %}',
      '<div class="tabs"><details name="tabs-1" open class="tab"><summary>One</summary><p>a</p></details><details name="tabs-1" class="tab"><summary>Two</summary><p>b</p></details></div>',
    ],
    [
      'expandable blocks as the author left them',
      '<details>\n<summary>More</summary>\n\na\n</details>\n\n<details open>\n<summary>Open</summary>\n\nb\n</details>',
      '<details class="expandable"><summary>More</summary><p>a</p></details><details open class="expandable"><summary>Open</summary><p>b</p></details>',
    ],
    ['anchors as ids', '## A b\n\n[up](#a-b)', '<h2 id="a-b">A b</h2><p><a href="#a-b">up</a></p>'],
    ['anchors in other scripts', '## 概要', '<h2 id="概要">概要</h2>'],
    [
      'widths without styles',
      '{% columns %}\n{% column width="33%" %}\na\n{% endcolumn %}\n{% endcolumns %}',
      '<div class="columns"><div class="column" data-width="35"><p>a</p></div></div>',
    ],
    [
      'no path that an author wrote',
      '[x](//evil.example/x)',
      '<p><a href="https://evil.example/x">x</a></p>',
    ],
  ])('has %s', async (_name, markdown, html) => {
    expect(await bodyOf(markdown)).toBe(html);
  });
});
