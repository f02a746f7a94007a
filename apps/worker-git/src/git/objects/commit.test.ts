import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readCommit } from './commit.ts';
import { ObjectStore } from './objectStore.ts';

let folder: string;
let store: ObjectStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bindery-commit-'));
  store = new ObjectStore(join(folder, 'objects'), 50_000_000);
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const treeLine = `tree ${'ab'.repeat(20)}\n`;

describe('readCommit', () => {
  it('reads message, author and the time of the commit', () => {
    const oid = commit(
      `${treeLine}author Ada Example <ada@example.com> 1600000000 +0000\ncommitter Bob <b@example.com> 1700000000 +0100\n\nTitle\n\nBody\n`,
    );
    expect(readCommit(store, oid)).toEqual({
      commit: {
        oid,
        message: 'Title\n\nBody',
        authorName: 'Ada Example',
        committedAt: '2023-11-14T22:13:20.000Z',
      },
      treeOid: 'ab'.repeat(20),
    });
  });

  it('reads signed commits and commits in another encoding', () => {
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n tree fake\n -----END PGP SIGNATURE-----\n';
    const head = Buffer.from(
      `${treeLine}author Zo\xeb <a> 1 +0000\ncommitter A <a> 1 +0000\nencoding ISO-8859-1\n${signature}\ncaf\xe9`,
      'latin1',
    );
    expect(readCommit(store, commit(head)).commit).toMatchObject({ authorName: 'Zoë', message: 'café' });
  });

  it('accepts a commit that has only a tree', () => {
    const oid = commit(treeLine);
    expect(readCommit(store, oid).commit).toEqual({
      oid,
      message: '',
      authorName: '',
      committedAt: '1970-01-01T00:00:00.000Z',
    });
    expect(readCommit(store, commit(`${treeLine}encoding nonsense\n\nHi`)).commit.message).toBe('Hi');
  });

  it('refuses missing objects, other objects, and commits without a tree', () => {
    expect(() => readCommit(store, 'ef'.repeat(20))).toThrow('the commit is missing');
    const blob = store.startObject('blob', 0).finish();
    expect(() => readCommit(store, blob.oid)).toThrow(expect.objectContaining({ code: 'bad_content' }));
    const oid = commit('tree ../../x\n\nHi');
    expect(() => readCommit(store, oid)).toThrow(expect.objectContaining({ code: 'bad_content' }));
  });
});

function commit(text: string | Buffer): string {
  const bytes = Buffer.from(text as string);
  const object = store.startObject('commit', bytes.length);
  object.write(bytes);
  return object.finish().oid;
}
