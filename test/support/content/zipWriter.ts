import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a test archive, including values that no honest program would write. */
export type ZipEntry = {
  name: string | Buffer;
  content?: string | Uint8Array;
  /** The bytes in the archive, already compressed. */
  raw?: Uint8Array;
  isStored?: boolean;
  /** Overrides of size and checksum in the headers. */
  declaredSize?: number;
  declaredCrc?: number;
  /** Bits of the general purpose flag: 1 is encrypted. */
  flags?: number;
  /** Unix file type and permissions, such as 0o120777 for a symbolic link. */
  mode?: number;
  /** The offset in the central directory, when it points to the bytes of another entry. */
  offsetOf?: number;
};

/** Writes a ZIP archive byte by byte. */
export function writeZip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let position = 0;
  const add = (part: Buffer) => {
    parts.push(part);
    position += part.length;
  };
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? '');
    const packed = entry.isStored ? content : deflateRawSync(content);
    const data = entry.raw ? Buffer.from(entry.raw) : packed;
    const name = Buffer.isBuffer(entry.name) ? entry.name : Buffer.from(entry.name);
    const flags = (entry.flags ?? 0) | 0x800;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(entry.isStored && !entry.raw ? 0 : 8, 4);
    common.writeUInt32LE(entry.declaredCrc ?? crc32(content), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(entry.declaredSize ?? content.length, 18);
    common.writeUInt16LE(name.length, 22);
    offsets.push(position);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name]);
    const offset = entry.offsetOf === undefined ? position : (offsets[entry.offsetOf] as number);
    if (entry.offsetOf === undefined) {
      add(local);
      add(data);
    }
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    const madeBy = Buffer.from([20, entry.mode === undefined ? 0 : 3]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), madeBy, common, rest, name]));
  }
  const start = position;
  for (const record of directory) add(record);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8);
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10);
  end.writeUInt32LE(position - start, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([...parts, end]);
}

/** Writes a ZIP archive from paths and texts. */
export function zipOf(files: Record<string, string | Uint8Array>): Buffer {
  return writeZip(Object.entries(files).map(([name, content]) => ({ name, content })));
}
