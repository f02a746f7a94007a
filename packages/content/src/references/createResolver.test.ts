import { describe, expect, it } from 'vitest';
import { pagesInMemory } from '../../../../test/support/pagesInMemory.ts';
import type { ContentReference, LinkUse } from '@bindery/dialect/links';
import type { FileItem, PageItem, ReusableContentItem } from '../store/items.ts';
import { createResolver, type ReferenceContext } from './createResolver.ts';
import { targetOf } from './targetOf.ts';

const unknownId = 'a1b2c3d4e5f6g7h8i9j0';
const tree = pagesInMemory([
  { id: 'home', path: '', git: 'docs/README.md' },
  {
    id: 'guide',
    git: 'docs/guide/README.md',
    pages: [
      { id: 'setup', path: 'guide/setup', git: 'docs/guide/setup.md' },
      { id: 'odd', path: 'guide/a-b-1-', git: 'docs/guide/a b (1).md' },
      { id: 'umlaut', path: 'guide/größe', git: 'docs/guide/Größe.md'.normalize('NFD') },
    ],
  },
  { id: 'under', path: 'under_score', git: 'docs/under_score.md' },
  {
    id: 'group',
    type: 'group',
    pages: [
      { id: 'new', path: 'group/new' },
      { id: 'newer', path: 'group/newer' },
    ],
  },
]);
const files = [
  { id: 'picture', name: 'a b.png', git: { oid: '', path: 'docs/.gitbook/assets/a b.png' } },
  { id: 'archive', name: 'x.zip', git: { oid: '', path: 'docs/guide/x.zip' } },
  { id: 'upload', name: 'up.png' },
] as FileItem[];
const reusableContents = [
  { id: 'include', title: 'Note', document: '', git: { oid: '', path: '.gitbook/includes/note.md' } },
] as ReusableContentItem[];
const other = pagesInMemory([
  { id: 'there', path: 'over/there' },
  { id: 'landing', path: 'start' },
]);

const context = (from?: string): ReferenceContext => ({
  organization: 'o',
  space: 'own',
  tree,
  files,
  reusableContents,
  from: { page: from === undefined ? undefined : (tree.page(from)?.page as PageItem) },
  spaces: new Map([['other', other]]),
  appUrl: 'https://docs.example',
});
const resolve = (target: string, from = 'setup', use: LinkUse = 'link') =>
  createResolver(context(from))(target, use);
const page = (id: string) => ({ kind: 'page', page: id });

describe('a path', () => {
  it.each([
    ['README.md', page('guide')],
    ['./', page('guide')],
    ['../', page('home')],
    ['..', page('home')],
    ['../guide', page('guide')],
    ['../README.md', page('home')],
    ['../under\\_score.md', page('under')],
    ['/under_score.md', page('under')],
    ['/guide/setup', page('setup')],
    ['setup.md?a=b', page('setup')],
    ['setup.md#one', { kind: 'anchor', anchor: 'one', page: 'setup' }],
    ['setup.md?a=b#one', { kind: 'anchor', anchor: 'one', page: 'setup' }],
    ['setup.md#gr%C3%B6%C3%9Fe', { kind: 'anchor', anchor: 'größe', page: 'setup' }],
    ['a%20b%20(1).md', page('odd')],
    ['a b (1).md', page('odd')],
    ['Größe.md', page('umlaut')],
    ['../group/new.md', page('new')],
    ['../group/new/README.md', page('new')],
    ['x.zip', { kind: 'file', file: 'archive' }],
    ['x.zip?raw=true', { kind: 'file', file: 'archive' }],
    ['/.gitbook/assets/a%20b.png', { kind: 'file', file: 'picture' }],
    ['../.gitbook/assets/a b.png', { kind: 'file', file: 'picture' }],
    ['../.gitbook/assets/up.png', { kind: 'file', file: 'upload' }],
    ['/.gitbook/includes/note.md', { kind: 'reusable-content', reusableContent: 'include' }],
    ['../../.gitbook/includes/note.md', { kind: 'reusable-content', reusableContent: 'include' }],
  ])('%j leads where an import resolves it', (target, expected) => {
    expect(resolve(target)).toEqual(expected);
  });

  it.each([
    'gone.md',
    'Setup.md',
    '../../../x.md',
    '/docs/guide/setup.md',
    'guide.md',
    '',
    'broken-reference',
    '?x',
    'a\nb',
  ])('%j leads nowhere', (target) => {
    expect(resolve(target)).toBeUndefined();
  });

  it('of a page without a file is resolved from where its file would be', () => {
    expect(resolve('newer.md', 'new')).toEqual(page('newer'));
    expect(resolve('../guide/setup.md', 'new')).toEqual(page('setup'));
  });

  it('is resolved from the file of the reusable content that contains it', () => {
    const inside = createResolver({ ...context(), from: { reusableContent: reusableContents[0] } });
    expect(inside('../../docs/guide/setup.md', 'link')).toEqual(page('setup'));
    expect(inside('note.md', 'reusable-content')).toEqual({
      kind: 'reusable-content',
      reusableContent: 'include',
    });
  });

  it('is a picture only if it leads to a file', () => {
    expect(resolve('setup.md', 'setup', 'image')).toBeUndefined();
    expect(resolve('x.zip', 'setup', 'file')).toEqual({ kind: 'file', file: 'archive' });
    expect(resolve('x.zip', 'setup', 'reusable-content')).toBeUndefined();
  });
});

