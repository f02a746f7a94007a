/** The dimensions are in pixels, if the header states them. */
type AvifFormat = { contentType: 'image/avif'; dimensions?: { width: number; height: number } };

/** Items of usual files have far fewer; each is a few bytes of a header. */
const maxBoxes = 1_000;

/**
 * Recognizes an AVIF image or sequence. Its dimensions are the largest that its header states: those of the
 * whole image, of its tiles or of its thumbnail.
 */
export function readAvif(file: Buffer): AvifFormat | undefined {
  if (file.toString('latin1', 4, 8) !== 'ftyp') return undefined;
  const brands = file.toString('latin1', 8, Math.min(sizeAt(file, 0, file.length), 8 + 4 * 32));
  if (!/avi[fs]/.test(brands)) return undefined;
  let boxesLeft = maxBoxes;
  let largest = { width: 0, height: 0 };
  const note = (width: number, height: number) => {
    if (width * height > largest.width * largest.height) largest = { width, height };
  };
  const visit = (start: number, end: number): void => {
    for (let at = start; at + 8 <= end && boxesLeft > 0;) {
      boxesLeft -= 1;
      const next = sizeAt(file, at, end) + at;
      if (next < at + 8) return;
      const type = file.toString('latin1', at + 4, at + 8);
      const within = containers.get(type);
      if (within !== undefined) visit(at + 8 + within, next);
      // Version and flags, then width and height.
      if (type === 'ispe' && at + 20 <= next) note(file.readUInt32BE(at + 12), file.readUInt32BE(at + 16));
      // A sequence has a header for each track: its last fields are fixed-point numbers.
      if (type === 'tkhd' && next - 8 >= at + 8)
        note(file.readUInt32BE(next - 8) >>> 16, file.readUInt32BE(next - 4) >>> 16);
      at = next;
    }
  };
  visit(0, file.length);
  return { contentType: 'image/avif', dimensions: largest.width > 0 ? largest : undefined };
}

/** Boxes with boxes in them, and the bytes before those. */
const containers: ReadonlyMap<string, number> = new Map([
  ['meta', 4],
  ['iprp', 0],
  ['ipco', 0],
  ['moov', 0],
  ['trak', 0],
]);

/** The size of a box, which may not be larger than what is around it. */
function sizeAt(file: Buffer, at: number, end: number): number {
  if (at + 8 > file.length) return 0;
  const size = file.readUInt32BE(at);
  // 0: up to the end; 1: a size of 64 bits follows, which the header of an image does not need.
  return size === 0 || at + size > end ? end - at : size;
}
