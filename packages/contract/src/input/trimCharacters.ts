/**
 * Removes characters of a set from the end of a text, in linear time: an expression such as `/\/+$/` retries
 * a long run of them from each of its positions.
 * @param characters  each of one UTF-16 unit
 */
export function trimmedEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end -= 1;
  return text.slice(0, end);
}

/** Removes characters of a set from both ends of a text, like `trimmedEnd`. */
export function trimmedSides(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text[start] as string)) start += 1;
  return trimmedEnd(text.slice(start), characters);
}
