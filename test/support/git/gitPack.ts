import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** An object of a handwritten pack: whole, or a delta on an earlier entry (by index) or on an oid. */
export type PackEntry =
  | { type: 'commit' | 'tree' | 'blob'; content: Uint8Array; claimedSize?: number }
  | { type: 'delta'; base: number | string; delta: Uint8Array };

const numbers = { commit: 1, tree: 2, blob: 3 };

/** Writes a pack with a correct checksum around entries that may be wrong in any way. */
export function writePack(entries: PackEntry[], { count = entries.length } = {}): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(count, 8);
  const parts: Buffer[] = [header];
  const offsets: number[] = [];
  let offset = header.length;
  for (const entry of entries) {
    offsets.push(offset);
    const begun = parts.length;
    if (entry.type === 'delta') {
      parts.push(
        entryHeader(typeof entry.base === 'number' ? 6 : 7, entry.delta.length),
        typeof entry.base === 'number'
          ? distance(offset - (offsets[entry.base] ?? offset))
          : Buffer.from(entry.base, 'hex'),
        deflateSync(entry.delta),
      );
    } else {
      parts.push(
        entryHeader(numbers[entry.type], entry.claimedSize ?? entry.content.length),
        deflateSync(entry.content),
      );
    }
    for (const part of parts.slice(begun)) offset += part.length;
  }
  const body = Buffer.concat(parts);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

export function objectId(type: string, content: Uint8Array): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
}

/**
 * Encodes a delta: its two sizes and its instructions, where a number pair copies from the base and text is
 * inserted.
 */
export function writeDelta(
  baseSize: number,
  resultSize: number,
  steps: ([from: number, length: number] | string)[],
): Buffer {
  const instructions = steps.map((step) => {
    if (typeof step === 'string') return Buffer.concat([Buffer.from([step.length]), Buffer.from(step)]);
    const bytes = Buffer.alloc(8);
    bytes[0] = 0xff;
    bytes.writeUInt32LE(step[0], 1);
    bytes.writeUIntLE(step[1], 5, 3);
    return bytes;
  });
  return Buffer.concat([variableSize(baseSize), variableSize(resultSize), ...instructions]);
}

function entryHeader(type: number, size: number): Buffer {
  const rest = Math.floor(size / 16);
  const first = (type << 4) | (size & 15);
  return rest === 0 ? Buffer.from([first]) : Buffer.concat([Buffer.from([first | 0x80]), variableSize(rest)]);
}

function variableSize(size: number): Buffer {
  const bytes: number[] = [];
  for (let rest = size; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
}

function distance(value: number): Buffer {
  const bytes = [value & 0x7f];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1;
    bytes.unshift((rest & 0x7f) | 0x80);
  }
  return Buffer.from(bytes);
}
