import { createHash, type Hash } from 'node:crypto';

import { ByteWindow, endedEarly } from '@bindery/git-remote';

import { applyDelta, readDeltaHead } from './delta.ts';
import { inflateInPieces, inflateWhole, maxWholeBytes } from './inflate.ts';
import type { ObjectStore, ObjectType, StoredObject, Stretch } from './objectStore.ts';
import { malformedPack, tooManyObjects } from './packErrors.ts';

const types: Record<number, ObjectType> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const offsetDelta = 6;
const oidDelta = 7;

/** Larger deltas are refused, because a delta must be in memory. Its result need not be. */
const maxDeltaBytes = 64 * 1024 * 1024;
/** Bases and results up to this size are handled in memory, larger ones piece by piece. */
const maxInMemoryBytes = 8 * 1024 * 1024;

/** A delta whose base has not arrived yet; its bytes wait in the store. */
type WaitingDelta = { packOffset: number; delta: Stretch };

/** The base of a delta: an oid, or an offset in the pack. */
type Base = string | number;

export type PackOptions = { maxObjects: number; onObject?(done: number, total: number): void };

/**
 * Unpacks a pack into the store while it arrives, in one pass: an object needs at most its own size in
 * memory.
 *
 * Sizes are counted from the headers, before anything is inflated. The pack's own checksum and every object's
 * oid are computed here. Format: https://git-scm.com/docs/gitformat-pack
 *
 * @returns the number of objects
 * @throws JobError limit; bad_content when the pack is cut or contradicts itself
 */
export async function readPack(
  chunks: AsyncIterable<Uint8Array>,
  store: ObjectStore,
  options: PackOptions,
): Promise<number> {
  const window = new ByteWindow(chunks);
  try {
    const pack = new PackReader(window, store);
    const total = await pack.readHeader();
    if (total > options.maxObjects) throw tooManyObjects(options.maxObjects);
    for (let done = 0; done < total; done++) {
      await pack.readObject();
      options.onObject?.(done + 1, total);
    }
    await pack.readTrailer();
    pack.resolveWaiting();
    return total;
  } finally {
    await window.close();
  }
}

class PackReader {
  readonly #window: ByteWindow;
  readonly #store: ObjectStore;
  readonly #checksum: Hash = createHash('sha1');
  readonly #byPackOffset = new Map<number, StoredObject>();
  readonly #waiting = new Map<Base, WaitingDelta[]>();
  #packOffset = 0;

  constructor(window: ByteWindow, store: ObjectStore) {
    this.#window = window;
    this.#store = store;
  }

