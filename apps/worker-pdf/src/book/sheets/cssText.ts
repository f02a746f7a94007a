/**
 * Writes text as a CSS string. All but letters, digits and spaces of ASCII are escaped, so that no title ends
 * the string or the style element.
 */
export function cssText(text: string): string {
  const escaped = Array.from(text.toWellFormed(), (character) =>
    /[A-Za-z0-9 ]/.test(character) ? character : `\\${character.codePointAt(0)?.toString(16)} `,
  );
  return `"${escaped.join('')}"`;
}
