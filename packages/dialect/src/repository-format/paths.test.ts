import { describe, expect, it } from 'vitest';
import { pagePathOfFile, resolvePath, slugOfTitle } from './paths.ts';
import { percentDecoded } from '../links/percentDecoded.ts';

describe('pagePathOfFile', () => {
  it.each([
    ['README.md', ''],
    ['a.md', 'a'],
    ['Guides/README.md', 'guides'],
    ['guides/Beds (1).md', 'guides/beds-1-'],
    ['guides/a + b/c.md', 'guides/a-b/c'],
    ['guides/elsa-server-+-studio.md', 'guides/elsa-server-studio'],
    ['guides/v1.2_final.md', 'guides/v1.2_final'],
    ['温室/概要.md', '温室/概要'],
    ['ТЕПЛИЦА/Лето.md', 'теплица/лето'],
    ['हिन्दी/नमस्ते.md', 'हिन्दी/नमस्ते'],
    ['Pe\u0301pinie\u0300re.md', 'p\u00e9pini\u00e8re'],
    ['readme.md', 'readme'],
    ['a/readme.md', 'a/readme'],
    ['!!!.md', '-'],
    ['a.markdown', 'a'],
    ['a.md.md', 'a.md'],
  ])('puts %s at “%s”', (file, path) => {
    expect(pagePathOfFile(file, { root: '', landing: 'README.md' })).toBe(path);
  });

  it('is relative to the content root', () => {
    expect(pagePathOfFile('docs/en/a/README.md', { root: 'docs/en', landing: undefined })).toBe('a');
    expect(pagePathOfFile('docs/en/README.md', { root: 'docs/en', landing: undefined })).toBe('');
  });

  it('gives the empty path to the configured landing page, and `readme` to the README next to it', () => {
    const place = { root: '', landing: 'start/INTRO.md' };
    expect(pagePathOfFile('start/INTRO.md', place)).toBe('');
    expect(pagePathOfFile('README.md', place)).toBe('readme');
  });
});

describe('resolvePath', () => {
  it.each([
    ['', 'a/b.md', 'a/b.md'],
    ['a', '../b', 'b'],
    ['a', './/b/./c/', 'a/b/c'],
    ['a', '/b', 'a/b'],
    ['a', '../../b', undefined],
    ['', '..', undefined],
    ['a', 'b\\c', undefined],
    ['a', 'b\0c', undefined],
    ['a', '..', ''],
  ])('resolves from “%s” the target “%s” to %s', (folder, target, path) => {
    expect(resolvePath(folder, target)).toBe(path);
  });
});

it('decodes percent signs, and keeps malformed ones', () => {
  expect(percentDecoded('a%20b%E6%B8%A9')).toBe('a b温');
  expect(percentDecoded('100%')).toBeUndefined();
  expect(percentDecoded('%ff')).toBeUndefined();
});

it.each([
  ['Guides & more', 'guides-more'],
  ['Pépinière Ångström', 'pepiniere-angstrom'],
  ['がんばる', 'がんばる'],
  ['  🌱 ', 'group'],
  ['—', 'group'],
  ['x'.repeat(150), 'x'.repeat(100)],
])('makes a slug of the title “%s”', (title, slug) => {
  expect(slugOfTitle(title, 'group')).toBe(slug);
});
