import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanPage } from '../repository-format/scanPage.ts';
import { splitFrontmatter } from '../frontmatter/splitFrontmatter.ts';
import { writePageSource, type PageChanges } from './pageSource.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'utf8'));
const sourceOf = (file: string) => splitFrontmatter(bytes(file));
const fileOf = ({ frontmatter, body }: { frontmatter: Uint8Array; body: Uint8Array }) =>
  Buffer.concat([frontmatter, body]);
const edited = (file: string, changes: PageChanges) =>
  fileOf(writePageSource(sourceOf(file), changes)).toString('utf8');

describe('writing the file of a page', () => {
  it.each<[string, string, PageChanges, string]>([
    ['makes a page of nothing', '', { title: 'A', body: 'b' }, '# A\n\nb\n'],
    ['makes frontmatter', '# A\n\nb\n', { icon: 'bolt' }, '---\nicon: bolt\n---\n\n# A\n\nb\n'],
    [
      'adds a key',
      '---\nx: 1 # one\n---\n\n# A\n',
      { description: 'd' },
      '---\nx: 1 # one\ndescription: d\n---\n\n# A\n',
    ],
    [
      'changes one key and no other byte',
      '---\n# c\n"description": \'old\' # why\nx:   [1,2]   \n\nicon: a\n---\n# A\n',
      { description: 'new: x' },
      '---\n# c\n"description": "new: x" # why\nx:   [1,2]   \n\nicon: a\n---\n# A\n',
    ],
    [
      'replaces folded text',
      '---\ndescription: >-\n  a\n  b\nicon: x\n---\n',
      { description: 'c' },
      '---\ndescription: c\nicon: x\n---\n',
    ],
    [
      'fills a key without a value',
      '---\nicon:\nx: 1\n---\n',
      { icon: 'bolt' },
      '---\nicon: bolt\nx: 1\n---\n',
    ],
    [
      'takes a key away',
      '---\nicon: bolt # c\nhidden: true\n---\n\n# A\n',
      { hidden: false },
      '---\nicon: bolt # c\n---\n\n# A\n',
    ],
    ['takes empty frontmatter away', '---\nhidden: true\n---\n\n# A\n', { hidden: false }, '# A\n'],
    ['keeps a comment', '---\n# c\nhidden: true\n---\n', { hidden: false }, '---\n# c\n---\n'],
    [
      'keeps a line that says the same',
      '---\nhidden: "true"\nemoji: 📖\n---\n',
      { hidden: true, emoji: '1f4d6' },
      '---\nhidden: "true"\nemoji: 📖\n---\n',
    ],
    ['writes emoji as they are', '', { emoji: '1f4d6' }, '---\nemoji: 📖\n---\n'],
    [
      'calls a condition `if`',
      '',
      { condition: 'visitor.claims.a == "b"' },
      '---\nif: visitor.claims.a == "b"\n---\n',
    ],
    [
      'keeps CRLF',
      '---\r\nx: 1\r\n---\r\n\r\n# A\r\n\r\nb\r\n',
      { icon: 'i', title: 'T' },
      '---\r\nx: 1\r\nicon: i\r\n---\r\n\r\n# T\r\n\r\nb\r\n',
    ],
    ['writes a body with the line ends of the file', '# A\r\n', { body: 'b\nc\n' }, '# A\r\n\r\nb\r\nc\r\n'],
    ['keeps a byte order mark', '\ufeff# A\n', { icon: 'i' }, '\ufeff---\nicon: i\n---\n\n# A\n'],
    ['replaces a title', '\n#  Old  #\n\nb\n', { title: 'New *x*' }, '\n# New \\*x\\*\n\nb\n'],
    ['replaces an underlined title', 'Old\ntitle\n===\nb\n', { title: 'New' }, '# New\nb\n'],
    [
      'keeps the anchor of a title',
      '# Old <a href="#x" id="x"></a>\n',
      { title: 'New' },
      '# New <a href="#x" id="x"></a>\n',
    ],
    [
      'leaves a heading that is not the first block',
      'intro\n\n# Old\n\nb\n',
      { title: 'New' },
      '# New\n\nintro\n\n# Old\n\nb\n',
    ],
    [
      'leaves a heading that says something else',
      '# Other\n\nb\n',
      { title: 'New', titlesBefore: ['Old'] },
      '# Other\n\nb\n',
    ],
    [
      'replaces a title with the same words',
      '# OLD: title\n',
      { title: 'New', titlesBefore: ['Old title'] },
      '# New\n',
    ],
    [
      'keeps a title with the same words',
      '# OLD\n\na\n',
      { title: 'Old', titlesBefore: ['Old'], body: 'b' },
      '# OLD\n\nb\n',
    ],
    [
      'writes the title above a body',
      '# Other\n\na\n',
      { title: 'Old', titlesBefore: ['Old'], body: 'b' },
      '# Old\n\nb\n',
    ],
    ['keeps the letters of a title', '# Voilà \n\na\n', { body: 'b' }, '# Voilà\n\nb\n'],
    ['adds a title', '---\nx: 1\n---\n\nb\n', { title: 'New' }, '---\nx: 1\n---\n\n# New\n\nb\n'],
    ['leaves a title that says the same', '# A _b_\n', { title: 'A b' }, '# A _b_\n'],
    ['keeps the title when the body changes', '# A _b_\n\nold\n', { body: 'new' }, '# A _b_\n\nnew\n'],
    ['changes keys in braces', '---\n{x: 1, icon: a}\n---\n', { icon: 'b' }, '---\n{ x: 1, icon: b }\n---\n'],
    ['keeps unreadable frontmatter', '---\na: [\n---\n\n# A\n', { title: 'B' }, '---\na: [\n---\n\n# B\n'],
    [
      'keeps unreadable frontmatter as comments',
      '---\na: [\nb\n---\n\n# A\n',
      { icon: 'i' },
      '---\n# a: [\n# b\nicon: i\n---\n\n# A\n',
    ],
    ['sees to it that a divider stays one', '', { body: '---\n\na\n\n---\n' }, '\n---\n\na\n\n---\n'],
    ['ends the line of the frontmatter', '---\nx: 1\n---', { title: 'A' }, '---\nx: 1\n---\n# A\n'],
  ])('%s', (_what, file, changes, expected) => {
    expect(edited(file, changes)).toBe(expected);
  });

  it('folds long text as GitBook does', () => {
    const description = 'word '.repeat(30).trim();
    const file = edited('# A\n', { description });
    expect(file).toMatch(/^---\ndescription: >-\n {2}word .*\n {2}word/);
    expect(scanPage(bytes(file)).frontmatter).toEqual({ description });
  });

  it('keeps bytes that are not UTF-8', () => {
    const file = new Uint8Array(
      Buffer.concat([
        bytes('---\nx: '),
        Buffer.from([0xff, 0xfe]),
        bytes('\nicon: a\n---\n# A\n\n'),
        Buffer.from([0xe9]),
        bytes(' b\n'),
      ]),
    );
    const result = fileOf(writePageSource(splitFrontmatter(file), { icon: 'b', title: 'Ü' }));
    expect(result).toEqual(
      Buffer.concat([
        bytes('---\nx: '),
        Buffer.from([0xff, 0xfe]),
        bytes('\nicon: b\n---\n# Ü\n\n'),
        Buffer.from([0xe9]),
        bytes(' b\n'),
      ]),
    );
  });

  it('does not change frontmatter beyond the size limit', () => {
    const file = `---\nx: ${'a'.repeat(70_000)}\n---\n# A\n`;
    expect(edited(file, { icon: 'b' })).toBe(file);
  });

  const text = fc.string({
    unit: fc.constantFrom(...Array.from('ab1 :#-\'"|>{}[]&*!%@`\\\n,?~éß🙂\t')),
    maxLength: 90,
  });
  const oneLine = text.map((value) => value.replaceAll(/\s+/g, ' ').trim());
  const entry = fc.oneof(
    fc.constantFrom(
      'x: 1',
      'y: "q" # c',
      '# comment',
      'list:\n  - a\n  - b',
      'z: |\n  a\n\n  b',
      'description: old',
      'description: >-\n  a\n  b # no\n',
      'icon: i # c',
      'hidden: true',
      'hidden:',
      'if: a',
      'tags: [a, b]',
      '',
      'broken: [',
    ),
  );
  const files = fc
    .tuple(
      fc.array(entry, { maxLength: 5 }),
      fc.constantFrom('', '# Old\n\nb\n', '\n\nintro\n\n# Old\n', 'b'),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
    )
    .map(([entries, body, eol, hasKeys]) =>
      ((hasKeys ? `---\n${entries.map((each) => `${each}\n`).join('')}---\n` : '') + body).replaceAll(
        '\n',
        eol,
      ),
    );
  const changes = fc.record(
    {
      title: oneLine.filter((value) => /[a-z]/.test(value)),
      description: text,
      icon: fc.constantFrom('', 'bolt'),
      hidden: fc.boolean(),
      noIndex: fc.boolean(),
      condition: oneLine,
      emoji: fc.constantFrom('', '1f4d6'),
    },
    { requiredKeys: [] },
  );

  it('is read as the given values, and unchanged by a second run', () => {
    fc.assert(
      fc.property(files, changes, (file, asked) => {
        const result = edited(file, asked);
        const facts = scanPage(bytes(result));
        const found = facts.frontmatter ?? {};
        if (asked.title !== undefined) expect(facts.h1).toBe(asked.title);
        for (const name of ['description', 'icon', 'condition', 'emoji'] as const) {
          const value = asked[name];
          if (value !== undefined) expect([name, found[name] ?? '']).toEqual([name, value.trim()]);
        }
        for (const name of ['hidden', 'noIndex'] as const)
          if (asked[name] !== undefined) expect(found[name] ?? false).toBe(asked[name]);
        expect(edited(result, asked)).toBe(result);
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps all other lines', () => {
    fc.assert(
      fc.property(files, changes, (file, asked) => {
        const result = edited(file, { ...asked, icon: 'bolt' });
        for (const line of ['x: 1', 'y: "q" # c', '# comment', '  - b', 'tags: [a, b]', 'broken: ['])
          if (file.includes(line)) expect(result).toContain(line);
      }),
      { numRuns: 500 },
    );
  });
});
