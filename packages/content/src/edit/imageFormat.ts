import { readAvif } from './avifFormat.ts';

/** A file type recognized by its first bytes; `dimensions` in pixels, if the bytes contain them. */
export type ImageFormat = { contentType: string; dimensions?: { width: number; height: number } };

/** Types that a file may claim only if its bytes confirm it. */
export const recognizedTypes: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/svg+xml',
  'application/pdf',
];

/**
 * Recognizes images and PDFs by their headers, without decoding them. Never throws, whatever the bytes are.
 */
export function imageFormatOf(bytes: Uint8Array): ImageFormat | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const read of [readPng, readJpeg, readGif, readWebp, readAvif, readPdf, readSvg]) {
    const found = read(file);
    if (!found) continue;
    const { contentType, dimensions } = found;
    // Dimensions of zero in a header are ignored.
    return dimensions && dimensions.width > 0 && dimensions.height > 0
      ? { contentType, dimensions }
      : { contentType };
  }
  return undefined;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function readPng(file: Buffer): ImageFormat | undefined {
  if (!file.subarray(0, 8).equals(pngSignature)) return undefined;
  const dimensions =
    file.length >= 24 ? { width: file.readUInt32BE(16), height: file.readUInt32BE(20) } : undefined;
  return { contentType: 'image/png', dimensions };
}

function readGif(file: Buffer): ImageFormat | undefined {
  if (!/^GIF8[79]a$/.test(file.toString('latin1', 0, 6))) return undefined;
  const dimensions =
    file.length >= 10 ? { width: file.readUInt16LE(6), height: file.readUInt16LE(8) } : undefined;
  return { contentType: 'image/gif', dimensions };
}

function readPdf(file: Buffer): ImageFormat | undefined {
  return file.toString('latin1', 0, 5) === '%PDF-' ? { contentType: 'application/pdf' } : undefined;
}

function readWebp(file: Buffer): ImageFormat | undefined {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  const dimensions = file.length >= 30 ? webpDimensions(file) : undefined;
  return { contentType: 'image/webp', dimensions };
}

function webpDimensions(file: Buffer): ImageFormat['dimensions'] {
  switch (file.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = file.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

function readJpeg(file: Buffer): ImageFormat | undefined {
  if (file[0] !== 0xff || file[1] !== 0xd8 || file[2] !== 0xff) return undefined;
  const dimensions = jpegDimensions(file);
  return { contentType: 'image/jpeg', dimensions };
}

/** Skips the segments before the frame header, each of which states its length. */
function jpegDimensions(file: Buffer): ImageFormat['dimensions'] {
  for (let at = 2; at + 9 <= file.length;) {
    if (file[at] !== 0xff) return undefined;
    const marker = file[at + 1] as number;
    // Fill bytes, and markers without a segment.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
    else at += 2 + file.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Enough for a declaration, comments and a document type before the root element. */
const svgHeadBytes = 8192;

function readSvg(file: Buffer): ImageFormat | undefined {
  const head = file.toString('utf8', 0, svgHeadBytes);
  if (!/^\uFEFF?\s*</.test(head)) return undefined;
  const [tag] = /<svg(?=[\s>/])[^>]{0,4000}/.exec(head) ?? [];
  if (tag === undefined) return undefined;
  const lengthOf = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*["']\\s*(\\d{1,6}(?:\\.\\d{1,6})?)(?:px)?\\s*["']`).exec(tag)?.[1];
  const [width, height] = [lengthOf('width'), lengthOf('height')];
  if (width !== undefined && height !== undefined)
    return { contentType: 'image/svg+xml', dimensions: { width: Number(width), height: Number(height) } };
  const box =
    /\sviewBox\s*=\s*["']\s*[-\d.]{1,12}[\s,]+[-\d.]{1,12}[\s,]+([\d.]{1,12})[\s,]+([\d.]{1,12})\s*["']/.exec(
      tag,
    );
  const dimensions = box && { width: Number(box[1]), height: Number(box[2]) };
  return {
    contentType: 'image/svg+xml',
    ...(dimensions &&
      Number.isFinite(dimensions.width) &&
      Number.isFinite(dimensions.height) && { dimensions }),
  };
}
