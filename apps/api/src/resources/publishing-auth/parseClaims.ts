/** Maximum nesting of the claims of a preview, deeper than any schema of claims. */
const maxDepth = 16;

/**
 * Parses the claims in a query: an object as JSON, or as Rison, a form of JSON for URLs such as
 * `(beta:!t,plan:pro)`; undefined for other texts.
 */
export function parseClaims(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = text.trimStart().startsWith('{') ? JSON.parse(text) : parseRison(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Parses Rison (https://rison.io): `!t !f !n` are true, false and null, `(a:1)` an object, `!(1,2)` a list,
 * `'it!'s'` a quoted text.
 */
function parseRison(text: string): unknown {
  const reading: Reading = { text, at: 0 };
  const value = readValue(reading, 0);
  if (reading.at < text.length) throw new SyntaxError('more than one value');
  return value;
}

type Reading = { readonly text: string; at: number };

function readValue(reading: Reading, depth: number): unknown {
  if (depth > maxDepth) throw new SyntaxError('nested too deep');
  if (take(reading, '!t')) return true;
  if (take(reading, '!f')) return false;
  if (take(reading, '!n')) return null;
  if (take(reading, '!(')) return readItems(reading, () => readValue(reading, depth + 1));
  if (take(reading, '(')) return readObject(reading, depth);
  if (take(reading, "'")) return readQuoted(reading);
  const word = readWord(reading);
  // A word that begins like a number must be one.
  if (!/^[-\d]/.test(word)) return word;
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e-?\d+)?$/i.test(word) || !Number.isFinite(Number(word)))
    throw new SyntaxError('no number');
  return Number(word);
}

function readObject(reading: Reading, depth: number): object {
  const object = Object.create(null) as Record<string, unknown>;
  readItems(reading, () => {
    const key = take(reading, "'") ? readQuoted(reading) : readWord(reading);
    if (!take(reading, ':')) throw new SyntaxError('no value');
    object[key] = readValue(reading, depth + 1);
  });
  return object;
}

function readItems<T>(reading: Reading, readItem: () => T): T[] {
  const items: T[] = [];
  if (take(reading, ')')) return items;
  do items.push(readItem());
  while (take(reading, ','));
  if (!take(reading, ')')) throw new SyntaxError('not closed');
  return items;
}

function readQuoted(reading: Reading): string {
  const [quoted, content = ''] = /^((?:[^'!]|![!'])*)'/.exec(reading.text.slice(reading.at)) ?? [];
  if (quoted === undefined) throw new SyntaxError('not closed');
  reading.at += quoted.length;
  return content.replaceAll(/!(.)/gs, '$1');
}

function readWord(reading: Reading): string {
  const [word = ''] = /^[^'!:(),*@$\s]*/.exec(reading.text.slice(reading.at)) ?? [];
  if (word === '') throw new SyntaxError('no value');
  reading.at += word.length;
  return word;
}

function take(reading: Reading, mark: string): boolean {
  if (!reading.text.startsWith(mark, reading.at)) return false;
  reading.at += mark.length;
  return true;
}
