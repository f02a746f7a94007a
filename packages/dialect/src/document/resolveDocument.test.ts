import type { DocumentTree } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { documentJudge } from '../../../../test/support/documentProblems.ts';
import type { Resolve } from '../links/resolve.ts';
import { documentToMarkdown } from './documentToMarkdown.ts';
import { evaluateDocument } from './evaluateDocument.ts';
import { headingsOf } from './headingsOf.ts';
import { inlineReusableContents } from './inlineReusableContents.ts';
import { parseDocument } from './parseDocument.ts';
import { referencesOf } from './referencesOf.ts';
import { resolveDocument, type MissingContent } from './resolveDocument.ts';
import { splitTitle, withoutTitle } from '../syntax/splitTitle.ts';

const problemsOf = documentJudge();
const page = [
  '[a](a.md) [b](a "mention") <a href="b.md" class="button primary">B</a> ![i](i.png) x',
  '{% file src="f.pdf" %}',
  '{% content-ref url="c.md" %}\n{% endcontent-ref %}',
  '{% include "i.md" %}',
  '{% openapi src="o.yaml" path="/a" method="get" %}\n{% endopenapi %}',
  '{% openapi-operation spec="pets" path="/a" method="get" %}\n{% endopenapi-operation %}',
  '<figure><picture><source srcset="dark.png" media="(prefers-color-scheme: dark)"><img src="l.png" alt=""></picture></figure>',
  '<table data-view="cards"><thead><tr><th></th><th data-card-target data-type="content-ref"></th><th data-card-cover data-type="image"></th><th data-type="files"></th></tr></thead>' +
    '<tbody><tr><td><a href="cell.md">x</a></td><td><a href="t.md">t</a></td><td><a href="cover.png">c</a></td><td><a href="f1.pdf">1</a><a href="f2.pdf">2</a></td></tr></tbody></table>',
].join('\n\n');

const resolveAll: Resolve = (target, use) => {
  if (use === 'reusable-content') return { kind: 'reusable-content', reusableContent: 'r1' };
  if (use === 'image' || use === 'file' || use === 'openapi') return { kind: 'file', file: `f:${target}` };
  return { kind: 'page', page: `p:${target}` };
};

describe('resolveDocument', () => {
  it('replaces each target by its meaning', () => {
    const resolved = resolveDocument(parseDocument(page), resolveAll);
    expect(problemsOf(resolved)).toBeUndefined();
    expect(
      [...referencesOf(resolved)].map(
        ({ ref = {}, use }) =>
          `${use} ${Object.values({ ...ref, label: '' })
            .join(' ')
            .trim()}`,
      ),
    ).toEqual([
      ...[
        'link page p:a.md',
        'link page p:a',
        'link page p:b.md',
        'image file f:i.png',
        'file file f:f.pdf',
        'content-ref page p:c.md',
      ],
      ...[
        'reusable-content reusable-content r1',
        'openapi file f:o.yaml',
        'openapi openapi pets',
        'image file f:l.png',
        'image file f:dark.png',
      ],
      ...[
        'content-ref page p:t.md',
        'image file f:cover.png',
        'file file f:f1.pdf',
        'file file f:f2.pdf',
        'link page p:cell.md',
      ],
    ]);
  });

  it('keeps a tree valid when nothing can be resolved', () => {
    const resolved = resolveDocument(parseDocument(page), () => undefined);
    expect(problemsOf(resolved)).toBeUndefined();
    expect(resolved.nodes.map(({ type }) => type)).toEqual([
      ...[
        'paragraph',
        'paragraph',
        'content-ref',
        'paragraph',
        'swagger',
        'openapi-operation',
        'images',
        'table',
      ],
    ]);
    expect(resolved.nodes[1]?.nodes).toMatchObject([
      { type: 'link', data: { ref: { kind: 'url', url: 'f.pdf' } } },
    ]);
    expect(resolved.nodes[3]?.nodes).toMatchObject([{ leaves: [{ text: '{% include "i.md" %}' }] }]);
  });

  it('shows a note or nothing for missing reusable content', () => {
    const tag = '{% include "gone.md" %}';
    const inside = `<details>\n\n<summary>A</summary>\n\n${tag}\n\n</details>`;
    const parsed = parseDocument(
      `a\n\n${tag}\n\n${inside}\n\n{% if visitor.claims.b %}\n${tag}\n{% endif %}`,
    );
    const shown = (missing: MissingContent) => resolveDocument(parsed, () => undefined, { missing });
    const markdownOf = (missing: MissingContent) => documentToMarkdown(shown(missing));
    for (const missing of ['tag', 'note', 'nothing'] as const)
      expect(problemsOf(shown(missing))).toBeUndefined();
    expect(markdownOf('note').match(/This page includes gone\.md, which is not there\./g)).toHaveLength(3);
    expect(markdownOf('note')).not.toContain('include "');
    expect(markdownOf('nothing')).not.toMatch(/gone|include/);
    expect(shown('nothing').nodes.map(({ type }) => type)).toEqual(['paragraph', 'expandable', 'if']);
  });

  it('does not change the parsed tree', () => {
    const parsed = parseDocument(page);
    const before = structuredClone(parsed);
    resolveDocument(parsed, resolveAll);
    expect(parsed).toEqual(before);
  });
});

