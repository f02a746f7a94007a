import { linkCard } from './forms/linkCard.ts';
import { wordIn } from '../syntax/writeTags.ts';
import { element } from '../tree/html.ts';
import { blockTag, type Attributes } from '../syntax/writeTags.ts';
import type { Data } from '../tree/nodes.ts';
import type { Block } from './block.ts';
import { html } from './forms/tagWriters.ts';

/**
 * `{% @integration/block %}`: written but never read, because the names belong to other systems.
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
  render: ({ data }, context) => {
    const props = (data['props'] ?? {}) as Data;
    const url = [data['url'], props['url']].find((each) => typeof each === 'string' && each !== '');
    const link = url === undefined ? undefined : context.linkOf({ kind: 'url', url });
    const name = `${wordIn(data, 'integration')} ${wordIn(data, 'block')}`.trim();
    const content = wordIn(props, 'content');
    return [
      linkCard('integration', { title: name, ...link, detail: link ? name : '' }),
      // Diagrams and the like: their source is all there is without the integration.
      content === '' ? '' : element('pre', {}, element('code', {}, content)),
    ];
  },
};
