/** Writes the tags of the dialect and of HTML as strings. */

export type Attributes = Record<string, string | number | boolean | undefined>;

/**
 * Writes text inside HTML, in the spelling of GitBook's files. Always on one line; several spaces count as
 * one.
 */
export function htmlText(text: string): string {
  return escapedHtml(text)
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/\r\n?|\n/g, '<br>');
}

/**
 * Writes `<name a="1" b>`; an attribute that is `true` has no value, one that is undefined or `false` is
 * omitted.
 */
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

/** Writes `{% name a="1" b="true" %}`; an undefined attribute is omitted. */
export function blockTag(name: string, attributes: Attributes = {}): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${tagValue(String(value))}"`);
  return `{% ${name}${written.join('')} %}`;
}

/** Writes the target of `{% include "target" %}`, which is read without any unescaping. */
export function includeValue(target: string): string {
  return target.replaceAll(/["\r\n]|%(?=\})/g, encodeURIComponent);
}

/**
 * Writes a value between quotes in a block tag: characters that would end it, or be read as something else,
 * become character references.
 */
export function tagValue(value: string): string {
  return value
    .replaceAll(/&(?=#|[a-z][a-z0-9]*;)/gi, '&#x26;')
    .replaceAll(
      /["“”<>\\\r\n]|%(?=\})|\{(?=%)/g,
      (letter) => `&#x${letter.charCodeAt(0).toString(16).toUpperCase()};`,
    );
}

export function htmlValue(value: string): string {
  return escapedHtml(value)
    .replaceAll(/\\(?=["']|$)/g, '&#x5C;')
    .replaceAll('"', '&#x22;')
    .replaceAll(/\r\n?|\n/g, '&#xA;');
}

/** Escapes characters that would be markup in HTML, or begin a block tag. */
export function escapedHtml(text: string): string {
  return text.replaceAll('&', '&#x26;').replaceAll('<', '&#x3C;').replaceAll('{%', '&#x7B;%');
}

/** Returns a text member of `data`; empty for any other value. */
export function wordIn(data: Record<string, unknown>, name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}
