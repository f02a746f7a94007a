import { text } from '../input/input.ts';

/** An emoji as its characters or as hexadecimal code points joined by hyphens; it is kept as it was given. */
export const Emoji = text(1, 50)
  .refine(
    (value) => /^\p{RGI_Emoji}$/v.test(qualified(emojiOf(value))),
    'must be one emoji, as its characters or as hexadecimal code points joined by hyphens',
  )
  .meta({ id: 'Emoji' });

/** The same for each way to write an emoji: as characters or code points, with U+FE0F or without. */
export function emojiKey(value: string): string {
  return emojiOf(value).replaceAll('\uFE0F', '');
}

function emojiOf(value: string): string {
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6}){0,15}$/i.test(value)) return value;
  const points = value.split('-').map((hex) => Number.parseInt(hex, 16));
  // Halves of surrogate pairs are no characters, even where two of them would make one.
  return points.every((point) => point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)) ? String.fromCodePoint(...points) : value;
}

/** The form in which Unicode lists an emoji: U+FE0F behind each character that would be drawn as text without it. Many programs leave it out. */
function qualified(emoji: string): string {
  return emoji.replaceAll('\uFE0F', '').replaceAll(/(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu, '$&\uFE0F');
}
