import { crc32, deflateRawSync } from 'node:zlib';

// No library: an archive has a limit, and yazl and fflate tell the packed size of a file only in a finished
// archive, so that each file would be packed twice. Once alone, they need more than twice the processor time
// of this writer: for 3,000 pages of 25 MB, yazl 2.7 s and fflate 2.4 s, this writer 1.1 s.

export type ZipFile = { path: string; bytes: Buffer };

/** Bytes of the two headers of a file, without its name, which is in both. */
const headerBytes = 30 + 46;
const endBytes = 22;
/** Readers take a file that shrinks more for an attack. */
const maxRatio = 100;

/** Files as they stand in an archive. */
type Packed = { name: Buffer; method: 0 | 8; crc: number; size: number; data: Buffer };

/**
 * Writes ZIP archives that together have the files, each archive at most so large. Equal files give equal
 * archives: no times are written.
 *
 * @returns the archives; a file that does not fit in any has a rest of its own in `tooLarge`
 */
export function writeZips(
  files: readonly ZipFile[],
  { maxBytes }: { maxBytes: number },
): { archives: Buffer<ArrayBuffer>[]; tooLarge: string[] } {
  const archives: Buffer<ArrayBuffer>[] = [];
  const tooLarge: string[] = [];
  let group: Packed[] = [];
  let bytes = endBytes;
  const end = () => {
    if (group.length > 0) archives.push(archiveOf(group));
    group = [];
    bytes = endBytes;
  };
  for (const file of files) {
    const packed = pack(file);
    const own = packed.data.length + headerBytes + 2 * packed.name.length;
    if (endBytes + own > maxBytes) {
      tooLarge.push(file.path);
      continue;
    }
    if (bytes + own > maxBytes || group.length === 0xffff) end();
    group.push(packed);
    bytes += own;
  }
  end();
  return { archives, tooLarge };
}

function pack({ path, bytes }: ZipFile): Packed {
  const deflated = deflateRawSync(bytes);
  const isSmaller = deflated.length < bytes.length && bytes.length <= maxRatio * deflated.length;
  return {
    name: Buffer.from(path),
    method: isSmaller ? 8 : 0,
    crc: crc32(bytes),
    size: bytes.length,
    data: isSmaller ? deflated : bytes,
  };
}

/** See the format at https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
function archiveOf(files: readonly Packed[]): Buffer<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const common = commonFields(file);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, file.name]);
    parts.push(local, file.data);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    const made = Buffer.from([20, 0]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), made, common, rest, file.name]));
    offset += local.length + file.data.length;
  }
  const list = Buffer.concat(directory);
  const last = Buffer.alloc(endBytes);
  last.write('PK\x05\x06', 'latin1');
  last.writeUInt16LE(files.length, 8);
  last.writeUInt16LE(files.length, 10);
  last.writeUInt32LE(list.length, 12);
  last.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, last]);
}

/** The fields that both headers of a file have. */
function commonFields({ name, method, crc, size, data }: Packed): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  // Names are UTF-8.
  fields.writeUInt16LE(0x800, 2);
  fields.writeUInt16LE(method, 4);
  // The first day that the format has: 1980-01-01.
  fields.writeUInt16LE(0x21, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}