  async readHeader(): Promise<number> {
    if (!(await this.#window.fill(12))) throw endedEarly();
    const header = this.#take(12);
    if (header.toString('latin1', 0, 4) !== 'PACK') throw malformedPack();
    if (![2, 3].includes(header.readUInt32BE(4))) throw malformedPack();
    return header.readUInt32BE(8);
  }

  async readTrailer(): Promise<void> {
    if (!(await this.#window.fill(20))) throw endedEarly();
    const expected = this.#window.take(20);
    if (!this.#checksum.digest().equals(expected)) throw malformedPack();
    if (await this.#window.fill(1)) throw malformedPack();
  }

  async readObject(): Promise<void> {
    const packOffset = this.#packOffset;
    const { typeNumber, size } = await this.#readObjectHeader();
    const type = types[typeNumber];
    if (type) {
      this.#store.reserve(size);
      this.#byPackOffset.set(packOffset, await this.#readPlainObject(type, size));
      return;
    }
    const base = await this.#readBaseReference(typeNumber, packOffset);
    if (size > maxDeltaBytes) throw malformedPack();
    const delta = await this.#inflate(size);
    const found = this.#findBase(base);
    if (found) this.#byPackOffset.set(packOffset, this.#rebuild(found, delta));
    else this.#wait(base, { packOffset, delta });
  }

  /** Resolves deltas whose base came after them; each is processed once, when its base has arrived. */
  resolveWaiting(): void {
    const bases = [...this.#waiting.keys()];
    for (let base = bases.pop(); base !== undefined; base = bases.pop()) {
      const waiting = this.#waiting.get(base);
      const found = waiting && this.#findBase(base);
      if (!found) continue;
      this.#waiting.delete(base);
      for (const { packOffset, delta } of waiting) {
        const object = this.#rebuild(found, this.#store.read(delta));
        this.#byPackOffset.set(packOffset, object);
        bases.push(packOffset, object.oid);
      }
    }
    if (this.#waiting.size > 0) throw malformedPack();
  }

  /**
   * Reads type and size: three bits and four bits in the first byte, seven more bits of the size in each
   * further one.
   */
  async #readObjectHeader(): Promise<{ typeNumber: number; size: number }> {
    await this.#fillSome(16);
    const bytes = this.#window.bytes;
    let at = 0;
    let byte = bytes[at++] ?? 0;
    const typeNumber = (byte >> 4) & 7;
    let size = byte & 15;
    for (let scale = 16; byte & 0x80; scale *= 128) {
      if (at >= bytes.length) throw endedEarly();
      byte = bytes[at++]!;
      size += (byte & 0x7f) * scale;
      if (!Number.isSafeInteger(size)) throw malformedPack();
    }
    this.#take(at);
    return { typeNumber, size };
  }

  /** Reads the oid of a delta's base, or its offset in the pack. */
  async #readBaseReference(typeNumber: number, packOffset: number): Promise<Base> {
    await this.#fillSome(20);
    if (typeNumber === oidDelta) {
      if (this.#window.length < 20) throw endedEarly();
      return this.#take(20).toString('hex');
    }
    if (typeNumber !== offsetDelta) throw malformedPack();
    const bytes = this.#window.bytes;
    let at = 0;
    let byte = bytes[at++] ?? 0;
    let distance = byte & 0x7f;
    while (byte & 0x80) {
      if (at >= bytes.length) throw endedEarly();
      byte = bytes[at++]!;
      distance = (distance + 1) * 128 + (byte & 0x7f);
    }
    // Before the first object or at the delta itself: no base can be there.
    if (distance <= 0 || distance > packOffset - 12) throw malformedPack();
    this.#take(at);
    return packOffset - distance;
  }

  async #readPlainObject(type: ObjectType, size: number): Promise<StoredObject> {
    const object = this.#store.startObject(type, size);
    if (size <= maxWholeBytes) object.write(await this.#inflate(size));
    else await inflateInPieces(this.#window, { size, onConsumed: this.#count, onPiece: object.write });
    return object.finish();
  }

  async #inflate(size: number): Promise<Buffer> {
    if (size <= maxWholeBytes) return inflateWhole(this.#window, { size, onConsumed: this.#count });
    const pieces: Buffer[] = [];
    await inflateInPieces(this.#window, {
      size,
      onConsumed: this.#count,
      onPiece: (piece) => pieces.push(piece),
    });
    return Buffer.concat(pieces);
  }

  #findBase(base: Base): StoredObject | undefined {
    return typeof base === 'number' ? this.#byPackOffset.get(base) : this.#store.find(base);
  }

  #wait(base: Base, { packOffset, delta }: { packOffset: number; delta: Buffer }): void {
    // It counts like an object: deltas that wait for a missing base must not fill the disk.
    this.#store.reserve(delta.length);
    const others = this.#waiting.get(base);
    const waiting = { packOffset, delta: this.#store.keep(delta) };
    if (others) others.push(waiting);
    else this.#waiting.set(base, [waiting]);
  }

  #rebuild(base: StoredObject, delta: Buffer): StoredObject {
    const head = readDeltaHead(delta);
    if (head.baseSize !== base.size) throw malformedPack();
    this.#store.reserve(head.resultSize);
    const object = this.#store.startObject(base.type, head.resultSize);
    // A large base is read in parts when little of it is needed; thousands of such deltas would otherwise
    // read it thousands of times.
    const isReadWhole = base.size <= maxInMemoryBytes && base.size <= 4 * head.resultSize;
    const whole = isReadWhole ? this.#store.read(base) : undefined;
    const readBase = (from: number, length: number) =>
      whole?.subarray(from, from + length) ?? this.#store.read(base, from, length);
    if (head.resultSize <= maxInMemoryBytes) {
      const result = Buffer.allocUnsafe(head.resultSize);
      let at = 0;
      applyDelta(delta, head, readBase, (piece) => (at += piece.copy(result, at)));
      object.write(result);
    } else {
      applyDelta(delta, head, readBase, object.write);
    }
    return object.finish();
  }

  /** Fills the window as far as the stream allows; its length tells the caller whether bytes are missing. */
  async #fillSome(count: number): Promise<void> {
    if (!(await this.#window.fill(count)) && this.#window.length === 0) throw endedEarly();
  }

  #take(count: number): Buffer {
    const bytes = this.#window.take(count);
    this.#count(bytes);
    return bytes;
  }

  readonly #count = (bytes: Buffer): void => {
    this.#checksum.update(bytes);
    this.#packOffset += bytes.length;
  };
}
