import { describe, expect, it } from 'vitest';
import { html, Html, trusted } from './html.ts';

const hostile = `"'><script>alert(1)</script>&`;
const text = '&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;';

describe('a value', () => {
  it('is escaped in text, and markup of a template is not', () => {
    expect(String(html`<p>${hostile}</p>`)).toBe(`<p>${text}</p>`);
    expect(String(html`<p>${html`<b>${1}</b>`}${[html`<i></i>`, '<', null, [false, 'x']]}</p>`)).toBe(
      '<p><b>1</b><i></i>&lt;x</p>',
    );
    expect(String(html`<title>${hostile}</title><textarea>${hostile}</textarea>`)).toBe(
      `<title>${text}</title><textarea>${text}</textarea>`,
    );
  });

  it('is escaped in an attribute, and in each part of a composed attribute', () => {
    expect(String(html`<a class="x ${hostile} y" title="${hostile}">${1}</a>`)).toBe(
      `<a class="x ${text} y" title="${text}">1</a>`,
    );
    expect(String(html`<a class="${'a'} ${'b'}-${'c'}" id=x>`)).toBe('<a class="a b-c" id=x>');
  });

  it.each([false, null, undefined])('removes its attribute when it is %s', (nothing) => {
    expect(String(html`<a href="/x" aria-current="${nothing}">x</a>`)).toBe('<a href="/x">x</a>');
    expect(String(html`<a class="x ${nothing}">x</a>`)).toBe('<a class="x ">x</a>');
    expect(String(html`<p>${nothing}</p>`)).toBe('<p></p>');
  });

  it('is refused when it imitates markup', () => {
    const forged = { toString: () => '<script>' };
    expect(() => html`<p>${forged as unknown as string}</p>`).toThrow('not object');
    expect(() => html`<p title="${html`<b>`}"></p>`).toThrow('not markup');
    expect(() => (Object.create(Html.prototype) as Html).toString()).toThrow(TypeError);
  });

  it('switches a boolean attribute', () => {
    expect(String(html`<input ?disabled=${true} ?checked=${false} name="x">`)).toBe(
      '<input disabled name="x">',
    );
  });

  it('cannot end the element of a JSON text', () => {
    const json = JSON.stringify({ a: '</script><!--' });
    expect(String(html`<script type="application/ld+json">${json}</script>`)).toBe(
      String.raw`<script type="application/ld+json">{"a":"\u003c/script>\u003c!--"}</script>`,
    );
  });

  it('stays as it is when it is trusted', () => {
    expect(String(html`<p>${trusted('<b>x</b>')}</p>`)).toBe('<p><b>x</b></p>');
  });
});

describe('a URL', () => {
  it.each([
    ...['javascript:alert(1)', 'JAVASCRIPT:alert(1)', ' javascript:alert(1)', 'java\tscript:alert(1)'],
    ...['java\nscript:x', '\u0001javascript:x', 'data:text/html,x', 'vbscript:x', 'blob:x', 'file:///x'],
  ])('%j is replaced by #', (url) => {
    expect(String(html`<a href="${url}">x</a>`)).toBe('<a href="#">x</a>');
    expect(String(html`<form action="${url}">`)).toBe('<form action="#">');
  });

  it.each([
    ...['https://a.example/?x=1', 'mailto:a@b.example', 'tel:1', '/x', 'x/y', '?q=javascript:x', '#a:b'],
    ...['./a:b', '//a.example'],
  ])('%j stays unchanged', (url) => {
    expect(String(html`<a href="${url}">x</a>`)).toBe(`<a href="${url}">x</a>`);
  });

  it('may be composed after a fixed start', () => {
    expect(String(html`<a href="/pages/${'a b'}?x=${'&'}">x</a>`)).toBe('<a href="/pages/a b?x=&amp;">x</a>');
  });
});

describe('a template is refused with a value', () => {
  const v = 'x';
  it.each([
    ['as an element', () => html`<${v}>`],
    ['as a closing element', () => html`<p></${v}>`],
    ['in the name of an element', () => html`<h${v}>`],
    ['as an attribute', () => html`<p ${v}>`],
    ['in the name of an attribute', () => html`<p data-${v}="x">`],
    ['in an attribute without quotes', () => html`<p class=${v}>`],
    ['in single quotes', () => html`<p class='${v}'>`],
    ['in single quotes, behind text', () => html`<p class='x ${v}'>`],
    ['behind an attribute without quotes', () => html`<p class=x${v}>`],
    ['in an event handler', () => html`<p onclick="${v}">`],
    ['in a style', () => html`<p style="${v}">`],
    ['in srcdoc', () => html`<iframe srcdoc="${v}">`],
    ['in srcset', () => html`<img srcset="${v}">`],
    ['in a style sheet', () => html`<style>${v}</style>`],
    ['in a script', () => html`<script>${v}</script>`],
    ['in a module', () => html`<script type="module">${v}</script>`],
    ['in a comment', () => html`<!-- ${v} -->`],
    ['at the start of a composed URL', () => html`<a href="${v}/x">`],
    ['behind the first slash of a URL', () => html`<a href="/${v}">`],
    ['in an attribute that does not end', () => html`<a href="${v}`],
  ])('%s', (_place, build) => {
    expect(build).toThrow(TypeError);
  });
});

describe('a template', () => {
  it('escapes values in text and in attributes', () => {
    const hostile = `"><script>alert('1')</script>&amp;`;
    expect(html`<p title="${hostile}">${hostile}</p>`.toString()).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;</p>',
    );
  });

  it('accepts templates and lists of templates, and omits absent values', () => {
    const rows = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
    expect(html`<ul>${rows}${undefined}${null}${false}${0}</ul>`.toString()).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li>0</ul>',
    );
  });

  it('refuses forged markup', () => {
    const forged = JSON.parse('{"markup":"<b>"}') as Html;
    expect(() => html`${forged}`).toThrow(TypeError);
    expect(() => html`${Object.create(Html.prototype) as Html}`).toThrow(TypeError);
  });
});
