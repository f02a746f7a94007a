import { element } from '../tree/html.ts';
import { block } from '../tree/nodes.ts';
import type { Block } from './block.ts';

export const divider: Block = {
  nodes: { thematicBreak: () => [block('divider', { data: {} })] },
  elements: { hr: () => [block('divider', { data: {} })] },
  write: () => [{ type: 'thematicBreak' }],
  writeHtml: () => '<hr>',
  render: () => element('hr', {}),
};
