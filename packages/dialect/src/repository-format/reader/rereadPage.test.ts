import { describe, expect, it } from 'vitest';
import { rereadPage } from './rereadPage.ts';
import { scanPage } from '../scanPage.ts';

const scan = (text: string) => scanPage(new TextEncoder().encode(text));
const file = { path: 'docs/a-page.md', oid: '2'.repeat(40) };

describe('a page that is read again', () => {
  it('has the current fields of its file and the navigation', () => {
    const after = scan('---\ndescription: Short\nhidden: true\n---\n\n# New title\n');
    expect(rereadPage({ ...file, label: 'Old title' }, { before: scan('# Old title\n'), after })).toEqual({
      title: 'Old title',
      git: { oid: file.oid, path: file.path },
      description: 'Short',
      hidden: true,
      noIndex: false,
      noRobotsIndex: false,
      layout: {},
    });
  });

  it.each([
    [{}, 'a-page', undefined],
    [{ label: 'Label' }, 'Label', undefined],
    [{ label: 'Label', linkTitle: 'Short' }, 'Label', 'Short'],
  ])('has the title of the navigation %j when its heading is removed', (named, title, linkTitle) => {
    const page = rereadPage({ ...file, ...named }, { before: scan('# Old\n'), after: scan('Text.\n') });
    expect([page?.title, page?.linkTitle]).toEqual([title, linkTitle]);
  });

  it.each([
    ['leads to another file', '![](a.png)', '![](b.png)'],
    ['leads to a file no more', '![](a.png)', 'Text.'],
    ['has a cover', '# A', '---\ncover: a.png\n---\n\n# A'],
    ['has its cover elsewhere', '---\ncover: a.png\n---\n\n# A', '---\ncover: a.png\ncoverY: 5\n---\n\n# A'],
    ['has a problem', '# A', '---\nlayout: 3\n---\n\n# A'],
  ])('affects other pages or files when it %s', (_, before, after) => {
    expect(rereadPage(file, { before: scan(before), after: scan(after) })).toBeUndefined();
    expect(rereadPage(file, { before: scan(after), after: scan(before) })).toBeUndefined();
    expect(rereadPage(file, { before: scan(after), after: scan(`${after}\n\nMore text.\n`) })).toBeDefined();
  });

  it('is not compared with facts of another version', () => {
    const facts = scan('# A\n');
    expect(
      rereadPage(file, { before: { ...facts, version: facts.version - 1 }, after: facts }),
    ).toBeUndefined();
  });
});
