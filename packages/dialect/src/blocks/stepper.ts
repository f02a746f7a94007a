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
  isContainer: true,
};

/** `{% step %}` */
export const stepperStep: Block = {
  tags: { step: { partOf: 'stepper', read: readers.readLonePart } },
  write: writeContainer('step', (data) => words(data, 'icon')),
  isContainer: true,
  needsContent: true,
};
