/**
 * Removes the descriptor from a source of an `<img srcset>`: `a.png 2x` becomes `a.png`. File names may
 * contain commas and spaces, so only the text after the last space is removed.
 */
export function withoutDescriptor(srcset: string): string {
  const text = srcset.trimEnd();
  const [descriptor] = /(?<!\S)\d{1,12}(?:\.\d{1,12})?[xw]$/.exec(text.slice(-26)) ?? [];
  const rest = descriptor === undefined ? undefined : text.slice(0, -descriptor.length);
  return rest === undefined || rest.trimEnd() === rest ? srcset : rest.trimEnd();
}
