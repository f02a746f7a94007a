import { classes, element } from '../tree/html.ts';
import { iconIn, oneOf } from '../syntax/attributes.ts';
import { htmlElement, wordIn } from '../syntax/writeTags.ts';
import { present } from '../tree/nodes.ts';
import type { Block } from './block.ts';
import { readContainer } from './forms/tagReaders.ts';
import { words, writeContainer } from './forms/tagWriters.ts';

/** `{% hint style="info" %}` */
export const hint: Block = {
  tags: {
    hint: {
      read: readContainer('hint', ({ attributes }) =>
        present({
          style: hintStyle(attributes.get('style') ?? attributes.get('type')),
          icon: iconIn(attributes),
        }),
      ),
    },
  },
  write: writeContainer('hint', (data) => words(data, 'style', 'icon')),
  writeHtml: ({ data = {}, nodes = [] }, context) =>
    htmlElement('div', context.htmlOfBlocks(nodes), {
      'data-gb-custom-block': true,
      'data-tag': 'hint',
      'data-style': wordIn(data, 'style'),
      'data-icon': data['icon'] as string | undefined,
      class: `hint hint-${wordIn(data, 'style')}`,
    }),
  render: ({ data, nodes }, context) => {
    const style = oneOf(wordIn(data, 'style'), styles) ?? 'info';
    return element('aside', { class: classes('hint', style), role: 'note' }, [
      // Colours alone would not tell a hint from another on paper.
      element('p', { class: 'label' }, context.words[style]),
      context.render(nodes),
    ]);
  },
  isContainer: true,
  needsContent: true,
};

const styles = ['info', 'warning', 'danger', 'success'] as const;

/** Other tools call a success hint `tip` and an info hint `note`. */
function hintStyle(written: string | undefined): string {
  const style = written?.toLowerCase() ?? '';
  const known = oneOf(style, styles);
  if (known) return known;
  if (style === 'tip') return 'success';
  if (style === 'caution' || style === 'important') return 'warning';
  return style === 'error' ? 'danger' : 'info';
}
