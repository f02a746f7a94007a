import { expect, it } from 'vitest';
import { createPathSpace } from './pathSpace.ts';
import { safeName, safeStem } from './safeNames.ts';

it('refuses unsafe paths, and paths that collide with a file or folder on some disk', () => {
  const space = createPathSpace(['docs/Ä.md', 'a/b.md']);
  for (const path of ['docs/Ä.md', 'DOCS/a\u0308.MD', 'docs', 'Docs', 'a/b.md/c.md'])
    expect([path, space.isFree(path)]).toEqual([path, false]);
  for (const path of ['../x', 'a/../b', '/x', 'a//b', './a', '.git/config', 'x/.GIT/y', '.git ./z'])
    expect([path, space.isFree(path)]).toEqual([path, false]);
  for (const path of ['docs/a.md', '.gitbook/x', '.gitignore', 'a/c.md', 'b.md'])
    expect([path, space.isFree(path)]).toEqual([path, true]);
  space.take('x/y/z.md');
  expect(space.isFree('X/Y')).toBe(false);
});

it('makes names that git and every disk accept', () => {
  expect(safeStem('.git/..//a.b/.gitbook')).toBe('_git/_/_/a.b/_gitbook');
  expect(safeName('../a:b?\u0000.png')).toBe('a-b-.png');
  expect(safeStem('con/Nul/com1/lpt9.x/console/com')).toBe('_con/_Nul/_com1/_lpt9.x/console/com');
  expect(['con.md', 'NUL.tar.gz', 'aux', 'contact.md'].map(safeName)).toEqual([
    '_con.md',
    '_NUL.tar.gz',
    '_aux',
    'contact.md',
  ]);
  expect(safeName('..')).toBe('file');
  expect(safeName('pic (1)@2x.png')).toBe('pic (1)@2x.png');
  expect(Buffer.byteLength(safeName(`${'日'.repeat(250)}.png`))).toBeLessThanOrEqual(200);
});
