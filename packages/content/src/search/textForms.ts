/** Normalizes text for searches: one form for each letter, however it was typed, in lower case. */
export function normalized(text: string): string {
  // The Turkish capital I with a dot leaves a combining dot.
  return isAscii(text) ? text.toLowerCase() : text.normalize('NFKC').toLowerCase().replaceAll('i\u0307', 'i');
}

/**
 * Removes accents and similar marks from a normalized text, for people who type without them: `größe` becomes
 * `grosse`, `ısı` becomes `isi`.
 *
 * Only marks that modify a letter are removed. The marks of Indian and other scripts are vowels, and stay.
 */
export function folded(text: string): string {
  if (isAscii(text)) return text;
  const bare = text.normalize('NFKD').replace(modifiers, '').normalize('NFC');
  return bare.replace(letters, (letter) => plainLetter[letter] ?? letter);
}

export function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are ASCII as well
  return /^[\u0000-\u007f]*$/.test(text);
}

// Combining diacritics; Hebrew points; Arabic vowel signs, hamza, and the stroke that only lengthens a word.
const modifiers = /\u0640|[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;

const plainLetter: Record<string, string> = {
  ß: 'ss',
  ı: 'i',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ς: 'σ',
};
const letters = new RegExp(`[${Object.keys(plainLetter).join('')}]`, 'g');
