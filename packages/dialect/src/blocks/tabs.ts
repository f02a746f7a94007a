import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import { wordIn } from '../syntax/writeTags.ts';
import { element, type Html } from '../tree/html.ts';
import type { RenderContext } from '../tree/renderContext.ts';
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
  // Where nobody can choose one, all of them stand one after the other.
  render: ({ nodes }, context) => {
    const name = context.tabGroup?.();
    if (name === undefined) return element('section', { class: 'tabs' }, context.render(nodes));
    const tabs = nodes.map((tab, index) => renderChoice(tab, { name, open: index === 0, context }));
    return element('div', { class: 'tabs' }, tabs);
  },
  isContainer: true,
};

/** A tab as one of a group of `details`, of which the browser keeps one open. */
function renderChoice(
  tab: DocumentNode,
  { name, open, context }: { name: string; open: boolean; context: RenderContext },
): Html {
  const { data = {}, nodes = [] } = tab as DocumentBlock;
  const title = wordIn(data, 'title');
  const summary = element('summary', {}, title.trim() === '' ? context.words.tab : title);
  return element('details', { name, open, class: 'tab' }, summary, context.render(nodes));
}

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
