import { blockTag, type Attributes } from '../syntax/writeTags.ts';
import type { Data } from '../tree/nodes.ts';
import type { Block } from './block.ts';
import { html } from './forms/tagWriters.ts';

/**
 * `{%
 *
 * @integration/block %}`: written but never read, because the names belong to other systems.
 */
export const integration: Block = {
  write: ({ data }) => {
    const { integration: name, block, props, ...more } = data;
    const all = { ...more, ...(props as Data) };
    const values = Object.entries(all).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    return [html(blockTag(`@${String(name)}/${String(block)}`, Object.fromEntries(values) as Attributes))];
  },
};
