/** One write for each line would take long, and one text of all lines much memory. */
const pieceLength = 64 * 1024;

/**
 * Writes a JSON document as YAML that parsers of YAML 1.1 and 1.2 read as the same values: a string that
 * could be something else, such as a number, a boolean or a date, is quoted. js-yaml takes five times as
 * long.
 *
 * @returns the text in UTF-8, in pieces
 */
export function toYaml(document: object): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let text = '';
  const add = (part: string) => {
    text += part;
    if (text.length < pieceLength) return;
    pieces.push(Buffer.from(text));
    text = '';
  };
  /** @param lead  what comes before the first line; `indent` comes before all others */
  const put = (value: unknown, indent: string, lead: string): void => {
    if (typeof value !== 'object' || value === null) return add(` ${scalar(value, indent)}\n`);
    const inner = `${indent}  `;
    if (Array.isArray(value)) {
      if (value.length === 0) return add(' []\n');
      for (const [index, item] of value.entries()) {
        add(index === 0 ? `${lead}-` : `${indent}-`);
        put(item, inner, ' ');
      }
      return;
    }
    const members = Object.entries(value);
    if (members.length === 0) return add(' {}\n');
    for (const [index, [name, member]] of members.entries()) {
      add(`${index === 0 ? lead : indent}${key(name, indent)}:`);
      put(member, inner, `\n${inner}`);
    }
  };
  put(document, '', '');
  return [...pieces, Buffer.from(text)];
}

/** YAML reads a longer key only where a question mark introduces it. */
const longestKey = 1_000;

function key(name: string, indent: string): string {
  if (name.length > longestKey) return `? ${quoted(name)}\n${indent}`;
  return isPlain(name) ? name : quoted(name);
}

function scalar(value: unknown, indent: string): string {
  if (typeof value === 'number') return number(value);
  if (typeof value !== 'string') return String(value);
  if (isPlain(value)) return value;
  if (!isBlock(value)) return quoted(value);
  const isEnded = value.endsWith('\n');
  const lines = (isEnded ? value.slice(0, -1) : value).replaceAll(/^(?=.)/gm, indent);
  return `${isEnded ? '|' : '|-'}\n${lines}`;
}

/** YAML 1.1 knows no exponent without a fraction. */
function number(value: number): string {
  return String(value).replace(/^(-?\d+)e/, '$1.0e');
}

/** Begins like no number, date or sign of YAML, and has only visible characters and spaces. */
const plainText = /^[\p{L}/$_][\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;
/** A mapping, a comment, or a space that would be lost. */
const partOfYaml = /: | #|[: ]$/;
/** Booleans, null and numbers of YAML 1.1 and 1.2 that begin with a letter, as parsers understand them. */
const word = /^(?:y|n|yes|no|on|off|true|false|null|nan|e[-+]?\d+)$/i;

function isPlain(text: string): boolean {
  return plainText.test(text) && !partOfYaml.test(text) && !word.test(text);
}

/** Lines that begin and end with something visible, and end with one line break at most. */
const blockText =
  /^[\p{L}\p{M}\p{N}\p{P}\p{S}][\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\t\n]*[\p{L}\p{M}\p{N}\p{P}\p{S}]\n?$/u;

function isBlock(text: string): boolean {
  return text.includes('\n') && blockText.test(text);
}

/** What JSON allows within quotes and YAML does not, or not all parsers. */
// oxlint-disable-next-line no-control-regex -- these are the characters
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A string of JSON is one of YAML, too. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
