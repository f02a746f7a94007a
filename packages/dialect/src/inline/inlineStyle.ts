import { oneOf, type Attributes } from '../syntax/attributes.ts';
import { mark, type Mark } from '../tree/nodes.ts';
import { textColors } from './textColors.ts';

/** The icon that `class="fa-solid fa-gear"` names: the last of them. */
export function iconClass(attributes: Attributes): string | undefined {
  const names = (attributes.get('class') ?? '').split(/\s+/).filter((name) => /^fa-[\w-]{1,50}$/.test(name));
  return names.at(-1)?.slice(3);
}

/** The colours of `<mark style="color:red;background-color:$info;">`; undefined when none of them is known. */
export function colorMark(attributes: Attributes): Mark | undefined {
  const style = attributes.get('style') ?? '';
  const [, color] = /(?:^|;)\s*color:\s*([^;]+)/i.exec(style) ?? [];
  const [, background] = /background-color:\s*([^;]+)/i.exec(style) ?? [];
  const known = { text: oneOf(color?.trim(), textColors) ?? 'default', background: oneOf(background?.trim(), textColors) ?? 'default' };
  if (color === undefined && background === undefined) return mark('color', { text: 'default', background: 'yellow' });
  return known.text === 'default' && known.background === 'default' ? undefined : mark('color', known);
}
