import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { messageOf } from '@bindery/runtime';
import { Refusal } from '../refusal.ts';

/** A file of a backup: BSON records, one after the other, compressed with gzip. */
export type Part = {
  /** `<collection>.bson.gz`. */
  file: string;
  records: number;
  /** Of the file, as its checksum. */
  sizeBytes: number;
  sha256: string;
};

/** Thrown for a backup that is incomplete or was changed. */
export class DamagedBackup extends Refusal {
  constructor(message: string, cause?: unknown) {
    super(`The backup is damaged: ${message}`, ['Use another backup.'], { cause });
  }
}

/** Half the time of the default level, and a tenth more bytes. */
const level = 3;
const bytesAtOnce = 256 * 1024;
/** Of a record: MongoDB's limit and its own margin. */
const maxRecordBytes = 16 * 1024 * 1024 + 64 * 1024;

export function partFile(name: string): string {
  return `${name}.bson.gz`;
}

/**
 * Writes a part; it is on the disk afterwards.
 *
 * @param records  BSON
 */
export async function writePart(
  folder: string,
  { name, records, signal }: { name: string; records: AsyncIterable<Uint8Array>; signal: AbortSignal },
): Promise<Part> {
  const part: Part = { file: partFile(name), records: 0, sizeBytes: 0, sha256: '' };
  const hash = createHash('sha256');
  // Readable by its owner only: it has the hashes of tokens, and everything that members write.
  const file = await open(join(folder, part.file), 'wx', 0o600);
  await pipeline(
    joined(records, () => (part.records += 1)),
    createGzip({ level, chunkSize: bytesAtOnce }),
    async function* count(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        part.sizeBytes += chunk.length;
        yield chunk;
      }
    },
    file.createWriteStream({ flush: true }),
    { signal },
  );
  return { ...part, sha256: hash.digest('hex') };
}

/** Each write to a compressor costs a turn of a thread, so small records go together. */
async function* joined(records: AsyncIterable<Uint8Array>, onRecord: () => void): AsyncIterable<Uint8Array> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const record of records) {
    onRecord();
    pending.push(record);
    size += record.length;
    if (size < bytesAtOnce) continue;
    yield Buffer.concat(pending);
    [pending, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(pending);
}

/**
 * Streams the records of a part, and checks at the end that it was whole.
 *
 * @throws DamagedBackup
 */
export async function* readPart(folder: string, part: Part): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let records = 0;
  try {
    for await (const record of recordsIn(unzipped(join(folder, part.file), hash))) {
      records += 1;
      yield record;
    }
  } catch (error) {
    throw error instanceof DamagedBackup
      ? error
      : new DamagedBackup(`${part.file} cannot be read: ${messageOf(error)}.`, error);
  }
  if (hash.digest('hex') !== part.sha256) throw new DamagedBackup(`${part.file} has another checksum.`);
  if (records !== part.records)
    throw new DamagedBackup(`${part.file} has ${records} records, not ${part.records}.`);
}

async function* unzipped(path: string, hash: { update(bytes: Uint8Array): unknown }): AsyncIterable<Buffer> {
  const unzip = createGunzip({ chunkSize: bytesAtOnce });
  const read = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  // Its errors also end `unzip`.
  const piped = pipeline(createReadStream(path, { highWaterMark: bytesAtOnce }), read, unzip);
  piped.catch(() => {});
  yield* unzip as AsyncIterable<Buffer>;
  await piped;
}

async function* recordsIn(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let pending: Buffer[] = [];
  let size = 0;
  let wanted = 4;
  for await (const chunk of chunks) {
    pending.push(chunk);
    size += chunk.length;
    if (size < wanted) continue;
    let rest = pending.length === 1 ? chunk : Buffer.concat(pending);
    for (wanted = 4; rest.length >= wanted;) {
      const length = rest.readInt32LE();
      if (length < 5 || length > maxRecordBytes) throw new Error('it does not consist of BSON records');
      if (rest.length < length) {
        wanted = length;
        break;
      }
      yield rest.subarray(0, length);
      rest = rest.subarray(length);
    }
    [pending, size] = [rest.length > 0 ? [rest] : [], rest.length];
  }
  if (size > 0) throw new Error('its last record is cut off');
}

/** Checks that all parts exist in their sizes, before anything is read. @throws DamagedBackup */
export async function requireParts(folder: string, parts: readonly Part[]): Promise<void> {
  for (const { file, sizeBytes } of parts) {
    const found = await stat(join(folder, file)).catch(() => undefined);
    if (!found) throw new DamagedBackup(`${file} is missing.`);
    if (found.size !== sizeBytes)
      throw new DamagedBackup(`${file} has ${found.size} bytes, not ${sizeBytes}.`);
  }
}
