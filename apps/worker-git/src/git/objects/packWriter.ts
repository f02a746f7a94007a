import { createHash, type Hash } from 'node:crypto';
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { createDeflate, deflateSync } from 'node:zlib';

import type { ObjectType } from './objectStore.ts';

const typeNumbers: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** A twentieth larger than at level 6, in half of the time; most files are compressed already. */
const textLevel = 3;
const fileLevel = 1;

const bufferBytes = 1024 * 1024;

/** The range of a blob in a file. */
export type BlobRange = { path: string; offset: number; length: number };

/**
 * Writes a pack of whole objects into a file, one after another, with only one object and a buffer in memory.
 *
 * The same objects in the same order give the same bytes. Format: https://git-scm.com/docs/gitformat-pack
 */
export class PackWriter {
  readonly #file: number;
  readonly #checksum: Hash = createHash('sha1');
  readonly #buffer = Buffer.allocUnsafe(bufferBytes);
  #bufferedBytes = 0;
  #writtenBytes = 0;
  #left: number;

  /** Creates the file, which must not exist yet. @param count  the number of objects that will be added */
  constructor(path: string, count: number) {
    this.#file = openSync(path, 'wx', 0o600);
    this.#left = count;
    const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
    header.writeUInt32BE(count, 8);
    this.#append(header);
  }

  get sizeBytes(): number {
    return this.#writtenBytes + this.#bufferedBytes;
  }

  add(type: ObjectType, bytes: Uint8Array): void {
    this.#start(type, bytes.length);
    // In one piece: the default chunks are larger than most texts.
    this.#append(deflateSync(bytes, { level: textLevel, chunkSize: bytes.length + 64 }));
  }

  /** Adds a blob piece by piece. @returns its oid, computed from the bytes written */
  async addBlobFrom({ path, offset, length }: BlobRange): Promise<string> {
    const hash = createHash('sha1').update(`blob ${length}\0`);
    let read = 0;
    async function* pieces() {
      // `end` is inclusive, so an empty range cannot be expressed.
      if (length === 0) return;
      const options = { start: offset, end: offset + length - 1, highWaterMark: 256 * 1024 };
      for await (const piece of createReadStream(path, options) as AsyncIterable<Buffer>) {
        hash.update(piece);
        read += piece.length;
        yield piece;
      }
    }
    const deflate = createDeflate({ level: fileLevel, chunkSize: 64 * 1024 });
    // Errors arrive through the stream being read.
    pipeline(pieces, deflate, () => {});
    this.#start('blob', length);
    for await (const piece of deflate as AsyncIterable<Buffer>) this.#append(piece);
    if (read !== length) throw new Error('The file of a blob is shorter than it was said to be.');
    return hash.digest('hex');
  }

  /** Completes the pack. @returns its total size */
  finish(): number {
    if (this.#left !== 0) throw new Error(`A pack was finished with ${this.#left} objects too few.`);
    this.#flush();
    this.#writeAll(this.#checksum.digest());
    closeSync(this.#file);
    return this.#writtenBytes;
  }

  /** Writes kind and size: four bits of the size in the first byte, seven more in each further one. */
  #start(type: ObjectType, size: number): void {
    this.#left -= 1;
    const header: number[] = [];
    let byte = (typeNumbers[type] << 4) | (size & 15);
    for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
      header.push(byte | 0x80);
      byte = rest % 128;
    }
    this.#append(Buffer.from([...header, byte]));
  }

  #append(bytes: Uint8Array): void {
    this.#checksum.update(bytes);
    if (this.#bufferedBytes + bytes.length > bufferBytes) this.#flush();
    if (bytes.length >= bufferBytes) return this.#writeAll(bytes);
    this.#buffer.set(bytes, this.#bufferedBytes);
    this.#bufferedBytes += bytes.length;
  }

  #flush(): void {
    const bytes = this.#bufferedBytes;
    this.#bufferedBytes = 0;
    this.#writeAll(this.#buffer.subarray(0, bytes));
  }

  #writeAll(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) done += writeSync(this.#file, bytes, done);
    this.#writtenBytes += bytes.length;
  }
}
