import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';

const compress = promisify<Buffer, { level: number }, Buffer>(deflate);
const decompress = promisify<Uint8Array, Buffer>(inflate);

/** Bytes of a record: the driver of MongoDB wraps them. */
type StoredBytes = Uint8Array | { buffer: Uint8Array };

/** Compresses a value for a record, fast rather than small. */
export async function packJson(value: object): Promise<Buffer> {
  return compress(Buffer.from(JSON.stringify(value)), { level: 1 });
}

/** Reads a value that `packJson` wrote. */
export async function unpackJson<Value>(packed: StoredBytes): Promise<Value> {
  const bytes = await decompress(packed instanceof Uint8Array ? packed : packed.buffer);
  return JSON.parse(bytes.toString()) as Value;
}
