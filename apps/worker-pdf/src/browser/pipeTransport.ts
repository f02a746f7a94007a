import type { Readable, Writable } from 'node:stream';
import type { ConnectionTransport } from 'puppeteer-core';

/**
 * Chromium's protocol over two pipes: JSON, each message ended by NUL. Over pipes, the browser ends with this
 * process, and no other process can connect to it.
 */
export class PipeTransport implements ConnectionTransport {
  readonly #input: Writable;
  #held: Buffer[] = [];
  onmessage?: (message: string) => void;
  onclose?: () => void;

  constructor(input: Writable, output: Readable) {
    this.#input = input;
    output.on('data', (bytes: Buffer) => this.#take(bytes));
    output.on('close', () => this.onclose?.());
    // A broken pipe is noticed by its end.
    for (const stream of [input, output]) stream.on('error', () => {});
  }

  send(message: string): void {
    this.#input.write(`${message}\0`);
  }

  close(): void {
    this.#input.end();
  }

  #take(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
      const message = Buffer.concat([...this.#held, bytes.subarray(start, end)]).toString();
      this.#held = [];
      start = end + 1;
      // Not within this call: an answer may be awaited by the code that handles the message before it.
      setImmediate(() => this.onmessage?.(message));
    }
    if (start < bytes.length) this.#held.push(bytes.subarray(start));
  }
}
