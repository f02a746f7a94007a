/**
 * A PDF value. A name is a JavaScript string that begins with a slash, with its `#` escapes decoded; every
 * character of a name stands for a byte.
 */
export type Value = number | boolean | null | string | Text | Ref | Value[] | Dict;
export type Dict = Map<string, Value>;

/** A reference to an object. Chromium writes generation 0 only. */
export class Ref {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}

/** A PDF string as it is written, with its delimiters: `(text)` or `<hex>`. */
export class Text {
  readonly raw: string;
  constructor(raw: string) {
    this.raw = raw;
  }
}

export function isDict(value: Value | undefined): value is Dict {
  return value instanceof Map;
}

/** Writes a value; `writeRef` decides what stands for each reference. */
export function write(value: Value, writeRef: (ref: Ref) => string): string {
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value === 'string') return writeName(value);
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Ref) return writeRef(value);
  if (value instanceof Text) return value.raw;
  if (Array.isArray(value)) return `[${value.map((item) => write(item, writeRef)).join(' ')}]`;
  let entries = '';
  for (const [name, item] of value) entries += `${writeName(name)} ${write(item, writeRef)}`;
  return `<<${entries}>>`;
}

export function writeNumber(value: number): string {
  const text = String(value);
  // PDF has no exponents.
  return text.includes('e') ? value.toFixed(10) : text;
}

function writeName(name: string): string {
  if (/^\/[\w.+*'@:-]*$/.test(name)) return name;
  return `/${name.slice(1).replaceAll(/[^\w.+*'@:-]/g, (character) => `#${hexByte(character.charCodeAt(0))}`)}`;
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
