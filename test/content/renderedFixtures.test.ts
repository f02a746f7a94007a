import { readdirSync, readFileSync } from 'node:fs';
import type { DocumentNode, DocumentText } from '@bindery/contract';
import { parseDocument } from '@bindery/dialect';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import { createRenderer } from '@bindery/render';
import { afterAll, describe, expect, it } from 'vitest';
import { lettersOf, problemsIn } from '../support/render/judgeHtml.ts';
import { renderMarkdown } from '../support/render/renderMarkdown.ts';

const renderer = createRenderer();
afterAll(async () => renderer.close());

const pages = readdirSync(new URL('../fixtures/pages/', import.meta.url)).map(
  (name) => `test/fixtures/pages/${name}`,
);
const templates = readdirSync('packages/content/src/template', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `packages/content/src/template/${name}`);
const documents = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

describe('the HTML of a page', () => {
  it.each([...pages, ...templates, ...documents])('of %s has all its words in order', async (file) => {
    const body = Buffer.from(splitFrontmatter(readFileSync(file)).body).toString();
    const { html } = await renderMarkdown(renderer, body);
    expect(problemsIn(html)).toEqual([]);
    const [shown = '', notes = ''] = html.split(/<section class="notes[^>]*>/).map(lettersOf);
    const words: Words = { body: [], notes: [] };
    collect(parseDocument(body).nodes, words);
    expect(missingIn(shown, words.body)).toEqual([]);
    expect(missingIn(notes, words.notes)).toEqual([]);
  });
});

type Words = { body: string[]; notes: string[] };

/** Collects the words of a document, and those of its notes, without white space. */
function collect(nodes: readonly DocumentNode[], words: Words, place: keyof Words = 'body'): void {
  for (const node of nodes) {
    if (node.object === 'text') {
      for (const { text } of node.leaves)
        words[place].push(...text.split(/\s+/).filter((word) => word !== ''));
      continue;
    }
    const isNote = node.type === 'annotation';
    if (isNote) collect(node.nodes ?? [], words, place);
    collect(shownFragments(node), words, isNote ? 'notes' : place);
    if (!isNote) collect(node.nodes ?? [], words, place);
  }
}

/** Hidden columns are not shown. */
function shownFragments({ type, data, fragments = [] }: Exclude<DocumentNode, DocumentText>): DocumentNode[] {
  const view = type === 'table' ? (data?.['view'] as { columns: string[] }) : undefined;
  return fragments
    .filter(({ fragment = '' }) => view?.columns.some((column) => fragment.endsWith(column)) ?? true)
    .flatMap(({ nodes }) => nodes);
}

/** The words that do not follow those before them. */
function missingIn(text: string, words: readonly string[]): string[] {
  let from = 0;
  return words.filter((word) => {
    const at = text.indexOf(word, from);
    if (at >= 0) from = at + word.length;
    return at < 0;
  });
}