describe('referencesOf', () => {
  it('finds the targets of a parsed tree with their uses', () => {
    const found = [...referencesOf(parseDocument(page))];
    expect(found.map(({ target, ref, use }) => `${use} ${target ?? JSON.stringify(ref)}`)).toEqual([
      ...[
        'link a.md',
        'link a',
        'link b.md',
        'image i.png',
        'file f.pdf',
        'content-ref c.md',
        'reusable-content i.md',
        'openapi o.yaml',
      ],
      ...[
        'openapi {"kind":"openapi","spec":"pets"}',
        'image l.png',
        'image dark.png',
        'content-ref t.md',
        'image cover.png',
        'file f1.pdf',
        'file f2.pdf',
      ],
      'link cell.md',
    ]);
    expect(found.every(({ blockKey }) => blockKey !== '')).toBe(true);
  });
});

describe('headingsOf', () => {
  it('lists headings in any container', () => {
    const headings = headingsOf(
      parseDocument(
        '## A *b*\n\n{% tabs %}\n{% tab title="t" %}\n### C\n{% endtab %}\n{% endtabs %}\n\n<table><tr><td><h4>D</h4></td></tr></table>',
      ),
    );
    expect(headings.map(({ id, title, level }) => [id, title, level])).toEqual([
      ['a-b', 'A b', 1],
      ['c', 'C', 2],
      ['d', 'D', 3],
    ]);
  });
});

describe('splitTitle', () => {
  it.each([
    ['# A *b*\n\nc', 'A b', '\nc'],
    ['\n\n# A #\nc', 'A', 'c'],
    ['# A <a href="#x" id="x"></a>', 'A', ''],
    ['A\n===\nb', 'A', 'b'],
    ['#\n\nb', '', '\nb'],
    ['\uFEFF# A\r\nb', 'A', 'b'],
    ['## A\n\nb', undefined, '## A\n\nb'],
    ['a\n# b', undefined, 'a\n# b'],
    ['#a', undefined, '#a'],
    ['Two\nlines\n===\nb', 'Two lines', 'b'],
    ['[a]: b.md\nA\n===\nb', undefined, '[a]: b.md\nA\n===\nb'],
    ['', undefined, ''],
  ])('%j is titled %j', (body, title, rest) => {
    expect(splitTitle(body)).toEqual({ ...(title !== undefined && { title }), rest });
  });
});

