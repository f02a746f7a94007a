import { emojiCode, emojiOfCode } from '../tree/emoji.ts';

/** Icons whose meaning a character has; others have the name of an emoji, such as `rocket`. */
const symbols: Readonly<Record<string, string>> = {
  check: '✓',
  'circle-check': '✓',
  'square-check': '✓',
  xmark: '×',
  'circle-xmark': '×',
  'square-xmark': '×',
  times: '×',
  plus: '+',
  minus: '−',
  'arrow-right': '→',
  'arrow-left': '←',
  'arrow-up': '↑',
  'arrow-down': '↓',
  bolt: '⚡',
  'triangle-exclamation': '⚠️',
  'circle-info': 'ℹ️',
  info: 'ℹ️',
  'circle-question': '❓',
  'circle-exclamation': '❗',
  lightbulb: '💡',
  gear: '⚙️',
  cog: '⚙️',
  'magnifying-glass': '🔍',
  user: '👤',
  users: '👥',
  code: '</>',
  terminal: '>_',
  globe: '🌐',
  robot: '🤖',
};

/** Returns the character of an icon; undefined for an icon that only its name describes. */
export function symbolOfIcon(name: string): string | undefined {
  if (Object.hasOwn(symbols, name)) return symbols[name];
  const code = emojiCode(name.replaceAll('-', '_'));
  return code === undefined ? undefined : emojiOfCode(code);
}
