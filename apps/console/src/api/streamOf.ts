import { Readable } from 'node:stream';

/** The bytes of an answer as they come; none for an answer without a body. */
export function streamOf({ body }: Response): Readable {
  return body ? Readable.fromWeb(body) : Readable.from([]);
}
