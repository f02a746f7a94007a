/**
 * Text records, `<key> <value>`, each preceded by a line feed. The last line of a key counts; so a growing
 * list is appended to instead of rewritten, and one record of a large list is found without reading the
 * others.
 */
export type Lines = Buffer;

/** Keys and values contain no line feed; keys looked up by `indexLines` contain no space. */
export function toLines(records: Iterable<readonly [key: string, value: string]>): Lines {
  let text = '';
  for (const [key, value] of records) text += `\n${key} ${value}`;
  return Buffer.from(text);
}

/** Finds the value of one key; for a few keys of many. */
export function findLine(lines: Lines, key: string): string | undefined {
  const at = lines.lastIndexOf(`\n${key} `);
  if (at < 0) return undefined;
  const start = at + Buffer.byteLength(key) + 2;
  const end = lines.indexOf(0x0a, start);
  return lines.toString('utf8', start, end < 0 ? lines.length : end);
}

/** Indexes all values by key. */
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

/** Wraps bytes from another process or from the database. */
export function asLines(bytes: Uint8Array): Lines {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
