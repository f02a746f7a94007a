import { widthOf } from './forms/widthOf.ts';
import { wordIn } from '../syntax/writeTags.ts';
import { classes, element } from '../tree/html.ts';
import { lengthText } from '../inline/writeHtml.ts';
import { flagIn, lengthOf, oneOf } from '../syntax/attributes.ts';
import { present } from '../tree/nodes.ts';
import type { Block } from './block.ts';
import { readersOfParts } from './forms/tagReaders.ts';
import { words, writeContainer } from './forms/tagWriters.ts';

const readers = readersOfParts({
  type: 'columns',
  part: 'column',
  partType: 'column',
  dataOf: (element) => present({ fullWidth: element && flagIn(element.attributes, 'fullwidth') }),
  partDataOf: ({ attributes }) =>
    present({
      width: lengthOf(attributes.get('width')),
      verticalAlignment: oneOf(attributes.get('valign'), ['top', 'middle', 'bottom']),
    }),
  hasTitle: false,
});

/** `{% columns %}` */
export const columns: Block = {
  tags: { columns: { read: readers.readWhole } },
  write: writeContainer('columns', (data) => words(data, 'fullWidth')),
  render: ({ nodes }, context) => element('div', { class: 'columns' }, context.render(nodes)),
  isContainer: true,
};

/** `{% column width="50%" %}` */
export const column: Block = {
  tags: { column: { partOf: 'columns', read: readers.readLonePart } },
  write: writeContainer('column', (data) => ({
    width: lengthText(data['width']),
    valign: data['verticalAlignment'] as string | undefined,
  })),
  render: ({ data, nodes }, context) =>
    element(
      'div',
      {
        class: classes('column', oneOf(wordIn(data, 'verticalAlignment'), ['top', 'middle', 'bottom'])),
        width: widthOf(data['width']),
      },
      context.render(nodes),
    ),
  isContainer: true,
  needsContent: true,
};
