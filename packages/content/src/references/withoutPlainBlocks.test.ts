import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { markup, wholePage } from '../../../../test/support/randomMarkdown.ts';
import { factsOfText, factsOfWhole } from './factsOfText.ts';
import { withoutPlainBlocks } from './withoutPlainBlocks.ts';

const fixtures = new URL('../../../../test/fixtures/pages/', import.meta.url);
const pages = readdirSync(fixtures).map((name) => [name, readFileSync(new URL(name, fixtures), 'utf8')]);

const expectSameFacts = (page: string) => {
  expect(factsOfText(page)).toEqual(factsOfWhole(page));
};

describe('a page without its plain blocks', () => {
  it('keeps blocks with links, headings and tags, and the blocks that belong to them', () => {
    const page = [
      'Words, *marks* and `code`.',
      '## A heading',
      'Words with a [link](a.md).',
      '```js\n[no](link)\n```',
      '* one\n* two',
      '* three\n\n  more of it',
      '| a |\n| - |\n| b |',
      'A heading\n---',
      '> ### Another one',
    ];
    expect(withoutPlainBlocks(`${page.join('\n\n')}\n`)).toBe(
      [
        'x',
        '## A heading',
        'Words with a [link](a.md).',
        'x',
        '* three\n\n  more of it',
        'x',
        'A heading\n---',
        '> ### Another one\n',
      ].join('\n\n'),
    );
  });

  it('keeps everything after a block that may not have ended', () => {
    for (const start of ['<div>', '{% hint %}', '<!-- a', '<script>', '$$ a', '   ```', '```a\n\n    ```']) {
      const page = `Words.\n\n${start}\n\nMore words.\n`;
      expect(withoutPlainBlocks(page)).toContain('More words.');
    }
  });

  it.each(pages)('has the facts of the page: %s', (_name, page) => expectSameFacts(page as string));

  it('has the facts of any page', () => {
    const words = fc.constantFrom(
      'Words.',
      '* item\n* item',
      '1. first',
      '    code',
      '  more',
      '```\ncode\n```',
      '[a](b.md)',
      '* [a](b.md)',
      '    [a](b.md)',
      '> words',
      'https://a.example',
      'a@b.example',
      '[^1]: note',
      'x\n===',
      '',
    );
    const parts = fc.array(fc.oneof(words, markup, wholePage), { maxLength: 8 });
    fc.assert(
      fc.property(parts, (given) => expectSameFacts(given.join('\n\n'))),
      { numRuns: 200 },
    );
  });

  it('takes linear time', () => {
    for (const piece of ['<a ', '{% a ', '$$', '> ', '- ', '```\n', '<!--', '\n\n', '1.', '#'])
      expect(withoutPlainBlocks(piece.repeat(20_000))).toBeTypeOf('string');
  });
});
