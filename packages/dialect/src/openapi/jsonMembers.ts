const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openingBrace = 0x7b;
const openingBracket = 0x5b;
const closingBrace = 0x7d;
const closingBracket = 0x5d;

/** The bytes of a value in a JSON text. */
export type JsonSlice = { start: number; end: number };

/**
 * Finds the members of the object that begins at `start`, without parsing them. An empty map for another
 * value.
 *
 * Reads each byte once and allocates nothing but the names, so that single parts of a text of 50 MB can be
 * parsed where the whole has no room.
 *
 * @throws SyntaxError for a text that ends too early
 */
export function membersAt(json: Buffer, start: number): Map<string, JsonSlice> {
  const members = new Map<string, JsonSlice>();
  if (json[start] !== openingBrace) return members;
  for (let at = skipBlanks(json, start + 1); json[at] === quote;) {
    const endOfName = endOfString(json, at);
    const name = JSON.parse(json.toString('utf8', at, endOfName)) as string;
    const colonAt = skipBlanks(json, endOfName);
    if (json[colonAt] !== colon) throw new SyntaxError(`A colon is missing at byte ${colonAt}.`);
    const value = { start: skipBlanks(json, colonAt + 1), end: 0 };
    value.end = endOfValue(json, value.start);
    members.set(name, value);
    at = skipBlanks(json, value.end);
    if (json[at] === comma) at = skipBlanks(json, at + 1);
  }
  return members;
}

/** Finds the items of the list that begins at `start`. */
export function itemsAt(json: Buffer, start: number): JsonSlice[] {
  const items: JsonSlice[] = [];
  if (json[start] !== openingBracket) return items;
  for (let at = skipBlanks(json, start + 1); at < json.length && json[at] !== closingBracket;) {
    const end = endOfValue(json, at);
    items.push({ start: at, end });
    at = skipBlanks(json, end);
    if (json[at] === comma) at = skipBlanks(json, at + 1);
  }
  return items;
}

export function parseSlice(json: Buffer, { start, end }: JsonSlice): unknown {
  return JSON.parse(json.toString('utf8', start, end));
}

export function skipBlanks(json: Buffer, from: number): number {
  let at = from;
  while (at < json.length && (json[at] ?? 0) <= 0x20) at += 1;
  return at;
}

function endOfValue(json: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === quote) {
      at = endOfString(json, at) - 1;
      if (depth === 0) return at + 1;
    } else if (byte === openingBrace || byte === openingBracket) depth += 1;
    else if (byte === closingBrace || byte === closingBracket) {
      // A number or a word ends where its holder ends.
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (byte === comma && depth === 0) return at;
  }
  throw new SyntaxError('The text ends within a value.');
}

/** @param start  of the opening quote */
function endOfString(json: Buffer, start: number): number {
  for (let at = json.indexOf(quote, start + 1); at !== -1; at = json.indexOf(quote, at + 1)) {
    let before = at - 1;
    while (json[before] === backslash) before -= 1;
    if ((at - before) % 2 === 1) return at + 1;
  }
  throw new SyntaxError('The text ends within a string.');
}
