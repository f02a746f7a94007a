import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ObjectStore } from './objectStore.ts';
import { listTree } from './tree.ts';
import { bound } from '../../../../../test/support/machine.ts';

let folder: string;
let store: ObjectStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bindery-tree-'));
  store = new ObjectStore(join(folder, 'objects'), 50_000_000);
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const blobOid = 'ab'.repeat(20);

describe('listTree', () => {
  it('lists regular files by their path from the root', () => {
    const docs = tree(['100644 a.md'], ['100755 run.sh'], ['100664 old.md']);
    const { files, skipped } = list(tree(['40000 docs', docs], ['100644 README.md']));
    expect([...files.values()]).toEqual([
      { path: 'docs/a.md', oid: blobOid, mode: '100644' },
      { path: 'docs/run.sh', oid: blobOid, mode: '100755' },
      { path: 'docs/old.md', oid: blobOid, mode: '100644' },
      { path: 'README.md', oid: blobOid, mode: '100644' },
    ]);
    expect(skipped).toEqual([]);
  });

  it('skips symbolic links, submodules and names that are not text, and reports them', () => {
    const { files, skipped } = list(
      tree(['120000 link'], ['160000 module'], [Buffer.from('100644 caf\xe9.md', 'latin1')], ['100644 a.md']),
    );
    expect([...files.keys()]).toEqual(['a.md']);
    expect(skipped.map(({ path }) => path)).toEqual(['link', 'module', 'caf\ufffd.md']);
  });

  it('keeps names that only look dangerous', () => {
    const names = [
      ...[
        '__proto__',
        'constructor',
        '...',
        '.gitignore',
        '.gitbook',
        '.github',
        'git',
        'git~2',
        'my.git',
        'README.md',
        'readme.md',
      ],
      ...[
        'a\\b.md',
        'C:',
        'CON',
        'NUL.md',
        'page. ',
        ' page',
        'é.md',
        'e\u0301.md',
        'a\u200cb.md',
        '-rf',
        '*',
        '$(id)',
        'a;b',
        '%2e%2e',
      ],
    ];
    expect([...list(tree(...names.map((name): [string] => [`100644 ${name}`]))).files.keys()]).toEqual(names);
  });

  it.each([
    ...['', '.', '..', 'a/b', '../x', '/etc', 'a\nb', 'a\u0001', 'a\u007f'],
    ...[
      '.git',
      '.GIT',
      'git~1',
      'GIT~1',
      '.git.',
      '.git ',
      '.git . .',
      '.git\\config',
      '.git::$INDEX_ALLOCATION',
      '.g\u200cit',
      '\ufeff.Git',
    ],
  ])('refuses the name %j', (name) => {
    expect(() => list(tree([`100644 ${name}`]))).toThrow(expect.objectContaining({ code: 'unsafe_tree' }));
    expect(() => list(tree([`40000 ${name}`, tree()]))).toThrow(
      expect.objectContaining({ code: 'unsafe_tree' }),
    );
  });

  it('refuses duplicate names, and entries of unknown kinds', () => {
    expect(() => list(tree(['100644 a'], ['100644 a']))).toThrow(
      expect.objectContaining({ code: 'unsafe_tree' }),
    );
    expect(() => list(tree(['020000 device']))).toThrow(expect.objectContaining({ code: 'unsafe_tree' }));
  });

  it('reads only the project directory', () => {
    const evil = tree(['100644 ..']);
    const root = tree(
      ['40000 docs', tree(['40000 de', tree(['100644 README.md'])], ['40000 evil', evil])],
      ['40000 evil', evil],
    );
    expect([...list(root, 'docs/de').files.keys()]).toEqual(['docs/de/README.md']);
  });

  it.each(['missing', 'file', 'docs/missing', '..', '.', '.git', '__proto__'])(
    'does not find the folder %j',
    (directory) => {
      const root = tree(['100644 file'], ['40000 docs', tree()]);
      expect(() => list(root, directory)).toThrow(expect.objectContaining({ code: 'not_found' }));
    },
  );

  it('refuses a tree bomb by counting its entries', () => {
    let oid = tree(['100644 a.md']);
    for (let level = 0; level < 10; level++)
      oid = tree(...Array.from({ length: 10 }, (_, i): [string, string] => [`40000 d${i}`, oid]));
    const startedAt = performance.now();
    expect(() => list(oid)).toThrow(expect.objectContaining({ code: 'limit' }));
    expect(performance.now() - startedAt).toBeLessThan(bound(2_000));
  });

  it('limits depth, names and paths', () => {
    let oid = tree(['100644 a.md']);
    for (let level = 0; level < 64; level++) oid = tree(['40000 d', oid]);
    expect(list(oid).files.size).toBe(1);
    const tooDeep = tree(['40000 d', oid]);
    expect(() => list(tooDeep)).toThrow(expect.objectContaining({ code: 'limit' }));
    expect(() => list(tree([`100644 ${'é'.repeat(128)}`]))).toThrow(
      expect.objectContaining({ code: 'limit' }),
    );
    let long = tree(['100644 a.md']);
    for (let level = 0; level < 5; level++) long = tree([`40000 ${'n'.repeat(250)}`, long]);
    expect(() => list(long)).toThrow(expect.objectContaining({ code: 'limit' }));
  });

  it('refuses a folder with too many names before reading them', () => {
    const object = store.startObject('tree', 17 * 1024 * 1024);
    object.write(Buffer.alloc(17 * 1024 * 1024));
    const { oid } = object.finish();
    expect(() => list(oid)).toThrow(
      expect.objectContaining({ code: 'limit', message: 'A folder lists more than 16 MB of names.' }),
    );
  });

  it('names the missing or broken part of the commit', () => {
    expect(() => list('cd'.repeat(20))).toThrow(
      expect.objectContaining({ code: 'bad_content', class: 'transient' }),
    );
    expect(() => list(tree(['40000 docs', 'cd'.repeat(20)]))).toThrow('the folder docs/ is missing');
    const broken = store.startObject('tree', 12);
    broken.write(Buffer.from('100644 a.md\0'));
    const { oid } = broken.finish();
    expect(() => list(oid)).toThrow(expect.objectContaining({ code: 'bad_content' }));
  });
});

function list(treeOid: string, directory = '') {
  return listTree(store, { treeOid, directory, maxEntries: 10_000 });
}

/** Stores a tree of `<mode> <name>` lines, each with the oid of its object. */
function tree(...lines: [line: string | Buffer, oid?: string][]): string {
  const bytes = Buffer.concat(
    lines.flatMap(([line, oid = blobOid]) => [Buffer.from(line), Buffer.from([0]), Buffer.from(oid, 'hex')]),
  );
  const object = store.startObject('tree', bytes.length);
  object.write(bytes);
  return object.finish().oid;
}
