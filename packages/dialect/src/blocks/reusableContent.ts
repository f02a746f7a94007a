import { linkCard } from './forms/linkCard.ts';
import { includeValue } from '../syntax/writeTags.ts';
import { block, target } from '../tree/nodes.ts';
import { blocksOf } from '../tree/parseContext.ts';
import type { Block } from './block.ts';
import { readPlain } from './forms/tagReaders.ts';
import { html } from './forms/tagWriters.ts';

/** `{% include "path" %}` */
export const reusableContent: Block = {
  tags: {
    include: {
      closing: 'optional',
      read: (element, context) => {
        const path = element.argument.replaceAll(/^["'“”‘’]|["'“”‘’]$/g, '').trim();
        if (path === '') return readPlain(element, context);
        return [
          block('reusable-content', { data: { ref: target(path) } }),
          ...blocksOf(element.children, context),
        ];
      },
    },
  },
  write: ({ data }, context) => [html(`{% include "${includeValue(context.targetOf(data['ref']))}" %}`)],
  // Its blocks replace it before (`inlineReusableContents`), unless it contains itself.
  render: ({ data }, context) => linkCard('content-ref', context.linkOf(data['ref'])),
  refersTo: 'reusable-content',
};
