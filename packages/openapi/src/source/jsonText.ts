/** Functions that read the text of valid JSON without building its values. */

/** The number of keys in all objects, which is larger than in the values if an object names one twice. */
export function countKeys(text: string): number {
  let keys = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (code === colon) keys += 1;
  }
  return keys;
}

const quote = 0x22;
const colon = 0x3a;
export const comma = 0x2c;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;

/** The offset after a string that begins at `start`. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}

export function skipSpace(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

/** The offset after the value that begins at `start`. */
export function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return endOfString(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (code === openBrace || code === openBracket) depth += 1;
    else if (code === closeBrace || code === closeBracket) {
      depth -= 1;
      if (depth <= 0) return depth === 0 ? at + 1 : at;
    } else if (depth === 0 && code === comma) return at;
  }
  return text.length;
}

/** The key that a string of JSON is; most have no escapes. */
export function keyOf(text: string, start: number, end: number): string {
  const inside = text.slice(start + 1, end - 1);
  return inside.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : inside;
}
