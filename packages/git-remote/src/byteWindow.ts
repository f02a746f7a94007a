/**
 * Reads a stream of chunks as a run of bytes, part of which is in memory. `bytes` is that part; it is valid
 * until the next `fill`, which may move it.
 */
export class ByteWindow {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffer = Buffer.allocUnsafe(0);
  #start = 0;
  #end = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  get length(): number {
    return this.#end - this.#start;
  }

  /** Reads until `count` bytes are available; false when the stream ends first. */
  async fill(count: number): Promise<boolean> {
    while (this.length < count) {
      const next = await this.#chunks.next();
      if (next.done) return false;
      this.#append(next.value, count);
    }
    return true;
  }

  /** Removes and returns the first bytes. */
  take(count: number): Buffer {
    const taken = this.#buffer.subarray(this.#start, this.#start + count);
    this.#start += count;
    return taken;
  }

  /** Stops the source, also before its end. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #append(chunk: Uint8Array, wanted: number): void {
    if (this.#start === this.#end) this.#start = this.#end = 0;
    if (this.#end + chunk.length > this.#buffer.length)
      this.#makeRoom(Math.max(this.length + chunk.length, wanted));
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  #makeRoom(needed: number): void {
    // Twice the need, so that most chunks fit and bytes are seldom moved.
    const buffer = this.#buffer.length >= needed ? this.#buffer : Buffer.allocUnsafe(2 * needed);
    this.#buffer.copy(buffer, 0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
    this.#buffer = buffer;
  }
}
