import { emojiNames } from './emojiNames.ts';

const codes = new Map<string, string>();
const words = emojiNames.trim().split(/\s+/);
for (let index = 0; index + 1 < words.length; index += 2)
  codes.set(words[index] as string, codeOf(words[index + 1] as string));

/**
 * Returns the code points of the emoji with this name, as hexadecimal numbers joined by hyphens; undefined
 * for an unknown name.
 */
export function emojiCode(name: string): string | undefined {
  return codes.get(name.toLowerCase());
}

const names = new Map<string, string>();
for (const [name, code] of codes) if (!names.has(code)) names.set(code, name);

/** Returns the first name of the emoji with these code points. */
export function emojiName(code: string): string | undefined {
  return names.get(code);
}

/** Converts code points to characters. */
export function emojiOfCode(code: string): string {
  // A keycap, such as 3 with U+FE0F and U+20E3, begins with a digit but is no list of code points.
  const points = /^[\da-f-]+$/i.test(code) ? code.split('-').map((hex) => Number.parseInt(hex, 16)) : [0];
  const isEmoji = points.every(
    (point) => point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff),
  );
  return isEmoji ? String.fromCodePoint(...points) : code;
}

/** Without the variation selector for colour, which is implied. */
function codeOf(characters: string): string {
  return [...characters]
    .filter((character) => character !== '\uFE0F')
    .map((character) => (character.codePointAt(0) as number).toString(16))
    .join('-');
}
