import type { DocumentNode, DocumentTree } from '@bindery/contract';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { attacks } from '../../../../test/support/render/attacks.ts';
import { documentTrees } from '../../../../test/support/documentTrees.ts';
import { elementsIn, lettersOf, problemsIn } from '../../../../test/support/render/judgeHtml.ts';
import { renderMarkdown, sources } from '../../../../test/support/render/renderMarkdown.ts';
import { createRenderer } from '../renderer.ts';
import { PageTooLargeError } from './pageTooLargeError.ts';

const renderer = createRenderer();
afterAll(async () => renderer.close());

/** Fields that give a node its form; all other texts are an author's words. */
const structure = new Set(['object', 'type', 'kind', 'fragment', 'orderIndex', 'columns', 'id', 'key']);

function withWords(value: unknown, word: () => string, key = ''): unknown {
  if (typeof value === 'string') return structure.has(key) ? value : word();
  if (Array.isArray(value)) return value.map((each) => withWords(each, word, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withWords(each, word, name)]));
}

const page = { id: 'x', title: 'Title' };

describe('a page of hostile words', () => {
  it('has only the elements, attributes and addresses that the renderer makes', async () => {
    let next = 0;
    const types = new Set<string>();
    const typesIn = (nodes: readonly DocumentNode[]): void => {
      for (const node of nodes) {
        if (node.object === 'text') continue;
        types.add(node.type);
        typesIn([...(node.nodes ?? []), ...(node.fragments ?? []).flatMap((each) => each.nodes)]);
      }
    };
    const check = async (tree: DocumentTree) => {
      typesIn(tree.nodes);
      const word = () => attacks[next++ % attacks.length] as string;
      const document = { ...tree, nodes: withWords(tree.nodes, word) as DocumentTree['nodes'] };
      const { html } = await renderer.renderPage({
        page: { ...page, title: word(), description: word(), emoji: word(), language: word() },
        document,
        reader: 'member',
        sources: {
          linkOf: () => ({ title: word(), href: word(), description: word() }),
          fileOf: () => ({ name: word(), size: Number.NaN, href: word() }),
        },
      });
      expect(problemsIn(html)).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(documentTrees(), check), { numRuns: 300 });
    expect(types.size).toBeGreaterThan(35);
  });

  it.each(attacks)('shows %j as text in each place of Markdown', async (attack) => {
    const quoted = attack.replaceAll('"', '&#x22;').replaceAll('<', '&lt;');
    const markdown = [
      `## ${attack}`,
      `[w](${attack.replaceAll(/\s/g, '')}) ![${attack}](${attack.replaceAll(/\s/g, '')})`,
      `{% hint style="${quoted}" icon="${quoted}" %}\n${attack}\n{% endhint %}`,
      `{% tabs %}\n{% tab title="${quoted}" %}\n${attack}\n{% endtab %}\n{% endtabs %}`,
      `{% code title="${quoted}" %}\n\`\`\`${attack.replaceAll(/\s/g, '')}\n${attack}\n\`\`\`\n{% endcode %}`,
      `{% embed url="${quoted}" %}`,
      `{% file src="${quoted}" %}`,
      `{% content-ref url="${quoted}" %}\n{% endcontent-ref %}`,
      `{% openapi-operation spec="${quoted}" path="${quoted}" method="${quoted}" %}`,
      `<details><summary>${attack}</summary>\n\n${attack}\n\n</details>`,
      `| ${attack.replaceAll('\n', ' ')} |\n| - |\n| ${attack.replaceAll('\n', ' ')} |`,
      `$$\n${attack}\n$$`,
      `<mark style="color:${quoted};">x</mark> <i class="fa-${quoted}">x</i>`,
    ].join('\n\n');
    const { html } = await renderMarkdown(renderer, markdown);
    expect(problemsIn(html)).toEqual([]);
  });

  it('has only the formula markup of the library', async () => {
    const formulas = attacks.map((attack) => `$$\n${attack} x^2 \\sqrt{2}\n$$`).join('\n\n');
    const { html } = await renderMarkdown(renderer, formulas);
    expect(problemsIn(html)).toEqual([]);
    expect(elementsIn(html).filter(({ isFormula }) => isFormula).length).toBeGreaterThan(100);
  });

  it('cannot imitate the placeholder of a formula', async () => {
    const { html } = await renderMarkdown(
      renderer,
      '$$a$$ 00000000-0000-0000-0000-000000000000-0; {"inserted":0}',
    );
    expect(lettersOf(html)).toContain('00000000-0000-0000-0000-000000000000-0;{"inserted":0}');
    expect(html.split('class="katex"')).toHaveLength(2);
  });

  it('shows only pictures from its sources', async () => {
    const { images, html } = await renderMarkdown(
      renderer,
      '![a](b.png) ![c](https://evil.example/x.png) ![d](data:image/svg+xml,<svg/>)',
    );
    expect(images).toEqual([{ file: 'b.png', src: 'https://render.invalid/files/b.png' }]);
    expect(elementsIn(html).filter(({ name }) => name === 'img')).toHaveLength(1);
  });

  it('shows conditional blocks only to readers who meet the condition', async () => {
    const markdown = '{% if visitor.claims.plan == "pro" %}\nsecret\n{% endif %}\n\nopen';
    const shown = async (claims: Record<string, unknown>) =>
      lettersOf((await renderMarkdown(renderer, markdown, { reader: { claims } })).html);
    expect(await shown({})).toBe('Titleopen');
    expect(await shown({ plan: 'pro' })).toBe('Titlesecretopen');
  });
});

describe('a page that is too large', () => {
  const paragraphs = (count: number) => 'word\n\n'.repeat(count);
  it.each([
    ['elements', paragraphs(50), 'has more than 20 elements'],
    ['characters', paragraphs(50), 'is longer than 20 characters as HTML'],
    ['depth', '> '.repeat(8) + 'a', 'has blocks that are nested too deep'],
  ] as const)('is refused by its %s, with its title', async (limit, markdown, problem) => {
    const small = createRenderer({ limits: { [limit]: limit === 'depth' ? 5 : 20 } });
    const failure = await renderMarkdown(small, markdown).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PageTooLargeError);
    expect(failure).toMatchObject({
      page,
      message: `The page "Title" ${problem}. Split it into several pages.`,
    });
  });

  it('is refused when its blocks exceed the stack', async () => {
    let node: DocumentNode = { object: 'block', type: 'blockquote', nodes: [] };
    for (let depth = 0; depth < 20_000; depth += 1)
      node = { object: 'block', type: 'blockquote', nodes: [node] };
    const document: DocumentTree = { object: 'document', data: {}, nodes: [node as never] };
    await expect(renderer.renderPage({ page, document, reader: 'member', sources })).rejects.toThrow(
      PageTooLargeError,
    );
  });
});
