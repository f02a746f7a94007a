import { describe, expect, it } from 'vitest';
import { writePage, type PageToWrite } from './writePage.ts';

/** Writes Markdown to a page that has this file. @returns the new title and file of the page */
function written(
  file: string,
  { title, markdown, given = {} }: { title: string; markdown: string; given?: PageToWrite['given'] },
) {
  const [, keys = '', body = ''] = /^(\uFEFF?(?:---\n[^]*?---\n)?)([^]*)$/.exec(file) ?? [];
  const result = writePage({
    given,
    markdown,
    page: { title },
    source: { frontmatter: Buffer.from(keys), body: Buffer.from(body) },
  });
  if ('problem' in result) throw new Error(result.problem);
  return {
    title: result.title,
    file: Buffer.concat([result.source.frontmatter, result.source.body]).toString(),
  };
}

describe('a new text for a page', () => {
  it.each([
    ['Getting Started', '# Getting started!\n\nA tpyo.\n', '# Getting started!\n\nA typo.\n'],
    ['Dup', '# DUP!\n\nText\n', '# DUP!\n\nText\n'],
    ['C', '# C#\n\nText\n', '# C#\n\nMore\n'],
    ['Overview', '# Drain\n\nText\n', '# Drain\n\nMore\n'],
    ['Label', '---\ntitle: Key\n---\n# LABEL\n\nText\n', '---\ntitle: Key\n---\n# LABEL\n\nMore\n'],
  ])('leaves the title %j alone when it begins as the file did, %j', (title, file, markdown) => {
    expect(written(file, { title, markdown })).toEqual({ title, file: markdown });
  });

  it.each([
    ['Getting Started', '# Getting started!\n', 'Getting started', 'Getting started'],
    ['Getting started', '# Getting started\n', 'Getting Started', 'Getting Started'],
    ['C', '# C\n', 'C#', 'C#'],
    // A heading where the title's line was not is a part of the document.
    ['C', '# C#\n', 'C++', 'C'],
    ['Set up', 'Text\n', 'Set Up!', 'Set up'],
    ['Set up', '# Welcome\n', 'Set Up!', 'Set up'],
  ])('renames a page %j of the file %j with the heading %j to %j', (title, file, heading, named) => {
    expect(written(file, { title, markdown: `# ${heading}\n\nText\n` })).toEqual({
      title: named,
      file: `# ${heading}\n\nText\n`,
    });
  });

  it.each([
    ['Text\n', '\uFEFF# T\n\nText\n', '# T\n\nText\n'],
    ['Text\n', '\uFEFF---\nicon: a\n---\n# T\n', '---\nicon: a\n---\n# T\n'],
    ['Text\n', '\uFEFF\uFEFF# T\n', '# T\n'],
    ['\uFEFF# T\n', '\uFEFF# T\n\nText\n', '\uFEFF# T\n\nText\n'],
    ['\uFEFF# T\n', '# T\n\nText\n', '\uFEFF# T\n\nText\n'],
    [
      '\uFEFF---\nicon: a\nlayout: b\n---\n# T\n',
      '\uFEFF---\nicon: b\n---\n# T\n',
      '\uFEFF---\nicon: b\nlayout: b\n---\n# T\n',
    ],
  ])('gives the file %j no byte order mark that it did not have: %j', (file, markdown, expected) => {
    expect(written(file, { title: 'T', markdown }).file).toBe(expected);
  });

  it('overrides the given title with its heading only if the file had the title as its heading', () => {
    const given = { title: 'Field' };
    expect(written('# SET UP\n', { title: 'Set up', markdown: '# SET UP\n\nText\n', given }).title).toBe(
      'Set up',
    );
    expect(written('# Welcome\n', { title: 'Set up', markdown: '# Welcome\n\nText\n', given }).title).toBe(
      'Field',
    );
    expect(written('# SET UP\n', { title: 'Set up', markdown: 'Text\n', given }).title).toBe('Field');
  });

  it('renames the page by its frontmatter only if that has a new title', () => {
    const titled = (title: string) =>
      written('---\ntitle: Old\n---\nText\n', {
        title: 'Label',
        markdown: `---\ntitle: ${title}\n---\nMore\n`,
      }).title;
    expect([titled('New'), titled('Old')]).toEqual(['New', 'Label']);
  });
});
