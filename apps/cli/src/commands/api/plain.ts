/** Replaces control characters: texts of authors must not control the terminal. */
export function plain(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
