import type { DocumentTree } from '@bindery/contract';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { documentTrees } from '../../../../test/support/documentTrees.ts';
import { elementsIn } from '../../../../test/support/render/judgeHtml.ts';
import { sources } from '../../../../test/support/render/renderMarkdown.ts';
import { createRenderer } from '../renderer.ts';
import { isVisible } from './textOf.ts';

const renderer = createRenderer();
afterAll(async () => renderer.close());

const render = async (document: DocumentTree) =>
  renderer.renderPage({ page: { id: 'x', title: 'Title' }, document, reader: 'member', sources });

describe('any page', () => {
  it('has the outline of its HTML, without gaps and blank headings', async () => {
    const check = async (document: DocumentTree) => {
      const { html, headings, cuts, ids } = await render(document);
      const elements = elementsIn(html);
      const found = elements.filter(({ name }) => /^h[1-6]$/.test(name));
      expect(headings.map(({ id, level }) => ({ id, level }))).toEqual(
        found.map(({ name, attributes }) => ({ id: attributes['id'], level: Number(name.slice(1)) })),
      );
      expect(found.every(({ text, attributes }) => isVisible(text) || attributes['role'] === 'img')).toBe(
        true,
      );
      expect(headings[0]?.level).toBe(1);
      for (const [index, { level }] of headings.entries())
        expect(level).toBeLessThanOrEqual((headings[index - 1]?.level ?? 0) + 1);
      const all = elements.flatMap(({ attributes }) => attributes['id'] ?? []);
      expect(all).toEqual([...new Set(all)]);
      expect(all.toSorted()).toEqual(ids.toSorted());
      for (const { attributes } of elements)
        if (attributes['href']?.startsWith('#p-x')) expect(ids).toContain(attributes['href'].slice(1));
      expect(cuts.every((cut) => html.startsWith('<h2', cut))).toBe(true);
    };
    await fc.assert(fc.asyncProperty(documentTrees(), check), { numRuns: 200 });
  });

  it('is rendered the same each time', async () => {
    const check = async (document: DocumentTree) => {
      expect(await render(document)).toEqual(await render(structuredClone(document)));
    };
    await fc.assert(fc.asyncProperty(documentTrees(), check), { numRuns: 30 });
  });
});
