import { tagOf } from './forms/tagOf.ts';
import type { RenderContext } from '../tree/renderContext.ts';
import { element, type Html } from '../tree/html.ts';
import { wordIn } from '../syntax/writeTags.ts';
import type { DocumentBlock } from '@bindery/contract';
import { oneOf } from '../syntax/attributes.ts';
import { present } from '../tree/nodes.ts';
import type { Block } from './block.ts';
import { readersOfParts, wordList } from './forms/tagReaders.ts';
import { words, writeContainer } from './forms/tagWriters.ts';

const readers = readersOfParts({
  type: 'updates',
  part: 'update',
  partType: 'update',
  dataOf: (element) => ({
    format: oneOf(element?.attributes.get('format'), ['numeric', 'full', 'short']) ?? 'full',
  }),
  partDataOf: ({ attributes }) => {
    const date = timeOf(attributes.get('date'));
    if (date === undefined) return undefined;
    const tags = wordList(attributes.get('tags')).map((tag) => ({ kind: 'tag', tag }));
    return present({ date, tags: tags.length > 0 ? tags : undefined });
  },
});

/** `{% updates format="full" %}` */
export const updates: Block = {
  tags: { updates: { read: readers.readWhole } },
  write: writeContainer('updates', (data) => words(data, 'format')),
  render: ({ data, nodes }, context) =>
    element(
      'section',
      { class: 'updates' },
      nodes.map((node) =>
        node.object === 'block' && node.type === 'update'
          ? renderUpdate(node, { format: wordIn(data, 'format'), context })
          : context.render([node]),
      ),
    ),
  isContainer: true,
};

/** `{% update date="2026-01-31" tags="a,b" %}` */
export const update: Block = {
  tags: { update: { partOf: 'updates', read: readers.readLonePart } },
  write: writeContainer('update', ({ date, tags }) => ({
    date: String(date).replace(/T00:00:00(?:\.0+)?Z$/, ''),
    tags: (tags as { tag: string }[] | undefined)?.map(({ tag }) => tag).join(','),
  })),
  render: (own, context) => renderUpdate(own, { format: 'full', context }),
  isContainer: true,
  needsContent: true,
};

function renderUpdate(
  { data = {}, nodes = [] }: DocumentBlock,
  { format, context }: { format: string; context: RenderContext },
): Html {
  const date = wordIn(data, 'date');
  const tags = ((data['tags'] ?? []) as { tag: string }[]).map(({ tag }) => tagOf(tag));
  return element('section', { class: 'update' }, [
    element('p', { class: 'title' }, [
      element('time', { datetime: date }, context.dateOf(date, format)),
      tags.map((tag) => [' ', tag]),
    ]),
    context.render(nodes),
  ]);
}

function timeOf(written: string | undefined): string | undefined {
  const text = written?.trim() ?? '';
  if (!/^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text)) return undefined;
  const time = new Date(/T/.test(text) && !/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? `${text}Z` : text);
  return Number.isNaN(time.getTime()) || time.toISOString().slice(0, 10) < '0001'
    ? undefined
    : time.toISOString();
}
