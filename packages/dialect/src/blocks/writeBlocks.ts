import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import type { ListItem, PhrasingContent, RootContent } from 'mdast';
import { writtenNodes } from '../tree/emptyBlocks.ts';
import { wordsOf } from '../tree/nodes.ts';
import { slugOf } from '../tree/slug.ts';
import { nameOfTarget } from '../links/writeRefs.ts';
import { blockTag, htmlElement, htmlTag, includeValue, wordIn, type Attributes } from '../syntax/writeTags.ts';
import { alignOf, htmlOfCode, htmlOfImages, htmlOfInlines, lengthText, type WriteContext } from '../inline/writeHtml.ts';
import { phrasingOf } from '../inline/writeInlines.ts';
import { tableNode } from './writeTable.ts';
import type { Dialect } from '../syntax/writeText.ts';

type Data = Record<string, unknown>;
type Form = (block: DocumentBlock & { data: Data; nodes: DocumentNode[] }, context: WriteContext) => RootContent[];

/** Blocks as nodes of Markdown, with the dialect's tags and HTML for what Markdown has no form of its own for. */
export function flowOf(nodes: readonly DocumentNode[], context: WriteContext): RootContent[] {
  return writtenNodes(nodes).flatMap((node): RootContent[] => {
    if (node.object !== 'block') return [{ type: 'paragraph', children: phrasingOf([node], context) }];
    return forms[node.type]({ ...node, data: node.data ?? {}, nodes: node.nodes ?? [] }, context);
  });
}

const html = (value: string): RootContent => ({ type: 'html', value });
const words = (data: Data, ...names: string[]): Attributes =>
  Object.fromEntries(names.map((name) => [name, data[name] as Attributes[string]]));

function dialect(open: string, name: string, children: RootContent[]): Dialect {
  return { type: 'dialect', open, close: `{% end${name} %}`, isLoose: false, children };
}

/** `{% name %}` around the block's own blocks. */
const container =
  (name: string, attributesOf: (data: Data) => Attributes = () => ({})): Form =>
  ({ data, nodes }, context) => [dialect(blockTag(name, attributesOf(data)), name, flowOf(nodes, context))];

const heading =
  (depth: 2 | 3 | 4): Form =>
  ({ data, nodes, meta }, context) => {
    const align = alignOf(data['align']);
    const id = wordIn(data, 'id') || ownAnchor(meta?.id, nodes);
    const anchor = id === '' ? '' : htmlElement('a', '', { href: `#${id}`, id });
    if (align !== undefined) return [html(htmlElement(`h${depth}`, htmlOfInlines(nodes, context) + anchor, { align }))];
    const children = phrasingOf(nodes, context);
    return [
      {
        type: 'heading',
        depth,
        children: anchor === '' ? children : [...children, { type: 'text', value: ' ' }, { type: 'html', value: anchor }],
      },
    ];
  };

/** An anchor that was not made of the words of the heading. */
function ownAnchor(id: string | undefined, nodes: readonly DocumentNode[]): string {
  if (id === undefined) return '';
  const slug = slugOf(nodes.map((node) => (node.object === 'block' ? '' : wordsOf(node))).join(''));
  return id === slug || (id.startsWith(`${slug}-`) && /^\d+$/.test(id.slice(slug.length + 1))) ? '' : id;
}

const list =
  (type: 'ordered' | 'unordered' | 'tasks'): Form =>
  ({ data, nodes }, context) => {
    const children = nodes.filter((node) => node.object === 'block').map((item) => itemNode(item, { context, isTask: type === 'tasks' }));
    const start = typeof data['start'] === 'number' ? data['start'] : 1;
    return [{ type: 'list', ordered: type === 'ordered', ...(type === 'ordered' && { start }), spread: false, children }];
  };

function itemNode({ data = {}, nodes = [] }: DocumentBlock, { context, isTask }: { context: WriteContext; isTask: boolean }): ListItem {
  const children = flowOf(nodes, context) as ListItem['children'];
  if (!isTask) return { type: 'listItem', spread: false, children };
  // A box is one only in front of words.
  const [first, ...rest] = children;
  const space: PhrasingContent = { type: 'text', value: ' ' };
  const head = first?.type === 'paragraph' ? { ...first, children: first.children.length > 0 ? first.children : [space] } : undefined;
  const all: ListItem['children'] = head ? [head, ...rest] : [{ type: 'paragraph', children: [space] }, ...children];
  return { type: 'listItem', spread: false, checked: data['checked'] === true, children: all };
}

/** A tag, and a link to what it stands for, for readers that do not know the tag. */
function linkTag(tag: string, name: string, link: { label: string; target: string }): RootContent {
  const { label, target } = link;
  const children: RootContent[] =
    target === ''
      ? []
      : [{ type: 'paragraph', children: [{ type: 'link', url: target, title: null, children: [{ type: 'text', value: label }] }] }];
  return dialect(tag, name, children);
}

/** The tag alone, or around what stood in it for readers elsewhere. */
function bodyTag(tag: string, name: string, body: string): RootContent {
  return html(body === '' ? tag : `${tag}\n${body}\n{% end${name} %}`);
}

const openapi =
  (name: string, attributesOf: (data: Data) => Attributes): Form =>
  ({ data }) => {
    const spec = wordIn((data['ref'] ?? {}) as Data, 'spec');
    return [bodyTag(blockTag(name, { spec, ...attributesOf(data) }), name, wordIn(data, 'body'))];
  };

