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

/** A file of a form, as the browser names it. */
export type ChosenFile = { name: string; type: string; bytes: Uint8Array<ArrayBuffer> };

/** The files of a field; none when none was chosen. */
export function filesIn(fields: URLSearchParams, field: string): ChosenFile[] {
  const [names, types, texts] = ['name', 'type', 'base64'].map((part) => fields.getAll(`${field}.${part}`));
  return (texts ?? []).map((text, index) => ({
    name: names?.[index] ?? '',
    type: types?.[index] ?? '',
    bytes: new Uint8Array(Buffer.from(text, 'base64')),
  }));
}
