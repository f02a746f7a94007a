import { linkCard } from './forms/linkCard.ts';
import { isWebTarget } from '@bindery/contract/linkTarget';
import { flagIn } from '../syntax/attributes.ts';
import { rawOf } from '../syntax/elements.ts';
import { blockTag } from '../syntax/writeTags.ts';
import { block, plainParagraph, present } from '../tree/nodes.ts';
import type { Block } from './block.ts';
import { captionOf, readPlain } from './forms/tagReaders.ts';
import { html, words } from './forms/tagWriters.ts';

/** `{% embed url="" %}`, or an `<iframe>` */
export const embed: Block = {
  tags: {
    embed: {
      closing: 'optional',
      read: (element, context) => {
        const url = element.attributes.get('url')?.trim();
        if (!url) return readPlain(element, context);
        const data = present({ url, fullWidth: flagIn(element.attributes, 'fullwidth') });
        return [block('embed', { data }), ...captionOf(element, context)];
      },
    },
  },
  elements: {
    iframe: (element) => {
      const url = element.attributes.get('src') ?? '';
      return [isWebTarget(url) ? block('embed', { data: { url } }) : plainParagraph(rawOf([element]))];
    },
  },
  write: ({ data }) => [html(blockTag('embed', words(data, 'url', 'fullWidth')))],
  render: ({ data }, context) => linkCard('embed', context.linkOf({ kind: 'url', url: data['url'] })),
};