describe('withoutTitle', () => {
  it.each([
    ['# Set up\n\nb', 'Set up', '\nb'],
    ['# SET-UP!\n\nb', 'Set  up', '\nb'],
    ['# **Café** &amp; bar\nb', 'Cafe & Bar', 'b'],
    ['# Welcome\n\nb', 'Set up', '# Welcome\n\nb'],
    ['a\n\n# Set up\n', 'Set up', 'a\n\n# Set up\n'],
    ['# किताब\n', 'कतब', '# किताब\n'],
    ['# ?\n', '!', '# ?\n'],
    ['# C#\n', 'C', '# C#\n'],
    ['# C++\n', 'C', '# C++\n'],
    ['# TCP/IP\n', 'TCP IP', '# TCP/IP\n'],
    ['# @scope\n', 'Scope', '# @scope\n'],
    ['# 100%\n', '100', '# 100%\n'],
    ['# Q&A\n', 'QA', '# Q&A\n'],
    ['# $PATH\n', 'Path', '# $PATH\n'],
    ['# C:\\\\temp\n', 'C: temp', '# C:\\\\temp\n'],
    ['# q & a\n\nb', 'Q&A', '\nb'],
    ['# TCP / IP\n\nb', 'TCP/IP', '\nb'],
    ['# “What’s (new)…” – *here*, `now`!\n\nb', "What's new... here now?", '\nb'],
    ['#\n\nb', 'Set up', '\nb'],
    ['# ![](logo.png)\n\nb', 'Set up', '# ![](logo.png)\n\nb'],
  ])('turns %j with the title %j into %j', (body, title, rest) => {
    expect(withoutTitle(body, title)).toBe(rest);
  });
});

describe('evaluateDocument', () => {
  const tree = parseDocument(
    '{% if visitor.claims.plan == "pro" %}\na\n\n{% if space.vars.v == "1" %}\nb\n{% endif %}\n{% endif %}\n\n<code class="expression">space.vars.v</code> <code class="expression">space.vars.w</code>',
  );
  const types = (evaluated: DocumentTree) =>
    evaluated.nodes.map(({ type, nodes }) => [
      type,
      ...(nodes ?? []).map((node) => (node.object === 'text' ? node.leaves[0]?.text : node.type)),
    ]);

  it('shows the blocks whose conditions the visitor meets, with values for expressions', () => {
    const variables = { space: { v: '1' } };
    const last = ['paragraph', '1', ' ', 'expression'];
    expect(types(evaluateDocument(tree, { claims: { plan: 'pro' }, variables }))).toEqual([
      ['paragraph', 'a'],
      ['paragraph', 'b'],
      last,
    ]);
    expect(types(evaluateDocument(tree, { claims: {}, variables }))).toEqual([last]);
    expect(types(evaluateDocument(tree, { variables }))).toEqual([['if', 'paragraph', 'paragraph'], last]);
    expect(problemsOf(evaluateDocument(tree, { claims: { plan: 'pro' }, variables }))).toBeUndefined();
  });
});

describe('inlineReusableContents', () => {
  const parsed = (markdown: string) =>
    resolveDocument(parseDocument(markdown), (target) => ({
      kind: 'reusable-content',
      reusableContent: target,
    }));
  const contents: Record<string, DocumentTree> = {
    one: parsed('## A\n\nb\n\n{% include "two" %}'),
    two: parsed('c\n\n{% include "one" %}'),
  };

  it('inlines contents, but never into themselves, with distinct keys and anchors', async () => {
    const tree = parsed('## A\n\n{% include "one" %}\n\n{% include "one" %}\n\n{% include "gone" %}');
    const inlined = await inlineReusableContents(
      tree,
      async ({ reusableContent }) => contents[reusableContent],
    );
    expect(inlined.nodes.map(({ type, meta }) => meta?.id ?? type)).toEqual([
      ...[
        'a',
        'a-1',
        'paragraph',
        'paragraph',
        'reusable-content',
        'a-2',
        'paragraph',
        'paragraph',
        'reusable-content',
        'reusable-content',
      ],
    ]);
    expect(problemsOf(inlined)).toBeUndefined();
  });
});
