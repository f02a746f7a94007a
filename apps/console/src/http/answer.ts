import type { Readable } from 'node:stream';
import type { EncodedText } from '@bindery/runtime';

/** A response to a browser. */
export type Answer = {
  status: number;
  contentType: string;
  /**
   * A string may have secrets; an encoded text is the same for everybody. Bytes are compressed already. A
   * stream is passed on as it comes.
   */
  body: string | EncodedText | Uint8Array | Readable;
  headers?: Record<string, string>;
};
