import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

import { tooMuchContent } from './packErrors.ts';

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

/** A range of the file. */
export type Stretch = { offset: number; size: number };

export type StoredObject = Stretch & { oid: string; type: ObjectType };

const bufferBytes = 1024 * 1024;

/**
 * The objects of one repository: one file with the unpacked objects, one after another, and an index in
 * memory.
 *
 * Objects are written once and read by range, so memory does not grow with the repository. File operations
 * block on purpose: the process does nothing else, and the page cache answers faster than a thread pool.
 */
export class ObjectStore {
  readonly path: string;
  readonly #file: number;
  readonly #maxTotalBytes: number;
  readonly #index = new Map<string, StoredObject>();
  /** The unwritten end of the file. */
  readonly #pending = Buffer.allocUnsafe(bufferBytes);
  #pendingBytes = 0;
  #writtenBytes = 0;
  #reservedBytes = 0;

  /** Creates the file, which must not exist yet, readable only by its owner. */
  constructor(path: string, maxTotalBytes: number) {
    this.path = path;
    this.#file = openSync(path, 'wx+', 0o600);
    this.#maxTotalBytes = maxTotalBytes;
  }

  find(oid: string): StoredObject | undefined {
    return this.#index.get(oid);
  }

  /** How many more bytes may be unpacked. */
  get leftBytes(): number {
    return this.#maxTotalBytes - this.#reservedBytes;
  }

  /** Counts bytes about to be unpacked. @throws JobError limit */
  reserve(size: number): void {
    this.#reservedBytes += size;
    if (this.#reservedBytes > this.#maxTotalBytes) throw tooMuchContent(this.#maxTotalBytes);
  }

  /** Starts an object written in pieces; its oid is known at the end. */
  startObject(type: ObjectType, size: number): { write(piece: Uint8Array): void; finish(): StoredObject } {
    const hash = createHash('sha1').update(`${type} ${size}\0`);
    const offset = this.#size;
    return {
      write: (piece) => {
        hash.update(piece);
        this.#append(piece);
      },
      finish: () => {
        const object = { oid: hash.digest('hex'), type, offset, size };
        this.#index.set(object.oid, object);
        return object;
      },
    };
  }

  /** Stores bytes without adding an object to the index. */
  keep(bytes: Uint8Array): Stretch {
    const stretch = { offset: this.#size, size: bytes.length };
    this.#append(bytes);
    return stretch;
  }

  /** Copies an object's bytes, or a range of them. */
  read(object: Stretch, from = 0, length = object.size - from): Buffer {
    const start = object.offset + from;
    const bytes = Buffer.allocUnsafe(length);
    if (start >= this.#writtenBytes) {
      this.#pending.copy(bytes, 0, start - this.#writtenBytes);
      return bytes;
    }
    if (start + length > this.#writtenBytes) this.flush();
    for (let done = 0; done < length;) {
      const count = readSync(this.#file, bytes, done, length - done, start + done);
      if (count === 0) throw new Error('The object file is shorter than its index says.');
      done += count;
    }
    return bytes;
  }

  /** Writes the buffered bytes, so that other processes can read the file. */
  flush(): void {
    const bytes = this.#pendingBytes;
    this.#pendingBytes = 0;
    this.#write(this.#pending.subarray(0, bytes));
  }

  close(): void {
    closeSync(this.#file);
  }

  get #size(): number {
    return this.#writtenBytes + this.#pendingBytes;
  }

  #append(bytes: Uint8Array): void {
    if (this.#pendingBytes + bytes.length > bufferBytes) this.flush();
    if (bytes.length >= bufferBytes) return this.#write(bytes);
    this.#pending.set(bytes, this.#pendingBytes);
    this.#pendingBytes += bytes.length;
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;)
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#writtenBytes + done);
    this.#writtenBytes += bytes.length;
  }
}
