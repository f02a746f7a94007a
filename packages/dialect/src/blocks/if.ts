import { element } from '../tree/html.ts';
import { wordIn } from '../syntax/writeTags.ts';
import type { Block } from './block.ts';
import { readContainer } from './forms/tagReaders.ts';
import { dialect } from './forms/tagWriters.ts';

/** `{% if visitor.claims.x %}` */
export const conditional: Block = {
  tags: {
    if: {
      read: readContainer('if', ({ argument }) => {
        const expression = argument.trim();
        return expression === '' ? undefined : { expression };
      }),
    },
  },
  write: ({ data, nodes }, context) => [
    dialect(`{% if ${wordIn(data, 'expression')} %}`, 'if', context.flowOf(nodes)),
  ],
  // `evaluateDocument` has removed the blocks that the reader may not see.
  render: ({ data, nodes }, context) =>
    element('section', { class: 'condition' }, [
      element('p', { class: 'label' }, ['Only if ', element('code', {}, wordIn(data, 'expression'))]),
      context.render(nodes),
    ]),
  isContainer: true,
  needsContent: true,
};
