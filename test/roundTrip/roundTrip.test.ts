import { readdirSync, readFileSync } from 'node:fs';
import { documentToMarkdown, parseDocument } from '@bindery/dialect';
import { describe, expect, it } from 'vitest';
import { roundTripOf } from './roundTrip.ts';

const folder = new URL('../fixtures/pages/', import.meta.url);
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
const sourceOf = (page: string) => readFileSync(new URL(page, folder), 'utf8');

/** A method of an API in a form that is no longer written becomes a heading and a line of code. */
const added: Record<string, object> = {
  'malformed.md': {
    headings: ['+ The oldest form', '(order)'],
    codeLines: ['+ GET https://example.org/old'],
  },
};

describe('a page after a round trip through the document tree', () => {
  it.each(pages)(
    '%s is stable after one pass and loses no word, heading, line of code, link or image',
    (page) => {
      const { markdown: _markdown, ...differences } = roundTripOf(sourceOf(page));
      expect(differences).toEqual({
        wordsLost: [],
        headings: [],
        codeLines: [],
        links: [],
        images: [],
        ...added[page],
      });
    },
  );

  it.each(pages.filter((page) => page.startsWith('normal-')))(
    '%s in the normal form is unchanged',
    (page) => {
      expect(documentToMarkdown(parseDocument(sourceOf(page)))).toBe(sourceOf(page));
    },
  );

  it('is unchanged except for Windows line endings', () => {
    const source = sourceOf('normal-blocks.md');
    expect(documentToMarkdown(parseDocument(source.replaceAll('\n', '\r\n')))).toBe(source);
  });
});
