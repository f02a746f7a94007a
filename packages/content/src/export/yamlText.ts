import { parseDocument, stringify, type Document, type Scalar } from 'yaml';

/** A replacement of a part of YAML; everything else stays as written. */
export type YamlEdit = { start: number; end: number; text: string };

export function parseYaml(text: string): Document.Parsed {
  return parseDocument(text, {
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
}

/** Writes a value on one line, also valid inside braces and brackets. */
export function yamlValue(value: string | number | boolean): string {
  const text = stringify(value, {
    lineWidth: 0,
    blockQuote: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  }).trimEnd();
  return typeof value === 'string' && /[,[\]{}\n]/.test(text) && !/^["']/.test(text)
    ? JSON.stringify(value)
    : text;
}

/** Replaces the value of a scalar; undefined for a scalar without a position. */
export function scalarEdit(
  text: string,
  { range }: Scalar,
  value: string | number | boolean,
): YamlEdit | undefined {
  if (!range) return undefined;
  const [start, end] = range;
  // A block scalar ends with its line.
  const rest = text[end - 1] === '\n' ? lineEndOf(text) : '';
  return { start, end, text: (text[start - 1] === ':' ? ' ' : '') + yamlValue(value) + rest };
}

export function withEdits(text: string, edits: readonly YamlEdit[]): string {
  let result = '';
  let position = 0;
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    result += text.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return result + text.slice(position);
}

export function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}
