const units = ['kB', 'MB', 'GB'];

/** Writes a size in bytes for readers: 12 kB. */
export function sizeText(bytes: number): string {
  let [size, unit] = [bytes, 'bytes'];
  for (const next of units) {
    if (size < 1000) break;
    [size, unit] = [size / 1000, next];
  }
  return `${size < 10 && unit !== 'bytes' ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
