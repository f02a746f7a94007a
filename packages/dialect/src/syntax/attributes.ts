import { unescaped } from './commonMark.ts';

/** The attributes of a tag, by names in lower case; the value of a bare name is empty. */
export type Attributes = ReadonlyMap<string, string>;

const closers: Record<string, string> = {
  '"': '"”“',
  "'": "'’",
  '“': '”"“',
  '”': '”"',
  '„': '“”"',
  '‘': "’'",
  '’': "’'",
  '«': '»',
};
const maxCount = 100;

/**
 * Reads `name="value" other='x' flag n=1` of a tag or an element. Typographic quotes are quotes; an
 * unterminated quoted value extends to the end.
 */
export function readAttributes(text: string): Attributes {
  const attributes = new Map<string, string>();
  const name = /[^\s=/>"'“”„‘’«»,]+/y;
  let at = 0;
  while (at < text.length && attributes.size < maxCount) {
    name.lastIndex = at;
    const [word] = name.exec(text) ?? [];
    if (word === undefined) {
      at += 1;
      continue;
    }
    at = skipSpace(text, at + word.length);
    let value = '';
    if (text[at] === '=') {
      at = skipSpace(text, at + 1);
      const end = endOfValue(text, at);
      value = text.slice(end.from, end.to);
      at = end.next;
    }
    const key = word.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decoded(value));
  }
  return attributes;
}

function endOfValue(text: string, at: number): { from: number; to: number; next: number } {
  const ends = closers[text[at] ?? ''];
  if (ends === undefined) {
    let to = at;
    while (to < text.length && !/[\s>]/.test(text[to] as string)) to += 1;
    return { from: at, to, next: to };
  }
  const to = endOfQuoted(text, at, ends);
  return { from: at + 1, to, next: to + 1 };
}

/**
 * Between plain quotes, typographic ones are text, unless the next plain quote begins another value: then the
 * typographic one was the closing quote.
 */
function endOfQuoted(text: string, at: number, ends: string): number {
  const endAt = (letters: string) => {
    let to = at + 1;
    while (to < text.length && !letters.includes(text[to] as string)) to += text[to] === '\\' ? 2 : 1;
    return Math.min(to, text.length);
  };
  const quote = text[at] as string;
  if (quote !== '"' && quote !== "'") return endAt(ends);
  const end = endAt(quote);
  const beginsNext = /["'“”‘’]\s+[\w-]+\s*=\s*$/.test(text.slice(Math.max(at + 1, end - 100), end));
  return end < text.length && !beginsNext ? end : endAt(ends);
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (next < text.length && /\s/.test(text[next] as string)) next += 1;
  return next;
}

function decoded(value: string): string {
  return withoutEntities(value.replaceAll(/\\(["'])/g, '$1'));
}

/** Decodes the character references of HTML text. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  // `unescaped` also removes escapes of Markdown, which HTML does not have.
  return unescaped(text.replaceAll('\\', '\\\\'));
}

/** Reads a flag: `true` and a bare name mean yes; undefined without the attribute. */
export function flagIn(attributes: Attributes, name: string): boolean | undefined {
  const value = attributes.get(name);
  return value === undefined ? undefined : value.toLowerCase() !== 'false';
}

/** Returns the value if it is one of the choices. */
export function oneOf<T extends string>(value: string | undefined, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value?.toLowerCase());
}

/** Reads `50` as a number, `50%` and `10px` with their unit. */
export function lengthOf(value: string | undefined): number | { unit: string; value: number } | undefined {
  const [, digits, unit] = /^(\d{1,6}(?:\.\d{1,12})?)\s*(%|px|rem|em|vw)?$/.exec(value?.trim() ?? '') ?? [];
  if (digits === undefined) return undefined;
  return unit === undefined || unit === 'px' ? Number(digits) : { unit, value: Number(digits) };
}

export function iconIn(attributes: Attributes, name = 'icon'): string | undefined {
  const icon = attributes.get(name)?.replace(/^fa-/, '');
  return icon !== undefined && /^[\w-]{1,50}$/.test(icon) ? icon : undefined;
}