describe("a target in the platform's form", () => {
  it.each([
    ['/pages/setup', page('setup')],
    ['/pages/setup#one', { kind: 'anchor', anchor: 'one', page: 'setup' }],
    ['/pages/guide/setup', page('setup')],
    ['/pages/guide/gr%C3%B6%C3%9Fe', page('umlaut')],
    ['/files/upload', { kind: 'file', file: 'upload' }],
    ['/reusable-contents/include', { kind: 'reusable-content', reusableContent: 'include' }],
    ['/users/u1', { kind: 'user', user: 'u1' }],
    ['/collections/c1', { kind: 'collection', collection: 'c1' }],
    ['/openapi/petstore', { kind: 'openapi', spec: 'petstore' }],
    ['/spaces/any', { kind: 'space', space: 'any' }],
    ['/spaces/other/pages/there', { ...page('there'), space: 'other' }],
    ['/spaces/own/pages/setup', page('setup')],
    ['#here', { kind: 'anchor', anchor: 'here' }],
    ['#', page('setup')],
    ['https://app.gitbook.com/s/other/over/there', { ...page('there'), space: 'other' }],
    [
      'https://app.gitbook.com/o/x/s/other/over/there#a',
      { kind: 'anchor', anchor: 'a', page: 'there', space: 'other' },
    ],
    ['https://app.gitbook.com/s/other/', { kind: 'space', space: 'other' }],
    ['https://docs.example/s/other/~/pages/there', { ...page('there'), space: 'other' }],
    ['https://docs.example/s/own/guide/setup', page('setup')],
    ['https://docs.example/c/c1', { kind: 'collection', collection: 'c1' }],
  ])('%j', (target, expected) => {
    expect(resolve(target)).toEqual(expected);
  });

  it.each([
    'https://app.gitbook.com/s/strange/over/there',
    'https://docs.example/s/other/nowhere',
    'https://docs.example.org/s/other/over/there',
    'https://example.org/#x',
    'mailto:a@b.c',
    '//host/x',
  ])('%j stays a URL', (url) => {
    expect(resolve(url)).toEqual({ kind: 'url', url });
  });

  it.each([
    ['/broken/pages/Xx', page('Xx')],
    ['/broken/pages/Xx#a', { kind: 'anchor', anchor: 'a', page: 'Xx' }],
    ['/broken/spaces/Xx', { kind: 'space', space: 'Xx' }],
    ['/broken/spaces/Xx/pages/Yy', { ...page('Yy'), space: 'Xx' }],
    ['/broken/files/Xx', { kind: 'file', file: 'Xx' }],
    [`/pages/${unknownId}`, page(unknownId)],
    [`/files/${unknownId}`, { kind: 'file', file: unknownId }],
  ])('%j is kept as a dangling reference', (target, expected) => {
    expect(resolve(target)).toEqual(expected);
  });

  it('names a specification by its slug', () => {
    expect(resolve('petstore', 'setup', 'openapi')).toEqual({ kind: 'openapi', spec: 'petstore' });
    expect(resolve('x.zip', 'setup', 'file')).toEqual({ kind: 'file', file: 'archive' });
  });
});

const ofPage = (id: string) => ({ kind: 'page' as const, page: id });
const written: [from: string, ref: ContentReference, target: string][] = [
  ['setup', ofPage('odd'), 'a%20b%20%281%29.md'],
  ['setup', ofPage('home'), '../README.md'],
  ['setup', { kind: 'anchor', anchor: 'x', page: 'guide' }, 'README.md#x'],
  ['setup', { kind: 'anchor', anchor: 'x' }, '#x'],
  ['setup', ofPage('new'), '../group/new.md'],
  ['new', ofPage('setup'), '../guide/setup.md'],
  ['home', { kind: 'file', file: 'picture' }, '.gitbook/assets/a%20b.png'],
  ['setup', { kind: 'file', file: 'upload' }, '../.gitbook/assets/up.png'],
  ['setup', { kind: 'reusable-content', reusableContent: 'include' }, '../../.gitbook/includes/note.md'],
  ['setup', ofPage('group'), '/pages/group'],
  ['setup', ofPage('gone'), '/broken/pages/gone'],
  ['setup', { kind: 'file', file: 'gone' }, '/broken/files/gone'],
  ['setup', { ...ofPage('there'), space: 'other' }, '/spaces/other/pages/there'],
  ['setup', { kind: 'url', url: 'https://x.org' }, 'https://x.org'],
];

describe('writing a reference', () => {
  it.each(written)('from %s: %j is %j', (from, ref, expected) => {
    const use = ref.kind === 'reusable-content' ? 'reusable-content' : 'link';
    expect(targetOf(ref, 'relative', context(from))).toBe(expected);
    expect(resolve(expected, from, use)).toEqual(ref);
    // A missing object without an id of the usual form is ambiguous.
    if (!JSON.stringify(ref).includes('gone'))
      expect(resolve(targetOf(ref, 'stable', context(from)), from, use)).toEqual(ref);
  });
});
