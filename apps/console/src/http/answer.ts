import type { Readable } from 'node:stream';

/** A response to a browser. */
export type Answer = {
  status: number;
  contentType: string;
  /** A stream is passed on as it comes. */
  body: string | Uint8Array | Readable;
  headers?: Record<string, string>;
};
