import { linkCard } from './forms/linkCard.ts';
import { blockTag } from '../syntax/writeTags.ts';
import { block, target } from '../tree/nodes.ts';
import type { Block } from './block.ts';
import { captionOf, readPlain } from './forms/tagReaders.ts';
import { html } from './forms/tagWriters.ts';

/** `{% file src="" %}` */
export const file: Block = {
  tags: {
    file: {
      closing: 'optional',
      read: (element, context) => {
        const src = element.attributes.get('src')?.trim();
        if (!src) return readPlain(element, context);
        return [block('file', { data: { ref: target(src) } }), ...captionOf(element, context)];
      },
    },
  },
  write: ({ data }, context) => [html(blockTag('file', { src: context.targetOf(data['ref']) }))],
  render: ({ data }, context) => linkCard('file', context.linkOf(data['ref'])),
  refersTo: 'file',
};
