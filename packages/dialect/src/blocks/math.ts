import { element } from '../tree/html.ts';
import { htmlElement, htmlText, wordIn } from '../syntax/writeTags.ts';
import { block } from '../tree/nodes.ts';
import type { Block } from './block.ts';

/** A formula between lines of `$$`. */
export const math: Block = {
  nodes: {
    math: ({ meta, value }) => [
      block('math', { data: { formula: [meta, value].filter(Boolean).join('\n') } }),
    ],
  },
  write: ({ data }) => [{ type: 'math', value: wordIn(data, 'formula') } as never],
  render: ({ data }, context) =>
    element('div', { class: 'formula' }, context.formula(wordIn(data, 'formula'), 'block')),
  writeHtml: ({ data = {} }) => htmlElement('p', htmlText(`$$${wordIn(data, 'formula')}$$`)),
};
