import type { ObjectStore, StoredObject } from './objectStore.ts';

/**
 * Blobs of the store by oid, each read on access: pages are processed one by one, and all of them together
 * may be large.
 */
export class LazyBlobs implements ReadonlyMap<string, Uint8Array> {
  readonly #store: ObjectStore;
  readonly #objects: ReadonlyMap<string, StoredObject>;

  constructor(store: ObjectStore, objects: Iterable<StoredObject>) {
    this.#store = store;
    this.#objects = new Map(Array.from(objects, (object) => [object.oid, object]));
  }

  get size(): number {
    return this.#objects.size;
  }

  has(oid: string): boolean {
    return this.#objects.has(oid);
  }

  get(oid: string): Uint8Array | undefined {
    const object = this.#objects.get(oid);
    return object && this.#store.read(object);
  }

  keys(): MapIterator<string> {
    return this.#objects.keys();
  }

  *values(): Generator<Uint8Array, undefined> {
    for (const object of this.#objects.values()) yield this.#store.read(object);
  }

  *entries(): Generator<[string, Uint8Array], undefined> {
    for (const [oid, object] of this.#objects) yield [oid, this.#store.read(object)];
  }

  [Symbol.iterator](): MapIterator<[string, Uint8Array]> {
    return this.entries();
  }

  forEach(visit: (blob: Uint8Array, oid: string, map: ReadonlyMap<string, Uint8Array>) => void): void {
    for (const [oid, blob] of this) visit(blob, oid, this);
  }
}
