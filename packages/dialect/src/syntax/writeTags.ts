/** The tags of the dialect and of HTML, as strings. */

export type Attributes = Record<string, string | number | boolean | undefined>;

/** Text inside of HTML, in the spelling of GitBook's files. Always on one line; several spaces count as one. */
export function htmlText(text: string): string {
  return escapedHtml(text)
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/\r\n?|\n/g, '<br>');
}

/** `<name a="1" b>`; an attribute that is `true` has no value, one that is undefined or `false` is left out. */
export function htmlTag(name: string, attributes: Attributes = {}): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([key, value]) => (value === true ? ` ${key}` : ` ${key}="${htmlValue(String(value))}"`));
  return `<${name}${written.join('')}>`;
}

/** `<name a="1">content</name>` */
export function htmlElement(name: string, content: string, attributes: Attributes = {}): string {
  return `${htmlTag(name, attributes)}${content}</${name}>`;
}

/** `{% name a="1" b="true" %}`; an attribute that is undefined is left out. */
export function blockTag(name: string, attributes: Attributes = {}): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${tagValue(String(value))}"`);
  return `{% ${name}${written.join('')} %}`;
}

/** `{% include "target" %}`, where nothing is undone when it is read. */
export function includeValue(target: string): string {
  return target.replaceAll(/["\r\n]|%(?=\})/g, encodeURIComponent);
}

/** A value between quotes in a block tag: what would end it, or be read as something else, is a character reference. */
export function tagValue(value: string): string {
  return value
    .replaceAll(/&(?=#|[a-z][a-z0-9]*;)/gi, '&#x26;')
    .replaceAll(/["“”<>\\\r\n]|%(?=\})|\{(?=%)/g, (letter) => `&#x${letter.charCodeAt(0).toString(16).toUpperCase()};`);
}

export function htmlValue(value: string): string {
  return escapedHtml(value)
    .replaceAll(/\\(?=["']|$)/g, '&#x5C;')
    .replaceAll('"', '&#x22;')
    .replaceAll(/\r\n?|\n/g, '&#xA;');
}

/** What would be markup in HTML, or begin a block tag. */
export function escapedHtml(text: string): string {
  return text.replaceAll('&', '&#x26;').replaceAll('<', '&#x3C;').replaceAll('{%', '&#x7B;%');
}

/** A member of `data` that is text; empty when it is none. */
export function wordIn(data: Record<string, unknown>, name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}
