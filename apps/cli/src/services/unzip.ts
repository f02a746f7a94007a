import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';

type Member = { method: number; crc: number; packedBytes: number; sizeBytes: number; headerAt: number };

/**
 * Extracts one file from a ZIP archive, checked by its CRC. Streams, because a database server is larger than
 * the rest of the launcher. Supports the features that wheels use: stored and deflated members, below 4 GB,
 * no encryption.
 *
 * @throws when the archive is damaged or has no such file; `target` may then contain a part
 */
export async function unzipMember(
  archive: string,
  { member, target }: { member: string; target: string },
): Promise<void> {
  const { start, found } = await findMember(archive, member);
  if (found.method !== 0 && found.method !== 8)
    throw new Error(`${member} is packed by the unknown method ${found.method}.`);
  let crc = 0;
  let sizeBytes = 0;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      crc = crc32(chunk, crc);
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  const packed = createReadStream(archive, { start, end: start + found.packedBytes - 1 });
  const output = createWriteStream(target);
  if (found.method === 8) await pipeline(packed, createInflateRaw(), check, output);
  else await pipeline(packed, check, output);
  if (sizeBytes !== found.sizeBytes || crc !== found.crc)
    throw new Error(`${member} is damaged inside ${archive}.`);
}

/**
 * Reads the directory at the archive's end, then the member's own header, whose length may differ from the
 * directory's.
 */
async function findMember(archive: string, member: string): Promise<{ start: number; found: Member }> {
  const file = await open(archive);
  try {
    const { size } = await file.stat();
    const read = async (position: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      if (bytesRead !== length) throw new Error(`${archive} is cut off.`);
      return buffer;
    };

    const tailBytes = Math.min(size, 22 + 65_535);
    const tail = await read(size - tailBytes, tailBytes);
    const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
    if (end < 0) throw new Error(`${archive} is not a ZIP archive.`);
    const directory = await read(tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));

    const found = findInDirectory(directory, member);
    if (!found) throw new Error(`${archive} has no ${member}.`);
    const header = await read(found.headerAt, 30);
    return { start: found.headerAt + 30 + header.readUInt16LE(26) + header.readUInt16LE(28), found };
  } finally {
    await file.close();
  }
}

function findInDirectory(directory: Buffer, member: string): Member | undefined {
  for (let at = 0; at + 46 <= directory.length;) {
    const nameBytes = directory.readUInt16LE(at + 28);
    if (directory.toString('utf8', at + 46, at + 46 + nameBytes) === member) {
      return {
        method: directory.readUInt16LE(at + 10),
        crc: directory.readUInt32LE(at + 16),
        packedBytes: directory.readUInt32LE(at + 20),
        sizeBytes: directory.readUInt32LE(at + 24),
        headerAt: directory.readUInt32LE(at + 42),
      };
    }
    at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return undefined;
}
