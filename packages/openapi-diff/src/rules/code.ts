/** A value of a document as a code span: one line, not long, and without backticks of its own. */
export function code(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none');
  const line = text.slice(0, maxLength + 1).replaceAll(/[\s`\p{Cc}]/gu, (sign) => (sign === '`' ? "'" : ' '));
  return `\`${line.length > maxLength ? `${line.slice(0, maxLength)}...` : line || ' '}\``;
}

/** A list of values as code spans; the first ten of a long one. */
export function codes(values: readonly unknown[]): string {
  const shown = values.slice(0, maxValues).map(code).join(', ');
  const more = values.length - maxValues;
  return more > 0 ? `${shown} and ${more} more` : shown || 'none';
}

const maxLength = 80;
const maxValues = 10;
