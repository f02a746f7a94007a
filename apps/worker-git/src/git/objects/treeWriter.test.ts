import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ObjectStore } from './objectStore.ts';
import { writeTrees } from './treeWriter.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-trees-'));
let store: ObjectStore;
let stores = 0;

beforeEach(() => {
  store = new ObjectStore(join(folder, `${++stores}`), 1e6);
});

afterEach(() => store.close());

afterAll(() => rmSync(folder, { recursive: true }));

const [blob, other] = ['1'.repeat(40), '2'.repeat(40)];

function put(lines: [mode: string, name: string | Buffer, oid: string][]): string {
  const bytes = Buffer.concat(
    lines.flatMap(([mode, name, oid]) => [
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

function namesOf(bytes: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const zero = bytes.indexOf(0, at);
    names.push(bytes.toString('latin1', at, zero));
    at = zero + 21;
  }
  return names;
}

describe('writing trees', () => {
  it('orders names as git does: folders as if they ended with a slash', () => {
    const paths = ['foo.md', 'foo/a', 'foo-bar', 'foo0', 'foo', 'Z', 'ä', 'a'].filter(
      (path) => path !== 'foo',
    );
    const { root, objects } = writeTrees(
      { store },
      paths.map((path) => ({ path, oid: blob })),
    );
    expect(namesOf(objects.get(root)!)).toEqual([
      '100644 Z',
      '100644 a',
      '100644 foo-bar',
      '100644 foo.md',
      '40000 foo',
      '100644 foo0',
      '100644 Ã¤',
    ]);
  });

  it('keeps other entries unchanged, also with unusual modes', () => {
    const inner = put([['100664', 'old.md', blob]]);
    const treeOid = put([
      ['100664', 'a.md', blob],
      ['040000', 'b', inner],
      ['120000', 'link', blob],
      ['160000', 'module', other],
      ['100755', Buffer.from([0x7a, 0xff]), blob],
    ]);
    const { root, objects } = writeTrees({ store, treeOid }, [{ path: 'c/d.md', oid: other }]);
    expect(namesOf(objects.get(root)!)).toEqual([
      '100664 a.md',
      '040000 b',
      '40000 c',
      '120000 link',
      '160000 module',
      '100755 zÿ',
    ]);
    expect(objects.size).toBe(2);
    expect(writeTrees({ store, treeOid }, [{ path: 'b/old.md', oid: other }]).objects.size).toBe(2);
  });

  it('gives the same tree for changes without effect', () => {
    const treeOid = put([['100644', 'a.md', blob]]);
    for (const changes of [[], [{ path: 'a.md', oid: blob }], [{ path: 'b/c/d.md', oid: undefined }]])
      expect(writeTrees({ store, treeOid }, changes)).toMatchObject({ root: treeOid, objects: new Map() });
  });

  it('neither overwrites nor removes links and submodules', () => {
    const treeOid = put([
      ['40000', 'd', put([['100644', 'x', blob]])],
      ['120000', 'link', blob],
      ['160000', 'module', other],
      ['100644', 'page', blob],
    ]);
    for (const name of ['link', 'module', 'link/a.md', 'module/a.md', 'page/a.md', 'd'])
      expect(() => writeTrees({ store, treeOid }, [{ path: name, oid: blob }])).toThrow(
        name.replace(/\/a\.md$/, ''),
      );
    for (const name of ['link', 'module', 'd'])
      expect(() => writeTrees({ store, treeOid }, [{ path: name, oid: undefined }])).toThrow(name);
  });

  it.each([
    '',
    'a//b',
    '/a',
    'a/',
    '.',
    'a/../b',
    '.git',
    'a/.GIT/b',
    '.git.',
    '.git ',
    'git~1',
    '.g\u200cit',
    '.git::$INDEX_ALLOCATION',
    'a\nb',
  ])('refuses names that git refuses: %j', (path) => {
    expect(() => writeTrees({ store }, [{ path, oid: blob }])).toThrow(
      expect.objectContaining({ code: 'unsafe_tree' }),
    );
  });

  it('accepts names that only look dangerous', () => {
    const paths = ['.gitbook/assets/a', '.gitignore', 'git~10', '__proto__/constructor', 'a\\b', 'x.git'];
    expect(
      writeTrees(
        { store },
        paths.map((path) => ({ path, oid: blob })),
      ).objects.size,
    ).toBe(4);
  });

  it('refuses paths that an import would refuse', () => {
    for (const path of ['x'.repeat(256), `${'y'.repeat(200)}/`.repeat(6) + 'z', `${'d/'.repeat(64)}z`])
      expect(() => writeTrees({ store }, [{ path, oid: blob }])).toThrow(
        expect.objectContaining({ code: 'limit' }),
      );
  });

  it('refuses unsafe trees', () => {
    const treeOid = put([
      ['100644', '..', blob],
      ['100644', 'a', blob],
    ]);
    expect(() => writeTrees({ store, treeOid }, [{ path: 'a', oid: other }])).toThrow(
      expect.objectContaining({ code: 'unsafe_tree' }),
    );
  });
});
