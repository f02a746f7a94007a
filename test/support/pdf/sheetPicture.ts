import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inflateSync } from 'node:zlib';

/** A grey picture: a byte for each dot, row by row, 0 is black. */
export type Picture = { width: number; height: number; dots: Uint8Array };

const dotsPerInch = 36;
/** Small parts of a sheet are compared by their mean: versions of poppler smooth letters differently. */
const cellDots = 4;
const largestDifference = 24;

/** Draws a sheet, whose number counts from 1, as a small grey PNG. */
export async function drawSheet(path: string, sheet: number): Promise<Buffer> {
  const args = ['-r', String(dotsPerInch), '-gray', '-png', '-f', String(sheet), '-l', String(sheet), path];
  const { stdout } = await promisify(execFile)('pdftoppm', args, {
    maxBuffer: 16 * 1024 * 1024,
    encoding: 'buffer',
  });
  return stdout;
}

/** The part of two pictures that differs visibly, from 0 to 1. */
export function differenceOf(one: Picture, other: Picture): number {
  if (one.width !== other.width || one.height !== other.height) return 1;
  const [columns, rows] = [Math.ceil(one.width / cellDots), Math.ceil(one.height / cellDots)];
  const sums = new Float64Array(columns * rows);
  for (const [at, dot] of one.dots.entries()) {
    const cell =
      Math.floor(Math.floor(at / one.width) / cellDots) * columns + Math.floor((at % one.width) / cellDots);
    sums[cell] = (sums[cell] ?? 0) + dot - (other.dots[at] ?? 0);
  }
  const differing = sums.filter((sum) => Math.abs(sum) / cellDots ** 2 > largestDifference);
  return differing.length / sums.length;
}

/** Reads a PNG with 8 bits for each dot and colour, as pdftoppm writes it; of equal colours one is kept. */
export function readPng(png: Buffer): Picture {
  const [width, height, colours] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 2 ? 3 : 1];
  if (png[24] !== 8 || (png[25] !== 0 && png[25] !== 2) || png[28] !== 0)
    throw new Error('The PNG is not one that pdftoppm writes.');
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const packed = inflateSync(Buffer.concat(parts));
  const length = width * colours;
  const rows = new Uint8Array(length * height);
  for (let y = 0; y < height; y += 1) {
    const filter = packed[y * (length + 1)] ?? 0;
    for (let x = 0; x < length; x += 1) {
      const at = y * length + x;
      const left = x < colours ? 0 : (rows[at - colours] ?? 0);
      const up = rows[at - length] ?? 0;
      const corner = x < colours ? 0 : (rows[at - length - colours] ?? 0);
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      rows[at] = (packed[y * (length + 1) + 1 + x] ?? 0) + predicted;
    }
  }
  return { width, height, dots: rows.filter((_, index) => index % colours === 0) };
}

/** The neighbour nearest to `left + up - corner`, as the format of PNG defines it. */
function paeth(left: number, up: number, corner: number): number {
  const [byLeft, byUp, byCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}
