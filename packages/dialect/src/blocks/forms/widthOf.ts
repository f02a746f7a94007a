/** Returns a length of an image or a column as CSS; undefined for none. Columns also have fractions. */
export function widthOf(length: unknown): string | undefined {
  if (typeof length === 'number') {
    if (!Number.isFinite(length) || length <= 0) return undefined;
    return length <= 1 ? `${Math.round(length * 1000) / 10}%` : `${Math.round(length)}px`;
  }
  const { value, unit } = (length ?? {}) as { value?: unknown; unit?: unknown };
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined;
  return unit === '%' || unit === 'px' ? `${Math.round(value * 10) / 10}${unit}` : undefined;
}
