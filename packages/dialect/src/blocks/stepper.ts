import { element } from '../tree/html.ts';
import { iconIn } from '../syntax/attributes.ts';
import { present } from '../tree/nodes.ts';
import type { Block } from './block.ts';
import { readersOfParts } from './forms/tagReaders.ts';
import { words, writeContainer } from './forms/tagWriters.ts';

const readers = readersOfParts({
  type: 'stepper',
  part: 'step',
  partType: 'stepper-step',
  partDataOf: ({ attributes }) => present({ icon: iconIn(attributes) }),
});

/** `{% stepper %}` */
export const stepper: Block = {
  tags: { stepper: { read: readers.readWhole } },
  write: writeContainer('stepper'),
  render: ({ nodes }, context) =>
    element(
      'ol',
      { class: 'stepper' },
      nodes.map((step) => element('li', {}, context.render([step]))),
    ),
  isContainer: true,
};

/** `{% step %}` */
export const stepperStep: Block = {
  tags: { step: { partOf: 'stepper', read: readers.readLonePart } },
  write: writeContainer('step', (data) => words(data, 'icon')),
  render: ({ nodes }, context) => context.render(nodes),
  isContainer: true,
  needsContent: true,
};
