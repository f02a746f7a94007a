import type { DocumentTree } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { documentJudge } from '../../../../test/support/documentProblems.ts';
import { markdownToDocument } from './markdownToDocument.ts';
import { withoutUnsafeTargets } from '../links/rewriteTargets.ts';
import { withSafeReferences } from './safeReferences.ts';

const problemsOf = documentJudge();
const url = 'https://unsafe.example/';
/** Every part of a page that may contain a target. */
const page = [
  `[link **bold**](${url}1) ![picture](${url}2 "caption") [mentioned](${url}3 "mention") <a href="${url}4" class="button primary">Press</a> x`,
  `# [heading](${url}5)`,
  `- [item](${url}6)\n\n> [quote](${url}7)`,
  `{% content-ref url="${url}8" %}\n[called](${url}8)\n{% endcontent-ref %}`,
  `{% embed url="${url}9" %}`,
  `{% swagger src="${url}10" path="/a" method="get" %}\n{% endswagger %}`,
  `<figure><picture><source srcset="${url}11" media="(prefers-color-scheme: dark)"><img src="${url}12" alt="both"></picture></figure>`,
  `![only](${url}13)`,
  `noted[^1]\n\n[^1]: [footnote](${url}14)`,
  `[definition][d]\n\n[d]: ${url}15`,
  `<details><summary><a href="${url}16">summary</a></summary>\n\n[details](${url}17)\n\n</details>`,
  `<table data-view="cards"><thead><tr><th></th><th data-card-target data-type="content-ref"></th><th data-card-cover data-type="image"></th><th data-type="files"></th></tr></thead>` +
    `<tbody><tr><td><a href="${url}18">cell</a></td><td><a href="${url}19">t</a></td><td><a href="${url}20">c</a></td><td><a href="${url}21">1</a></td></tr></tbody></table>`,
  `| a |\n|---|\n| [column](${url}22) |`,
  `<https://unsafe.example/23>`,
].join('\n\n');
const words = [
  'link ',
  'bold',
  'mentioned',
  'Press',
  'heading',
  'item',
  'quote',
  'called',
  'footnote',
  'definition',
  'details',
  'cell',
  'column',
];

const targets = [
  'javascript:x',
  'vbscript:x',
  'data:text/html,x',
  ' java\tscript:x',
  'file:///x',
  'ms-msdt:x',
];

describe('unsafe references', () => {
  it.each(targets)('are removed from a tree: %j', (target) => {
    const written = JSON.stringify(target).slice(1, -1);
    const given = JSON.parse(
      JSON.stringify(markdownToDocument(page)).replaceAll(url, () => written),
    ) as DocumentTree;
    const texts = (tree: DocumentTree) =>
      [...JSON.stringify(tree).matchAll(/"(?:url|ref|refDark)":("(?:[^"\\]|\\.)*")/g)].map(
        ([, found]) => found,
      );
    expect(texts(given).length).toBeGreaterThan(15);
    const safe = withSafeReferences(given);
    expect(texts(safe).filter((each) => each?.includes(written))).toEqual([]);
    expect(problemsOf(safe)).toBeUndefined();
    const shown = JSON.stringify(safe);
    expect(words.filter((word) => !shown.includes(word))).toEqual([]);
    expect(withSafeReferences(safe)).toBe(safe);
  });

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:x',
    'vbscript:x',
    'data:text/html,x',
    'file:///x',
    'ms-msdt:x',
    '&#106;avascript:x',
    'javascript\\:x',
  ])('are removed from Markdown: %j', (target) => {
    const unsafe = page.replaceAll(/https:\/\/unsafe\.example\/\d+/g, () => target);
    const data = JSON.stringify(markdownToDocument(unsafe), (key, value: unknown) =>
      key === 'text' ? undefined : value,
    );
    expect(data).not.toMatch(/script:|data:text|file:|ms-msdt:/i);
    const shown = JSON.stringify(markdownToDocument(unsafe));
    expect(words.filter((word) => !shown.includes(word) && word !== 'called')).toEqual([]);
    const left = withoutUnsafeTargets(unsafe);
    const harmful = /[\](="]\s*<?(?:[^\s"]*script|data|file|ms-msdt)\\?:/i;
    expect(left.replaceAll(/<[^<>\s]+:[^<>\s]+>/g, '')).not.toMatch(harmful);
  });

  it('are absent from a safe page, which stays unchanged', () => {
    const document = markdownToDocument(page);
    expect(withSafeReferences(document)).toBe(document);
    const kept =
      '[a](a.md) [b](#b) [c](mailto:a@b.c) [d](tel:1) [e](broken-reference) [f](/broken/pages/x) ![g](data:image/png;base64,AA)\n[h]: //x';
    expect([withoutUnsafeTargets(kept), withoutUnsafeTargets(page)]).toEqual([kept, page]);
  });
});