const forms: Record<DocumentBlock['type'], Form> = {
  paragraph: ({ data, nodes }, context) => {
    const align = alignOf(data['align']);
    if (align !== undefined) return [html(htmlElement('p', htmlOfInlines(nodes, context), { align }))];
    return [{ type: 'paragraph', children: phrasingOf(nodes, context) }];
  },
  // The title of a page is its own heading of the first level.
  'heading-1': heading(2),
  'heading-2': heading(3),
  'heading-3': heading(4),
  'list-ordered': list('ordered'),
  'list-unordered': list('unordered'),
  'list-tasks': list('tasks'),
  'list-item': ({ nodes }, context) => flowOf(nodes, context),
  divider: () => [{ type: 'thematicBreak' }],
  blockquote: ({ nodes }, context) => [{ type: 'blockquote', children: flowOf(nodes, context) as never }],
  hint: container('hint', (data) => words(data, 'style', 'icon')),
  prompt: container('prompt', (data) => words(data, 'description', 'icon', 'openInAIProviders', 'defaultExpanded')),
  images: (block, context) => (block.nodes.length === 0 ? [] : [html(htmlOfImages(block, context))]),
  image: (block, context) => [html(htmlOfImages({ ...block, data: {}, nodes: [block] }, context))],
  file: ({ data }, context) => [html(blockTag('file', { src: context.targetOf(data['ref']) }))],
  drawing: ({ data }, context) => {
    const src = data['ref'] === undefined ? undefined : context.targetOf(data['ref']);
    return [html(htmlTag('img', { src, alt: wordIn(data, 'alt'), class: 'gitbook-drawing' }))];
  },
  embed: ({ data }) => [html(blockTag('embed', words(data, 'url', 'fullWidth')))],
  code: codeBlock,
  'code-line': () => [],
  math: ({ data }) => [{ type: 'math', value: wordIn(data, 'formula') } as never],
  expandable: ({ data, fragments = [] }, context) => {
    const nodesOf = (name: string) => fragments.filter(({ fragment }) => fragment === name).flatMap(({ nodes }) => nodes);
    const title = nodesOf('expandable-title').flatMap((node) => ('nodes' in node ? (node.nodes ?? []) : []));
    const summary = html(htmlElement('summary', htmlOfInlines(title, context)));
    const open = htmlTag('details', { open: data['defaultExpanded'] === true });
    return [
      { type: 'dialect', open, close: '</details>', isLoose: true, children: [summary, ...flowOf(nodesOf('expandable-body'), context)] },
    ];
  },
  tabs: container('tabs', (data) => words(data, 'fullWidth')),
  'tabs-item': container('tab', (data) => words(data, 'title', 'icon', 'slug')),
  table: tableNode,
  swagger: ({ data }, context) => {
    const attributes = { src: context.targetOf(data['ref']), ...words(data, 'path', 'method', 'expanded', 'fullWidth') };
    return [bodyTag(blockTag('openapi', attributes), 'openapi', wordIn(data, 'body'))];
  },
  'openapi-operation': openapi('openapi-operation', (data) => words(data, 'path', 'method', 'headless')),
  'openapi-schemas': openapi('openapi-schemas', (data) => ({
    schemas: ((data['schemas'] ?? []) as string[]).join(','),
    ...words(data, 'grouped', 'title'),
  })),
  'openapi-webhook': openapi('openapi-webhook', (data) => words(data, 'name', 'method', 'headless')),
  'content-ref': ({ data }, context) => {
    const target = context.targetOf(data['ref']);
    return [
      linkTag(blockTag('content-ref', { url: target }), 'content-ref', { label: wordIn(data, 'label') || nameOfTarget(target), target }),
    ];
  },
  integration: ({ data }) => {
    const { integration, block, props, ...more } = data;
    const all = { ...more, ...(props as Data) };
    const values = Object.entries(all).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]);
    return [html(blockTag(`@${String(integration)}/${String(block)}`, Object.fromEntries(values) as Attributes))];
  },
  'reusable-content': ({ data }, context) => [html(`{% include "${includeValue(context.targetOf(data['ref']))}" %}`)],
  stepper: container('stepper'),
  'stepper-step': container('step', (data) => words(data, 'icon')),
  if: ({ data, nodes }, context) => [dialect(`{% if ${wordIn(data, 'expression')} %}`, 'if', flowOf(nodes, context))],
  columns: container('columns', (data) => words(data, 'fullWidth')),
  column: container('column', (data) => ({ width: lengthText(data['width']), valign: data['verticalAlignment'] as string | undefined })),
  updates: container('updates', (data) => words(data, 'format')),
  update: container('update', ({ date, tags }) => ({
    date: String(date).replace(/T00:00:00(?:\.0+)?Z$/, ''),
    tags: (tags as { tag: string }[] | undefined)?.map(({ tag }) => tag).join(','),
  })),
};

function codeBlock(block: DocumentBlock & { data: Data; nodes: DocumentNode[] }, context: WriteContext): RootContent[] {
  const { data, nodes } = block;
  const isRich = nodes.some(
    (line) => line.object === 'block' && (line.data?.['highlighted'] === true || line.nodes?.some(({ object }) => object !== 'text')),
  );
  if (isRich) return [html(htmlOfCode(block, context))];
  const value = nodes.map((line) => (line.object === 'block' ? textOf(line.nodes ?? []) : '')).join('\n');
  const fence: RootContent = { type: 'code', lang: wordIn(data, 'syntax') || null, meta: wordIn(data, 'meta') || null, value };
  const attributes = words(data, 'title', 'overflow', 'lineNumbers', 'fullWidth', 'expandable', 'collapsedLineCount');
  const isPlain = Object.values(attributes).every((each) => each === undefined);
  return isPlain ? [fence] : [dialect(blockTag('code', attributes), 'code', [fence])];
}

function textOf(nodes: readonly DocumentNode[]): string {
  return nodes
    .flatMap((node) => (node.object === 'text' ? node.leaves.map(({ text }) => text) : []))
    .join('')
    .replaceAll(/[\r\n]+/g, ' ');
}
