import type { RootContent } from 'mdast';
import { blockTag, type Attributes } from '../../syntax/writeTags.ts';
import type { Dialect } from '../../syntax/writeMarkdown.ts';
import type { Data } from '../../tree/nodes.ts';
import type { WriteBlock } from '../block.ts';

export const html = (value: string): RootContent => ({ type: 'html', value });

/** Members of the data that are written as attributes of the same name. */
export const words = (data: Data, ...names: string[]): Attributes =>
  Object.fromEntries(names.map((name) => [name, data[name] as Attributes[string]]));

export function dialect(open: string, name: string, children: RootContent[]): Dialect {
  return { type: 'dialect', open, close: `{% end${name} %}`, isLoose: false, children };
}

/** `{% name %}` around the block's own blocks. */
export const writeContainer =
  (name: string, attributesOf: (data: Data) => Attributes = () => ({})): WriteBlock =>
  ({ data, nodes }, context) => [dialect(blockTag(name, attributesOf(data)), name, context.flowOf(nodes))];

/** The tag alone, or around what stood in it for readers elsewhere. */
export function bodyTag(tag: string, name: string, body: string): RootContent {
  return html(body === '' ? tag : `${tag}\n${body}\n{% end${name} %}`);
}
