/**
 * Records of text, `<key> <value>`, each with a line feed in front of it. What is appended later counts; so a list that grows need not be
 * written anew, and one record of a large list is found without reading the others.
 */
export type Lines = Buffer;

/** Keys and values hold no line feed, keys that are looked up by `indexLines` no space. */
export function toLines(records: Iterable<readonly [key: string, value: string]>): Lines {
  let text = '';
  for (const [key, value] of records) text += `\n${key} ${value}`;
  return Buffer.from(text);
}

/** The value of one key, for a few keys of many. */
export function findLine(lines: Lines, key: string): string | undefined {
  const at = lines.lastIndexOf(`\n${key} `);
  if (at < 0) return undefined;
  const start = at + Buffer.byteLength(key) + 2;
  const end = lines.indexOf(0x0a, start);
  return lines.toString('utf8', start, end < 0 ? lines.length : end);
}

/** All values by their keys. */
export function indexLines(lines: Lines): Map<string, string> {
  const values = new Map<string, string>();
  const text = lines.toString();
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at + 1);
    const next = end < 0 ? text.length : end;
    const space = text.indexOf(' ', at);
    values.set(text.slice(at + 1, space), text.slice(space + 1, next));
    at = next;
  }
  return values;
}

/** Bytes that came from another process or from the database. */
export function asLines(bytes: Uint8Array): Lines {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
