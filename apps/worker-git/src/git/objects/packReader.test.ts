import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { objectId, type PackEntry, writeDelta, writePack } from '../../../../../test/support/git/gitPack.ts';
import { ObjectStore } from './objectStore.ts';
import { readPack } from './packReader.ts';
import { bound } from '../../../../../test/support/machine.ts';

let folder: string;
let store: ObjectStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bindery-pack-'));
  store = new ObjectStore(join(folder, 'objects'), 50_000_000);
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const hello = Buffer.from('Hello, world of pages and files.');
const helloId = objectId('blob', hello);

describe('readPack', () => {
  it.each([1, 3, 64, 100_000])(
    'finds objects however the bytes are cut: %i at a time',
    async (chunkBytes) => {
      const large = Buffer.from(Array.from({ length: 600_000 }, (_, i) => (i * i) >> 3));
      const pack = writePack([
        blob(hello),
        blob(Buffer.alloc(0)),
        blob(large),
        { type: 'tree', content: Buffer.from('x') },
      ]);
      expect(await read(pack, { chunkBytes })).toBe(4);
      expect(contentOf(helloId)).toEqual(hello);
      expect(contentOf(objectId('blob', Buffer.alloc(0)))?.length).toBe(0);
      expect(contentOf(objectId('blob', large))?.equals(large)).toBe(true);
      expect(store.find(objectId('tree', Buffer.from('x')))?.type).toBe('tree');
    },
  );

  it('rebuilds deltas from an offset, from an oid, and on top of each other', async () => {
    const second = 'Hello, again!';
    const third = `${second} Bye.`;
    await read(
      writePack([
        blob(hello),
        { type: 'delta', base: 0, delta: writeDelta(hello.length, second.length, [[0, 7], 'again!']) },
        {
          type: 'delta',
          base: objectId('blob', Buffer.from(second)),
          delta: writeDelta(second.length, third.length, [[0, second.length], ' Bye.']),
        },
      ]),
    );
    expect(contentOf(objectId('blob', Buffer.from(third)))?.toString()).toBe(third);
  });

  it('rebuilds deltas whose base comes later', async () => {
    const second = 'Hello, again!';
    const third = `${second} Bye.`;
    await read(
      writePack([
        {
          type: 'delta',
          base: objectId('blob', Buffer.from(second)),
          delta: writeDelta(second.length, third.length, [[0, second.length], ' Bye.']),
        },
        { type: 'delta', base: helloId, delta: writeDelta(hello.length, second.length, [[0, 7], 'again!']) },
        blob(hello),
      ]),
    );
    expect(contentOf(objectId('blob', Buffer.from(third)))?.toString()).toBe(third);
  });

  it('rebuilds a long chain of deltas in reverse order', async () => {
    const texts = Array.from({ length: 5_000 }, (_, n) => `${n} and some more`);
    const entries = texts.slice(1).map((text, n): PackEntry => {
      const base = Buffer.from(texts[n] ?? '');
      return {
        type: 'delta',
        base: objectId('blob', base),
        delta: writeDelta(base.length, text.length, [text]),
      };
    });
    const startedAt = performance.now();
    await read(writePack([...entries.toReversed(), blob(Buffer.from(texts[0] ?? ''))]), {
      maxObjects: 5_000,
    });
    expect(performance.now() - startedAt).toBeLessThan(bound(5_000));
    for (const text of texts) expect(contentOf(objectId('blob', Buffer.from(text)))?.toString()).toBe(text);
    // Each delta was stored once, not once per round.
    expect(store.keep(Buffer.alloc(0)).offset).toBeLessThan(1_000_000);
  });

  it('counts waiting deltas, and reads only the needed parts of a large base', async () => {
    const waiting = Array.from({ length: 6 }, (): PackEntry => ({
      type: 'delta',
      base: 'ab'.repeat(20),
      delta: Buffer.alloc(10_000_000),
    }));
    await expect(read(writePack(waiting))).rejects.toMatchObject({ code: 'limit' });
    const base = Buffer.alloc(8_000_000, 'b');
    const small = Array.from({ length: 900 }, (_, n): PackEntry => ({
      type: 'delta',
      base: 0,
      delta: writeDelta(base.length, 2 + `${n}`.length, [[n, 2], `${n}`]),
    }));
    store.close();
    store = new ObjectStore(join(folder, 'others'), 50_000_000);
    const startedAt = performance.now();
    await read(writePack([blob(base), ...small]));
    expect(performance.now() - startedAt).toBeLessThan(bound(2_000));
    expect(contentOf(objectId('blob', Buffer.from('bb899')))?.toString()).toBe('bb899');
  });

  it('rebuilds large objects piece by piece', async () => {
    const base = Buffer.alloc(9_000_000, 'abcdefg');
    const result = Buffer.concat([base, Buffer.from('end'), base.subarray(5)]);
    const copies = (from: number, to: number): [number, number][] =>
      from >= to ? [] : [[from, Math.min(0xff_ffff, to - from)], ...copies(from + 0xff_ffff, to)];
    const steps = [...copies(0, base.length), 'end', ...copies(5, base.length)];
    await read(
      writePack([
        blob(base),
        { type: 'delta', base: 0, delta: writeDelta(base.length, result.length, steps) },
      ]),
    );
    expect(contentOf(objectId('blob', result))?.equals(result)).toBe(true);
  });

  it('reads the pack of an empty answer', async () => {
    expect(await read(writePack([]))).toBe(0);
  });

  it('refuses a pack that is cut anywhere', async () => {
    const pack = writePack([
      blob(hello),
      { type: 'delta', base: 0, delta: writeDelta(hello.length, 7, [[0, 7]]) },
    ]);
    for (let length = 0; length < pack.length; length++) {
      await expect(read(pack.subarray(0, length)), `cut at ${length}`).rejects.toMatchObject({
        code: 'bad_content',
        class: 'transient',
      });
    }
  });

  it('refuses a pack with any single byte changed', async () => {
    const pack = writePack([blob(hello), blob(Buffer.from('two'))]);
    for (let at = 0; at < pack.length; at++) {
      const broken = Buffer.from(pack);
      broken[at]! ^= 0x55;
      await expect(read(broken), `byte ${at}`).rejects.toMatchObject({
        code: expect.stringMatching(/^(bad_content|limit)$/),
      });
    }
  });

  it.each<[string, PackEntry[]]>([
    ['a size that is too small', [{ type: 'blob', content: hello, claimedSize: 5 }]],
    ['a size that is too large', [{ type: 'blob', content: hello, claimedSize: 5_000 }]],
    [
      'a large size that is too small',
      [{ type: 'blob', content: Buffer.alloc(2_000_000), claimedSize: 1_000_000 }],
    ],
    [
      'a large size that is too large',
      [{ type: 'blob', content: Buffer.alloc(1_000_000), claimedSize: 2_000_000 }],
    ],
    ['a delta without its base', [{ type: 'delta', base: helloId, delta: writeDelta(5, 5, [[0, 5]]) }]],
    ['a delta onto itself', [blob(hello), { type: 'delta', base: 1, delta: writeDelta(5, 5, [[0, 5]]) }]],
    [
      'a delta with a wrong base size',
      [blob(hello), { type: 'delta', base: 0, delta: writeDelta(5, 5, [[0, 5]]) }],
    ],
    [
      'a copy from outside of the base',
      [blob(hello), { type: 'delta', base: 0, delta: writeDelta(hello.length, 50, [[0, 50]]) }],
    ],
    [
      'a result that is too short',
      [blob(hello), { type: 'delta', base: 0, delta: writeDelta(hello.length, 50, [[0, 5]]) }],
    ],
    [
      'a result that is too long',
      [blob(hello), { type: 'delta', base: 0, delta: writeDelta(hello.length, 2, [[0, 5]]) }],
    ],
    [
      'an instruction that does nothing',
      [blob(hello), { type: 'delta', base: 0, delta: Buffer.from([hello.length, 1, 0]) }],
    ],
    [
      'an insert without its bytes',
      [blob(hello), { type: 'delta', base: 0, delta: Buffer.from([hello.length, 9, 9, 65]) }],
    ],
    [
      'a delta that ends inside its size',
      [blob(hello), { type: 'delta', base: 0, delta: Buffer.from([0x80]) }],
    ],
  ])('refuses %s', async (_, entries) => {
    await expect(read(writePack(entries))).rejects.toMatchObject({ code: 'bad_content' });
  });

  it('refuses bytes after the pack and a wrong number of objects', async () => {
    const pack = writePack([blob(hello)]);
    await expect(read(Buffer.concat([pack, Buffer.from('x')]))).rejects.toMatchObject({
      code: 'bad_content',
    });
    await expect(read(writePack([blob(hello)], { count: 2 }))).rejects.toMatchObject({ code: 'bad_content' });
    await expect(read(writePack([blob(hello), blob(hello)], { count: 1 }))).rejects.toMatchObject({
      code: 'bad_content',
    });
  });

  it('counts sizes before it inflates', async () => {
    await expect(
      read(writePack([{ type: 'blob', content: hello, claimedSize: 60_000_000 }])),
    ).rejects.toMatchObject({ code: 'limit' });
    await expect(read(writePack([], { count: 1_001 }))).rejects.toMatchObject({ code: 'limit' });
    const bomb = writeDelta(hello.length, 60_000_000, [[0, 5]]);
    await expect(
      read(writePack([blob(hello), { type: 'delta', base: 0, delta: bomb }])),
    ).rejects.toMatchObject({ code: 'limit' });
  });
});

function blob(content: Buffer): PackEntry {
  return { type: 'blob', content };
}

function read(pack: Buffer, { chunkBytes = 16, maxObjects = 1_000 } = {}): Promise<number> {
  return readPack(chunks(pack, Math.max(chunkBytes, pack.length > 1_000_000 ? 5_000 : 1)), store, {
    maxObjects,
  });
}

async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

function contentOf(oid: string): Buffer | undefined {
  const object = store.find(oid);
  return object && store.read(object);
}
