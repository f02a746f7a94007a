import { describe, expect, it } from 'vitest';
import { html, Html } from './html.ts';

describe('a template', () => {
  it('escapes values in text and in attributes', () => {
    const hostile = `"><script>alert('1')</script>&amp;`;
    expect(html`<p title="${hostile}">${hostile}</p>`.toString()).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;</p>',
    );
  });

  it('takes templates and lists of them, and nothing for absent values', () => {
    const rows = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    expect(html`<ul>${rows}${undefined}${null}${false}${0}</ul>`.toString()).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li>0</ul>',
    );
  });

  it('takes nothing else for markup', () => {
    const forged = JSON.parse('{"markup":"<b>"}') as Html;
    expect(() => html`${forged}`).toThrow(TypeError);
    expect(() => html`${Object.create(Html.prototype) as Html}`).toThrow(TypeError);
  });
});
