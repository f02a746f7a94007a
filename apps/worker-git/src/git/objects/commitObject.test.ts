import { describe, expect, it } from 'vitest';

import { commitBytes } from './commitObject.ts';

const commit = {
  tree: 'a'.repeat(40),
  author: { name: 'Ada', email: 'ada@example.com' },
  at: 1_700_000_000,
  message: 'Change',
};

describe('a commit', () => {
  it('has an author, a committer and one time', () => {
    expect(commitBytes(commit).toString()).toBe(
      `tree ${'a'.repeat(40)}\nauthor Ada <ada@example.com> 1700000000 +0000\ncommitter bindery-bot <bot@bindery.invalid> 1700000000 +0000\n\nChange\n`,
    );
    expect(commitBytes({ ...commit, parent: 'b'.repeat(40) }).toString()).toContain(
      `\nparent ${'b'.repeat(40)}\nauthor `,
    );
  });

  it.each([
    ['a\nparent x', 'a parent x'],
    ['<b>', 'b'],
    [' \u0000\u007f ', 'Unknown'],
    ['', 'Unknown'],
    ['Zoë\ud800', 'Zoë\ufffd'],
    ['a \t b', 'a b'],
  ])('removes characters that would end a name: %j', (name, cleaned) => {
    expect(commitBytes({ ...commit, author: { name, email: 'a@b' } }).toString()).toContain(
      `\nauthor ${cleaned} <a@b> 17`,
    );
  });

  it.each([
    ['', 'unknown@bindery.invalid'],
    ['x@y> 1 +0000\ncommitter z', 'x@y1+0000committerz'],
  ])('removes characters that would end an e-mail address: %j', (email, cleaned) => {
    expect(commitBytes({ ...commit, author: { name: 'Ada', email } }).toString()).toContain(
      `\nauthor Ada <${cleaned}> 17`,
    );
  });

  it('removes characters from a message that confuse readers', () => {
    const message = '\n\nTitle\r\n\r\n- one\r- two\u0000\u001b[31m\ttab\n\nKey: value\n\n';
    expect(
      commitBytes({ ...commit, message })
        .toString()
        .split('\n\n')
        .slice(1)
        .join('\n\n'),
    ).toBe('Title\n\n- one\n- two[31m\ttab\n\nKey: value\n');
  });
});
