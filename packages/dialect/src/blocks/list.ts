import { taskBox } from './forms/taskBox.ts';
import type { RenderContext } from '../tree/renderContext.ts';
import { element, type Html } from '../tree/html.ts';
import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import type { BlockContent, DefinitionContent, List, ListItem, PhrasingContent } from 'mdast';
import type { Element } from '../syntax/elements.ts';
import { htmlElement, type Attributes } from '../syntax/writeTags.ts';
import { contained } from '../tree/containers.ts';
import { deepestBlock } from '../tree/limits.ts';
import { block } from '../tree/nodes.ts';
import { blocksOf, deeper, type ParseContext } from '../tree/parseContext.ts';
import type { WriteContext } from '../tree/writeContext.ts';
import type { Block } from './block.ts';
import { htmlOfCell } from './forms/cell.ts';
import { ifRoom } from './forms/ifRoom.ts';

export const unorderedList: Block = {
  ...listOfType('unordered'),
  nodes: { list: ifRoom(4, readList) },
  elements: { ul: readHtmlList },
};
export const orderedList: Block = { ...listOfType('ordered'), elements: { ol: readHtmlList } };
export const taskList: Block = listOfType('tasks');

export const listItem: Block = {
  write: ({ nodes }, context) => context.flowOf(nodes),
  render: ({ data, nodes }, context) => [
    typeof data['checked'] === 'boolean' ? taskBox(data['checked'], context) : '',
    context.render(nodes),
  ],
  needsContent: true,
};

function listOfType(type: 'ordered' | 'unordered' | 'tasks'): Block {
  const isTask = type === 'tasks';
  const name = type === 'ordered' ? 'ol' : 'ul';
  return {
    write: ({ data, nodes }, context) => {
      const children = nodes
        .filter((node) => node.object === 'block')
        .map((item) => itemNode(item, { context, isTask }));
      const start = typeof data['start'] === 'number' ? data['start'] : 1;
      return [
        {
          type: 'list',
          ordered: type === 'ordered',
          ...(type === 'ordered' && { start }),
          spread: false,
          children,
        },
      ];
    },
    render: ({ data, nodes }, context) => {
      const start = data['start'];
      const isFirst = typeof start !== 'number' || start === 1;
      const items = nodes.flatMap((item) =>
        item.object === 'block' ? renderItem(item, isTask, context) : [],
      );
      return element(
        name,
        {
          class: isTask ? 'tasks' : undefined,
          start: isFirst ? undefined : Math.trunc(start),
        },
        items,
      );
    },
    writeHtml: (list, context) =>
      htmlElement(
        name,
        (list.nodes ?? []).map((item) => htmlOfItem(item, { context, isTask })).join(''),
        listAttributes(list),
      ),
  };
}

function readList(node: List, source: string, context: ParseContext): DocumentBlock[] {
  const isTasks = node.children.some(({ checked }) => typeof checked === 'boolean');
  const items = node.children.flatMap((item) =>
    readItem(item, { source, context: deeper(context, 4), isTasks }),
  );
  const start = node.start ?? 1;
  const plainKind = node.ordered ? 'list-ordered' : 'list-unordered';
  return contained(items, {
    container: isTasks ? 'list-tasks' : plainKind,
    make: (nodes, index) => {
      if (isTasks) return block('list-tasks', { nodes });
      if (!node.ordered) return block('list-unordered', { nodes });
      return block('list-ordered', { data: start + index === 1 ? {} : { start: start + index }, nodes });
    },
  });
}

/**
 * Reads an item up to a block that it may not contain; that block and the rest of the item are placed after
 * the list, which continues with the next item.
 */
function readItem(
  item: ListItem,
  { source, context, isTasks }: { source: string; context: ParseContext; isTasks: boolean },
): DocumentBlock[] {
  const blocks = context.page.childrenOf(
    item.children as (BlockContent | DefinitionContent)[],
    source,
    context,
  );
  const pieces = contained(blocks, {
    container: 'list-item',
    hasTitle: true,
    make: (nodes) =>
      block('list-item', { ...(isTasks && { data: { checked: item.checked === true } }), nodes }),
  });
  return pieces.flatMap((each, index) =>
    index > 0 && each.type === 'list-item' ? (each.nodes as DocumentBlock[]) : [each],
  );
}

function readHtmlList({ name, attributes, children }: Element, context: ParseContext): DocumentBlock[] {
  if (context.level + 4 > deepestBlock) return blocksOf(children, context);
  const isOrdered = name === 'ol';
  const start = Number(/^-?\d{1,9}$/.exec(attributes.get('start') ?? '1')?.[0] ?? 1);
  const inside = { ...deeper(context, 4), isHtml: true };
  const items = children.flatMap((child): DocumentBlock[] => {
    if (child.kind !== 'element' || child.name !== 'li') return blocksOf([child], inside);
    const blocks = blocksOf(child.children, inside);
    return contained(blocks, {
      container: 'list-item',
      hasTitle: true,
      make: (nodes) => block('list-item', { nodes }),
    });
  });
  return contained(items, {
    container: isOrdered ? 'list-ordered' : 'list-unordered',
    make: (nodes, index) =>
      isOrdered
        ? block('list-ordered', { data: start + index === 1 ? {} : { start: start + index }, nodes })
        : block('list-unordered', { nodes }),
  });
}

function itemNode(
  { data = {}, nodes = [] }: DocumentBlock,
  { context, isTask }: { context: WriteContext; isTask: boolean },
): ListItem {
  const children = context.flowOf(nodes) as ListItem['children'];
  if (!isTask) return { type: 'listItem', spread: false, children };
  // A checkbox needs text after it.
  const [first, ...rest] = children;
  const space: PhrasingContent = { type: 'text', value: ' ' };
  const head =
    first?.type === 'paragraph'
      ? { ...first, children: first.children.length > 0 ? first.children : [space] }
      : undefined;
  const all: ListItem['children'] = head
    ? [head, ...rest]
    : [{ type: 'paragraph', children: [space] }, ...children];
  return { type: 'listItem', spread: false, checked: data['checked'] === true, children: all };
}

function renderItem(item: DocumentBlock, isTask: boolean, context: RenderContext): Html {
  const box = isTask ? taskBox(item.data?.['checked'] === true, context) : '';
  return element('li', {}, box, context.render(item.nodes ?? []));
}

function listAttributes({ data = {} }: DocumentBlock): Attributes {
  return { start: typeof data['start'] === 'number' && data['start'] !== 1 ? data['start'] : undefined };
}

function htmlOfItem(
  item: DocumentNode,
  { context, isTask }: { context: WriteContext; isTask: boolean },
): string {
  if (item.object !== 'block') return '';
  const box = isTask ? `[${item.data?.['checked'] === true ? 'x' : ' '}] ` : '';
  return htmlElement('li', box + htmlOfCell(item.nodes ?? [], context));
}
