/** A field without spaces around it; undefined when it is empty. */
export function textIn(fields: URLSearchParams, name: string): string | undefined {
  return fields.get(name)?.trim() || undefined;
}

/** A text of several lines, which browsers send with CR LF; undefined when it is empty. */
export function linesIn(fields: URLSearchParams, name: string): string | undefined {
  return textIn(fields, name)?.replaceAll('\r\n', '\n');
}

/** Words with white space or commas between them, such as e-mail addresses on lines of their own. */
export function wordsIn(fields: URLSearchParams, name: string): string[] {
  return (fields.get(name) ?? '').split(/[\s,]+/).filter((word) => word !== '');
}
