import type { RootContent } from 'mdast';
import { blockTag, type Attributes } from '../../syntax/writeTags.ts';
import type { Dialect } from '../../syntax/writeMarkdown.ts';
import type { Data } from '../../tree/nodes.ts';
import type { WriteBlock } from '../block.ts';

export const html = (value: string): RootContent => ({ type: 'html', value });

/** Returns members of the data that are attributes of the same name. */
export const words = (data: Data, ...names: string[]): Attributes =>
  Object.fromEntries(names.map((name) => [name, data[name] as Attributes[string]]));

export function dialect(open: string, name: string, children: RootContent[]): Dialect {
  return { type: 'dialect', open, close: `{% end${name} %}`, isLoose: false, children };
}

/** Writes `{% name %}` around the block's own blocks. */
export const writeContainer =
  (name: string, attributesOf: (data: Data) => Attributes = () => ({})): WriteBlock =>
  ({ data, nodes }, context) => [dialect(blockTag(name, attributesOf(data)), name, context.flowOf(nodes))];

/** Writes the tag alone, or around its original content. */
export function bodyTag(tag: string, name: string, body: string): RootContent {
  return html(body === '' ? tag : `${tag}\n${body}\n{% end${name} %}`);
}
