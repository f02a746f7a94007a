import { oneOf, type Attributes } from '../syntax/attributes.ts';
import { mark, type Mark } from '../tree/nodes.ts';
import { textColors } from './textColors.ts';

/** Returns the icon of `class="fa-solid fa-gear"`: its last icon class. */
export function iconClass(attributes: Attributes): string | undefined {
  const names = (attributes.get('class') ?? '').split(/\s+/).filter((name) => /^fa-[\w-]{1,50}$/.test(name));
  return names.at(-1)?.slice(3);
}

/** Returns the colours of `<mark style="color:red;background-color:$info;">`; undefined if none is known. */
export function colorMark(attributes: Attributes): Mark | undefined {
  const style = attributes.get('style') ?? '';
  const [, color] = /(?:^|;)\s*color:\s*([^;]+)/i.exec(style) ?? [];
  const [, background] = /background-color:\s*([^;]+)/i.exec(style) ?? [];
  const known = {
    text: oneOf(color?.trim(), textColors) ?? 'default',
    background: oneOf(background?.trim(), textColors) ?? 'default',
  };
  if (color === undefined && background === undefined)
    return mark('color', { text: 'default', background: 'yellow' });
  return known.text === 'default' && known.background === 'default' ? undefined : mark('color', known);
}
