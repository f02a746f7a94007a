import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { findChangedFiles } from './changedFiles.ts';
import { keepTrees, openKeptTrees } from './keptTrees.ts';
import { ObjectStore } from './objectStore.ts';
import { listTree } from './tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-changed-'));
let store: ObjectStore;
let stores = 0;

beforeEach(() => {
  store?.close();
  store = new ObjectStore(join(folder, `${++stores}`), 1e6);
});

afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const [one, two, link] = ['1'.repeat(40), '2'.repeat(40), '3'.repeat(40)];

type Entry = [mode: string, name: string | Buffer, oid: string];

function tree(...entries: Entry[]): string {
  const bytes = Buffer.concat(
    entries.flatMap(([mode, name, oid]) => [
      Buffer.from(`${mode} `),
      Buffer.from(name),
      Buffer.from([0]),
      Buffer.from(oid, 'hex'),
    ]),
  );
  const object = store.startObject('tree', bytes.length);
  object.write(bytes);
  return object.finish().oid;
}

/** The trees of a folder, as kept for a later reading. */
const kept = (treeOid: string) =>
  openKeptTrees(keepTrees(store, listTree(store, { treeOid, directory: '', maxEntries: 1_000 }).trees));

const changed = (before: string, after: string) =>
  findChangedFiles({ before: kept(before), after: store }, { before, after, folder: '' });

describe('findChangedFiles', () => {
  it('finds changed files in the folders that differ', () => {
    const same: Entry = ['40000', 'same', tree(['100644', 'a.md', one])];
    const inner = (oid: string) => tree(['100644', 'b c.md', oid], ['100644', 'é.md', one]);
    const docs = (oid: string) => tree(['40000', 'inner', inner(oid)], ['100644', 'a.md', oid]);
    const before = tree(['40000', 'docs', docs(one)], same);
    const after = tree(['40000', 'docs', docs(two)], same);
    expect(changed(before, after)).toEqual({
      files: [
        { path: 'docs/inner/b c.md', before: one, after: two },
        { path: 'docs/a.md', before: one, after: two },
      ],
      newTrees: [after, docs(two), inner(two)],
    });
    expect(changed(after, after)).toEqual({ files: [], newTrees: [] });
  });

  it('names paths from the root of the repository', () => {
    const [before, after] = [tree(['100644', 'a.md', one]), tree(['100644', 'a.md', two])];
    const found = findChangedFiles(
      { before: kept(before), after: store },
      { before, after, folder: 'docs/de/' },
    );
    expect(found?.files.map(({ path }) => path)).toEqual(['docs/de/a.md']);
  });

  it('ignores entries that an import skips, and executable bits', () => {
    const entries = (oid: string, mode: string): Entry[] => [
      ['120000', 'link', oid],
      ['160000', 'module', oid],
      ['100644', Buffer.from('caf\xe9.md', 'latin1'), oid],
      [mode, 'run.sh', one],
    ];
    const [before, after] = [tree(...entries(one, '100644')), tree(...entries(link, '100755'))];
    expect(changed(before, after)).toEqual({ files: [], newTrees: [after] });
  });

  it.each<[what: string, before: Entry[], after: Entry[]]>([
    ['a file more', [], [['100644', 'a.md', one]]],
    ['a file less', [['100644', 'a.md', one]], []],
    ['another name', [['100644', 'a.md', one]], [['100644', 'b.md', one]]],
    ['a link in place of a file', [['100644', 'a', one]], [['120000', 'a', one]]],
    ['a submodule in place of a link', [['120000', 'a', one]], [['160000', 'a', one]]],
  ])('returns undefined for %s, which affects more than one file', (_, before, after) => {
    expect(changed(tree(...before), tree(...after))).toBeUndefined();
    expect(
      changed(tree(['40000', 'docs', tree(...before)]), tree(['40000', 'docs', tree(...after)])),
    ).toBeUndefined();
  });

  it('returns undefined when a folder was not kept', () => {
    const [before, after] = [tree(['100644', 'a.md', one]), tree(['100644', 'a.md', two])];
    expect(
      findChangedFiles(
        { before: openKeptTrees(Buffer.alloc(0)), after: store },
        { before, after, folder: '' },
      ),
    ).toBeUndefined();
  });

  it('refuses unsafe names', () => {
    const [before, after] = [tree(['100644', 'a.md', one]), tree(['100644', '..', two])];
    expect(() => changed(before, after)).toThrow(expect.objectContaining({ code: 'unsafe_tree' }));
  });
});
