import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect } from 'vitest';
import { fileRecords, keyOf, readBlob, storeKinds, streamOf } from '../../support/stores/blobStores.ts';
import { passTime } from '../../support/stores/storedContent.ts';
import { until } from '../../support/until.ts';

const MB = 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;
const sizes = [0, 1, MB - 1, MB, MB + 1, 8 * MB, 8 * MB + 1, 20 * MB + 5];

/** Removes a file as a sweep does after the grace period. */
const inAnHour = () => new Date(Date.now() + 60 * 60 * 1000);

describe.each(storeKinds.filter(({ missing }) => !missing))('a blob store in $name', ({ it }) => {
  it.for(sizes)('returns %i bytes unchanged, whole and in ranges', async (size, { store, owner }) => {
    const { blobs } = store;
    const bytes = randomBytes(size);
    const key = keyOf(owner, bytes);
    expect(await blobs.put(key, streamOf(bytes))).toBe(true);
    expect(await blobs.put(key, streamOf(bytes))).toBe(false);
    expect(await blobs.findStored([key, `${key}0`])).toEqual(new Set([key]));
    expect((await blobs.open(key))?.sizeBytes).toBe(size);
    expect((await readBlob(blobs, key))?.equals(bytes)).toBe(true);
    const ranges = [
      [0, 1],
      [size - 1, size],
      [MB - 1, MB + 1],
      [3, size - 3],
      [9 * MB, 11 * MB + 7],
    ] as const;
    for (const [start, end] of ranges.filter(([from, to]) => from >= 0 && from < to && to <= size))
      expect((await readBlob(blobs, key, { start, end }))?.equals(bytes.subarray(start, end))).toBe(true);
    expect(await store.stray()).toBe(0);
  });

  it('stores bytes once when several writers put them at the same time', async ({ store, owner }) => {
    const bytes = randomBytes(9 * MB);
    const key = keyOf(owner, bytes);
    const puts = await Promise.all([1, 2, 3].map(async () => store.blobs.put(key, streamOf(bytes))));
    expect(puts.filter(Boolean)).toHaveLength(1);
    expect((await readBlob(store.blobs, key))?.equals(bytes)).toBe(true);
    expect(await store.blobs.count(owner)).toBe(1);
    expect(await store.stray()).toBe(0);
  });

  it.for([100, 12 * MB])(
    'leaves nothing of an upload that breaks off after %i bytes',
    async (size, { store, owner }) => {
      const breaking = Readable.from(
        (function* () {
          yield randomBytes(size);
          throw new Error('the client has left');
        })(),
      );
      await expect(store.blobs.put(`${owner}:broken`, breaking)).rejects.toThrow('the client has left');
      expect(await store.blobs.open(`${owner}:broken`)).toBeUndefined();
      expect(await store.stray()).toBe(0);
    },
  );

  it('refuses a file that exceeds the quota, and stores nothing of it', async ({ store, owner }) => {
    const blobs = store.withQuota(10 * MB);
    const [first, second] = [randomBytes(9 * MB), randomBytes(2 * MB)];
    expect(await blobs.put(keyOf(owner, first), streamOf(first))).toBe(true);
    await expect(blobs.put(keyOf(owner, second), streamOf(second))).rejects.toThrow(
      'quota of 10 MB exceeded',
    );
    await expect(blobs.requireRoom(owner, 2 * MB)).rejects.toThrow('1 MB left');
    expect(await blobs.find([keyOf(owner, second)])).toEqual(new Set());
    expect(await store.stray()).toBe(0);
  });

  it('hides a removed file at once, and frees its bytes later', async ({ store, owner }) => {
    const { blobs } = store;
    const bytes = randomBytes(9 * MB);
    const key = keyOf(owner, bytes);
    await blobs.put(key, streamOf(bytes));
    const { _id } = (await fileRecords().findOne({ filename: key }))!;
    expect(await blobs.noteUnreachable([key])).toBe(1);
    expect(await blobs.listUnreachable({ after: '', upTo: key })).toEqual([key]);
    const reading = await blobs.open(key);
    expect(await blobs.removeUnreachable([key], inAnHour())).toBe(1);
    expect(await blobs.open(key)).toBeUndefined();
    // Its last reader finishes.
    expect((await Array.fromAsync(reading!.bytes)).reduce((sum, { length }) => sum + length, 0)).toBe(9 * MB);
    // The same bytes may come again.
    expect(await blobs.put(key, streamOf(bytes))).toBe(true);
    await passTime(dayMs);
    expect(await blobs.clearRemoved(new Date(Date.now() - 60_000))).toBe(1);
    expect(await fileRecords().findOne({ _id })).toBeNull();
    expect((await readBlob(blobs, key))?.equals(bytes)).toBe(true);
    expect(await store.stray()).toBe(0);
  });

  it.for([100, 12 * MB])(
    'collects %i bytes of a dead writer, and never the bytes of a file',
    async (size, { store, owner }) => {
      const { blobs } = store;
      const kept = randomBytes(9 * MB);
      await blobs.put(keyOf(owner, kept), streamOf(kept));
      // As dead as a writer can be in this process: it waits for bytes for ever, or for its record.
      const dead = new Readable({ read() {} });
      const putting = blobs.put(`${owner}:dead`, dead).catch((error: Error) => error);
      const isUnderWay = size > 9 * MB;
      if (isUnderWay) {
        for (const part of [1, 2, 3, 4, 5, 6]) dead.push(randomBytes(part && size / 6));
        await until('stored bytes of the upload', async () => (await store.stray()) > 0);
      } else {
        dead.push(randomBytes(size));
        dead.push(null);
        expect(await putting).toBe(true);
        await fileRecords().deleteOne({ filename: `${owner}:dead` });
      }
      expect(await store.stray()).toBe(1);
      const before = inAnHour();
      expect(
        await blobs.clearLeftovers({ after: new Date(before.getTime() - dayMs), before: new Date(0) }),
      ).toBe(0);
      expect(await blobs.clearLeftovers({ after: new Date(0), before })).toBe(1);
      // A part that is under way while S3 aborts its upload may still arrive: the next turn removes it.
      await until('no bytes of the upload', async () => {
        await blobs.clearLeftovers({ after: new Date(0), before });
        return (await store.stray()) === 0;
      });
      expect(await blobs.clearLeftovers({ after: new Date(0), before })).toBe(0);
      if (isUnderWay) {
        // It was only slow: its end finds the removed file in its place, or no upload.
        dead.push(null);
        expect(await putting).toBeInstanceOf(Error);
        expect(await blobs.open(`${owner}:dead`)).toBeUndefined();
      }
      expect((await readBlob(blobs, keyOf(owner, kept)))?.equals(kept)).toBe(true);
      await passTime(dayMs);
      await blobs.clearRemoved(new Date());
      expect(await fileRecords().countDocuments({ removedAt: { $exists: true } })).toBe(0);
    },
  );
});
