import { wordIn } from '../syntax/writeTags.ts';
import { element } from '../tree/html.ts';
import { flagIn, iconIn } from '../syntax/attributes.ts';
import { present } from '../tree/nodes.ts';
import type { Block } from './block.ts';
import { readersOfParts } from './forms/tagReaders.ts';
import { words, writeContainer } from './forms/tagWriters.ts';

const readers = readersOfParts({
  type: 'tabs',
  part: 'tab',
  partType: 'tabs-item',
  dataOf: (element) => present({ fullWidth: element && flagIn(element.attributes, 'fullwidth') }),
  partDataOf: ({ attributes }) =>
    present({
      title: attributes.get('title'),
      icon: iconIn(attributes),
      slug: attributes.get('slug') || undefined,
    }),
});

/** `{% tabs %}` */
export const tabs: Block = {
  tags: { tabs: { read: readers.readWhole } },
  write: writeContainer('tabs', (data) => words(data, 'fullWidth')),
  // All of them, one after the other: nobody can choose one on paper.
  render: ({ nodes }, context) => element('section', { class: 'tabs' }, context.render(nodes)),
  isContainer: true,
};

/** `{% tab title="" %}` */
export const tabsItem: Block = {
  tags: { tab: { partOf: 'tabs', read: readers.readLonePart } },
  write: writeContainer('tab', (data) => words(data, 'title', 'icon', 'slug')),
  render: ({ data, nodes }, context) => {
    const title = wordIn(data, 'title');
    return element('section', { class: 'tab' }, [
      title.trim() === '' ? '' : element('p', { class: 'title' }, title),
      context.render(nodes),
    ]);
  },
  isContainer: true,
  needsContent: true,
};
