import { describe, expect, it } from 'vitest';
import { pagesInMemory } from '../../../../test/support/pagesInMemory.ts';
import {
  foldersOfTarget,
  folderOf,
  isMarkdown,
  join,
  pagePathOfFile,
  indexRepository,
} from '@bindery/dialect/repository-format';
import type { FileItem, PageItem } from '../store/items.ts';
import { createResolver } from './createResolver.ts';

// An import resolves links to decide which files a space has; later readers of the links must resolve them
// the same way.

const names = [
  'README.md',
  'a.md',
  'a b.md',
  'a#1.md',
  '100%.md',
  'größe.md',
  'Größe.md',
  'x.md',
  'x/README.md',
  'x/c.md',
  'x/y/README.md',
];
const files = ['pic.png', 'x/a b.png', 'x/doc.pdf', '.gitbook/assets/1.png'];
const steps = ['', './', '../', '/', 'x/', '../x/', '/x/', 'x/../', '../../', './x/./'];
const written = [
  ...[
    'README.md',
    'a.md',
    'a',
    'a b.md',
    'a%20b.md',
    'a%20b',
    'a#1.md',
    'a%231.md',
    '100%.md',
    '100%25.md',
    'größe.md',
    'gr%C3%B6%C3%9Fe.md',
  ],
  ...[
    'Größe.md',
    'A.md',
    'x',
    'x/',
    'c',
    'c.md',
    'y',
    'y/',
    'y/README.md',
    'pic.png',
    'a b.png',
    'a%20b.png',
    'doc.pdf',
    'gone.md',
    '%zz.md',
    '.',
  ],
];

describe.each(['', 'docs', 'docs/en'])('in the content root %j', (root) => {
  const entries = new Map(
    [...names, ...files].map((name) => {
      const path = join(root, name);
      return [path, { path, oid: path, mode: '100644' }] as const;
    }),
  );
  const repository = indexRepository(entries);
  const pages = names.map((name) => join(root, name));
  const tree = pagesInMemory(
    pages.map((git) => ({
      id: git,
      git,
      path: pagePathOfFile(git, { root, landing: join(root, 'README.md') }),
    })),
  );
  const fileItems = files.map((name) => ({
    id: join(root, name),
    name,
    git: { oid: '', path: join(root, name) },
  })) as FileItem[];

  it.each(pages)('links of %s lead where an import resolves them', (from) => {
    const page = tree.page(from)?.page as PageItem;
    const resolve = createResolver({
      organization: 'o',
      space: 's',
      tree,
      files: fileItems,
      reusableContents: [],
      from: { page },
    });
    for (const target of steps.flatMap((step) => written.map((name) => step + name))) {
      const places = { folders: foldersOfTarget(target, { root, folder: folderOf(from) }), roots: [root] };
      const followed = repository.followPageLink(target, places);
      const found =
        typeof followed === 'object'
          ? followed
          : { entry: repository.followFileLink(target, places), anchor: undefined };
      expect([target, resolve(target, 'link')]).toEqual([
        target,
        referenceTo(found.entry?.path, found.anchor),
      ]);
      const file = repository.followFileLink(target, places);
      expect([target, resolve(target, 'image')]).toEqual([target, referenceTo(file?.path, undefined)]);
    }
  });
});

function referenceTo(path: string | undefined, anchor: string | undefined): object | undefined {
  if (path === undefined) return undefined;
  if (!isMarkdown(path)) return { kind: 'file', file: path };
  return anchor === undefined ? { kind: 'page', page: path } : { kind: 'anchor', anchor, page: path };
}
