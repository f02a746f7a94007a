const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

// Halves of characters outside the basic plane too.
const illegal = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Removes the characters that XML cannot express, not even as references. */
export function withoutIllegalCharacters(text: string): string {
  return text.replaceAll(illegal, '');
}

/** Writes text between tags. */
export function escapeText(text: string): string {
  return withoutIllegalCharacters(text).replaceAll(/[&<>\r]/g, (character) => references[character] ?? '');
}

/** Writes the value of an attribute, without its quotes. */
export function escapeAttribute(text: string): string {
  return withoutIllegalCharacters(text).replaceAll(
    /[&<>"\t\n\r]/g,
    (character) => references[character] ?? '',
  );
}
