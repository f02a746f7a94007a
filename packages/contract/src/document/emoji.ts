import { text } from '../input/input.ts';

/** An emoji as its characters or as hexadecimal code points joined by hyphens; stored unchanged. */
export const Emoji = text(1, 50)
  .refine(
    (value) => /^\p{RGI_Emoji}$/v.test(qualified(emojiOf(value))),
    'must be one emoji, as its characters or as hexadecimal code points joined by hyphens',
  )
  .meta({ id: 'Emoji' });

/** Returns one key for all spellings of an emoji: as characters or code points, with or without U+FE0F. */
export function emojiKey(value: string): string {
  return emojiOf(value).replaceAll('\uFE0F', '');
}

function emojiOf(value: string): string {
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6}){0,15}$/i.test(value)) return value;
  const points = value.split('-').map((hex) => Number.parseInt(hex, 16));
  // A lone surrogate is not a character, and two of them in a list do not make one.
  return points.every((point) => point <= 0x10ffff && (point < 0xd800 || point > 0xdfff))
    ? String.fromCodePoint(...points)
    : value;
}

/**
 * Adds U+FE0F after each character that is drawn as text without it, as in Unicode's list of emoji. Many
 * programs omit it.
 */
function qualified(emoji: string): string {
  return emoji
    .replaceAll('\uFE0F', '')
    .replaceAll(/(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu, '$&\uFE0F');
}
