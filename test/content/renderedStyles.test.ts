import { readFileSync } from 'node:fs';
import {
  createRenderer,
  idOfAnchor,
  idOfPage,
  mathStyleSheet,
  PageTooLargeError,
  printStyleSheet,
  styleSheet,
} from '@bindery/render';
import { afterAll, describe, expect, it } from 'vitest';
import { elementsIn } from '../support/render/judgeHtml.ts';
import { renderMarkdown } from '../support/render/renderMarkdown.ts';

const renderer = createRenderer();
afterAll(async () => renderer.close());

const all = ['normal-blocks', 'normal-inlines', 'normal-tables', 'foreign', 'malformed']
  .map((name) => readFileSync(`test/fixtures/pages/${name}.md`, 'utf8'))
  .join('\n\n');

describe('the style sheets', () => {
  it('have a rule for each class of a page with all blocks', async () => {
    const { html } = await renderMarkdown(renderer, all);
    const classes = new Set(
      elementsIn(html)
        .filter(({ isFormula }) => !isFormula)
        .flatMap(({ attributes }) => attributes['class']?.split(' ') ?? []),
    );
    // Names of parts that look like their surroundings.
    const withoutLook = [
      'icon',
      'math',
      'tex',
      'expression',
      'info',
      'content-ref',
      'embed',
      'file',
      'field',
      'top',
    ];
    const known = `${styleSheet}${printStyleSheet}`;
    const unknown = [...classes].filter(
      (name) => !new RegExp(`\\.${name}(?![\\w-])`).test(known) && !withoutLook.includes(name),
    );
    expect(unknown).toEqual([]);
  });

  it('load nothing from other addresses', () => {
    for (const sheet of [styleSheet, printStyleSheet]) expect(sheet).not.toMatch(/url\(|@import/);
    const addresses = [...mathStyleSheet().matchAll(/url\(([^)]{0,30})/g)].map(([, address]) => address);
    expect(addresses).toHaveLength(20);
    expect(addresses.filter((address) => !address?.startsWith('data:font/woff2;base64,'))).toEqual([]);
  });
});

describe('the ids of a book', () => {
  it('have safe characters and are unique', () => {
    expect([idOfPage('aB3'), idOfAnchor('aB3', 'a-b')]).toEqual(['p-aB3', 'p-aB3--a-b']);
    const anchors = ['a b', 'a.b', 'a.20.b', 'é', 'ab', '日本', '"'];
    const ids = anchors.map((anchor) => idOfAnchor('x', anchor));
    expect(new Set(ids).size).toBe(anchors.length);
    expect(ids.filter((id) => !/^[\w.-]+$/.test(id))).toEqual([]);
  });

  it('are the targets of links between pages', async () => {
    const { html } = await renderMarkdown(renderer, '[b](b.md)');
    expect(html).toContain(`href="#${idOfPage('b')}"`);
  });
});

describe('a page that exceeds the limits', () => {
  it('is refused with PageTooLargeError', async () => {
    const small = createRenderer({ limits: { elements: 3 } });
    await expect(renderMarkdown(small, all)).rejects.toThrow(PageTooLargeError);
  });
});
