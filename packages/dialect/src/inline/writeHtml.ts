import type { DocumentBlock, DocumentInline, DocumentNode } from '@bindery/contract';
import { writtenNodes } from '../tree/emptyBlocks.ts';
import { markTree, type Mark, type Marked, type MarkedInline } from './markTree.ts';
import { trimmed } from './trimmed.ts';
import { nameOfTarget } from '../links/writeRefs.ts';
import { emojiCode, emojiOfCode } from '../tree/emoji.ts';
import { escapedHtml, htmlElement, htmlTag, htmlText, wordIn, type Attributes } from '../syntax/writeTags.ts';

/** What the parts of a document need of each other while it is written. */
export type WriteContext = {
  targetOf: (ref: unknown) => string;
  /** Takes what an annotation says and gives the label of its footnote. */
  addNote: (blocks: DocumentNode[]) => string;
  /** A table, which may stand in a cell of another one. */
  htmlOfTable: (block: DocumentBlock) => string;
};

type Data = Record<string, unknown>;

/** What stands in a paragraph, as HTML on one line. White space around it would say nothing there. */
export function htmlOfInlines(nodes: readonly DocumentNode[], context: WriteContext): string {
  return htmlOfMarked(markTree(trimmed(nodes)), context);
}

function htmlOfMarked(marked: readonly Marked[], context: WriteContext): string {
  return marked
    .map((each) => {
      if (typeof each === 'string') return htmlWords(each);
      if (!('mark' in each)) return htmlOfInline(each, context);
      const [open, close] = htmlTagsOf(each.mark);
      return open + htmlOfMarked(each.children, context) + close;
    })
    .join('');
}

/** Text as it shall be read. */
export function htmlWords(text: string): string {
  return withoutEmojiNames(text).map(htmlText).join(noComment);
}

/** Nothing to read, and yet what stands on its two sides is not one word. */
export const noComment = '<!---->';

/** Text such as `:smile:` is read as an emoji, so it is cut behind the first colon. */
export function withoutEmojiNames(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index, 1: name = '' } of text.matchAll(/:([a-z0-9_+-]{1,50})(?=:)/gi)) {
    if (emojiCode(name) === undefined) continue;
    parts.push(text.slice(from, index + 1));
    from = index + 1;
  }
  return [...parts, text.slice(from)];
}

const markElements: Record<Exclude<Mark['type'], 'color'>, string> = {
  bold: 'strong',
  italic: 'em',
  code: 'code',
  keyboard: 'kbd',
  strikethrough: 'del',
  superscript: 'sup',
  subscript: 'sub',
};

export function htmlTagsOf({ type, data = {} }: Mark): [string, string] {
  if (type !== 'color') return [`<${markElements[type]}>`, `</${markElements[type]}>`];
  const style = [
    ['color', wordIn(data, 'text')],
    ['background-color', wordIn(data, 'background')],
  ]
    .filter(([, value]) => value !== '' && value !== 'default')
    .map(([property, value]) => `${property}:${value};`);
  return [htmlTag('mark', { style: style.join('') }), '</mark>'];
}

function htmlOfInline({ inline, children }: MarkedInline, context: WriteContext): string {
  const { type, data = {}, fragments = [] } = inline;
  if (type === 'link') return htmlElement('a', htmlOfMarked(children, context), { href: context.targetOf(data['ref']) });
  if (type === 'annotation') {
    const label = context.addNote(fragments.flatMap(({ nodes }) => nodes));
    return htmlElement('a', htmlOfMarked(children, context), { 'data-footnote-ref': true, href: `#user-content-fn-${label}` });
  }
  const { open, text, close } = elementOf(inline, context);
  return open + (type === 'icon' ? htmlText(text) : htmlWords(text)) + close;
}

type InlineElement = { open: string; text: string; close: string };

/** An inline that holds no other as an element of HTML, in Markdown too where that has no form of its own. `text` is still to be escaped. */
export function elementOf({ type, data = {} }: DocumentInline, context: WriteContext): InlineElement {
  return inlineElements[type]?.(data, context) ?? { open: '', text: '', close: '' };
}

function element(name: string, text: string, attributes: Attributes): InlineElement {
  return { open: htmlTag(name, attributes), text, close: `</${name}>` };
}

const inlineElements: Partial<Record<DocumentInline['type'], (data: Data, context: WriteContext) => InlineElement>> = {
  mention: (data, context) => {
    const target = context.targetOf(data['ref']);
    return element('a', wordIn(data, 'label') || nameOfTarget(target), { 'data-mention': true, href: target });
  },
  emoji: (data) => {
    const code = wordIn(data, 'code');
    return element('span', emojiOfCode(code), { 'data-gb-custom-inline': true, 'data-tag': 'emoji', 'data-code': code });
  },
  icon: (data) => {
    const [icon, color] = [wordIn(data, 'icon'), wordIn(data, 'color')];
    return element('i', `:${icon}:`, { class: `fa-${icon}`, style: color === '' ? undefined : `color:${color};` });
  },
  expression: (data) => element('code', wordIn(data, 'expression'), { class: 'expression' }),
  // HTML has no form for formulas.
  'inline-math': (data) => ({ open: '', text: `$$${wordIn(data, 'formula')}$$`, close: '' }),
  'inline-image': (data, context) => {
    const more = { 'data-size': data['size'] as string | undefined, title: data['caption'] as string | undefined };
    return { open: pictureOf(data, context, more), text: '', close: '' };
  },
  button: buttonOf,
};

/** Whether Markdown's own form says all there is to say about an image. */
export function isPlainImage({ data = {} }: DocumentInline): boolean {
  return data['refDark'] === undefined && data['size'] === undefined;
}

/** `<img>`, with another one for dark surroundings around it where there is one. */
function pictureOf(data: Data, context: WriteContext, more: Attributes): string {
  const image = htmlTag('img', { src: context.targetOf(data['ref']), alt: wordIn(data, 'alt'), ...more });
  if (data['refDark'] === undefined) return image;
  const dark = htmlTag('source', { srcset: context.targetOf(data['refDark']), media: '(prefers-color-scheme: dark)' });
  return htmlElement('picture', dark + image);
}

function buttonOf(data: Data, context: WriteContext): InlineElement {
  const style = { class: ['button', wordIn(data, 'kind'), wordIn(data, 'size')].filter((name) => name !== '').join(' ') };
  const icon = { 'data-icon': data['icon'] as string | undefined };
  const text = wordIn(data, 'label');
  if (data['ref'] !== undefined)
    return { open: htmlTag('a', { href: context.targetOf(data['ref']), ...style, ...icon }), text, close: '</a>' };
  const { action, ...further } = (data['action'] ?? {}) as Data;
  const more = Object.entries(further).map(([name, value]) => [
    `data-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const does: Attributes = { 'data-action': String(action), ...Object.fromEntries(more) };
  return { open: htmlTag('button', { type: 'button', ...style, ...does, ...icon }), text, close: '</button>' };
}

/** A paragraph of images is read as a block of them, and so it is written as one. */
function picturesOnly({ nodes = [] }: DocumentBlock, context: WriteContext): string | undefined {
  const images = nodes.filter((node) => node.object === 'inline');
  const isOnly = nodes.every((node) =>
    node.object === 'text'
      ? node.leaves.every(({ text }) => text.trim() === '')
      : node.type === 'inline-image' && node.data?.['size'] === undefined,
  );
  if (images.length === 0 || !isOnly) return undefined;
  const blocks = images.map(({ data = {} }): DocumentBlock => {
    const { caption, ...more } = data;
    const leaves = [{ object: 'leaf' as const, text: String(caption), marks: [] }];
    const words: DocumentNode = { object: 'block', type: 'paragraph', nodes: [{ object: 'text', leaves }] };
    return { object: 'block', type: 'image', data: more, fragments: caption === undefined ? [] : [{ object: 'fragment', nodes: [words] }] };
  });
  return htmlOfImages({ object: 'block', type: 'images', nodes: blocks }, context);
}

/** What stands in the cell of a table, as HTML on one line. A single paragraph is not set off as one. */
export function htmlOfCell(nodes: readonly DocumentNode[], context: WriteContext): string {
  const [only] = nodes;
  if (nodes.length === 1 && only?.object === 'block' && only.type === 'paragraph' && only.data?.['align'] === undefined)
    return picturesOnly(only, context) ?? htmlOfInlines(only.nodes ?? [], context);
  return htmlOfBlocks(nodes, context);
}

function htmlOfBlocks(nodes: readonly DocumentNode[], context: WriteContext): string {
  return writtenNodes(nodes)
    .map((node) => (node.object === 'block' ? htmlOfBlock(node, context) : htmlOfInlines([node], context)))
    .join('');
}

function htmlOfBlock(block: DocumentBlock, context: WriteContext): string {
  return (blockForms[block.type] ?? otherBlock)(block, context);
}

type BlockForm = (block: DocumentBlock, context: WriteContext) => string;

const heading =
  (name: string): BlockForm =>
  ({ data = {}, nodes = [] }, context) =>
    htmlElement(name, htmlOfInlines(nodes, context), { align: alignOf(data['align']) });

const list =
  (name: 'ol' | 'ul', isTask = false): BlockForm =>
  (block, context) =>
    htmlElement(name, (block.nodes ?? []).map((item) => htmlOfItem(item, { context, isTask })).join(''), listAttributes(block));

const blockForms: Partial<Record<DocumentBlock['type'], BlockForm>> = {
  paragraph: (block, context) =>
    picturesOnly(block, context) ?? htmlElement('p', htmlOfInlines(block.nodes ?? [], context), { align: alignOf(block.data?.['align']) }),
  'heading-1': heading('h2'),
  'heading-2': heading('h3'),
  'heading-3': heading('h4'),
  'list-ordered': list('ol'),
  'list-unordered': list('ul'),
  'list-tasks': list('ul', true),
  divider: () => '<hr>',
  blockquote: ({ nodes = [] }, context) => htmlElement('blockquote', htmlOfBlocks(nodes, context)),
  // A blank line would end the table that this stands in.
  code: (block, context) => htmlOfCode(block, context).replaceAll('\n', '&#xA;'),
  images: htmlOfImages,
  table: (block, context) => context.htmlOfTable(block),
  hint: ({ data = {}, nodes = [] }, context) =>
    htmlElement('div', htmlOfBlocks(nodes, context), {
      'data-gb-custom-block': true,
      'data-tag': 'hint',
      'data-style': wordIn(data, 'style'),
      'data-icon': data['icon'] as string | undefined,
      class: `hint hint-${wordIn(data, 'style')}`,
    }),
  math: ({ data = {} }) => htmlElement('p', htmlText(`$$${wordIn(data, 'formula')}$$`)),
};

function listAttributes({ data = {} }: DocumentBlock): Attributes {
  return { start: typeof data['start'] === 'number' && data['start'] !== 1 ? data['start'] : undefined };
}

function htmlOfItem(item: DocumentNode, { context, isTask }: { context: WriteContext; isTask: boolean }): string {
  if (item.object !== 'block') return '';
  const box = isTask ? `[${item.data?.['checked'] === true ? 'x' : ' '}] ` : '';
  return htmlElement('li', box + htmlOfCell(item.nodes ?? [], context));
}

/** Blocks for which cells have no form: what leads somewhere as a link, and the words of all others. */
function otherBlock({ data = {}, nodes = [], fragments = [] }: DocumentBlock, context: WriteContext): string {
  const inner = htmlOfBlocks([...fragments.flatMap((fragment) => fragment.nodes), ...nodes], context);
  const target = typeof data['url'] === 'string' ? data['url'] : data['ref'] === undefined ? '' : context.targetOf(data['ref']);
  const link = target === '' ? '' : htmlElement('p', htmlElement('a', htmlText(nameOfTarget(target)), { href: target }));
  return link + inner;
}

/** GitBook's form for code in which something is marked; on as many lines as it has. */
export function htmlOfCode({ data = {}, nodes = [] }: DocumentBlock, context: WriteContext): string {
  const syntax = wordIn(data, 'syntax');
  const lines = nodes.map((line) => {
    const text = `${line.object === 'block' ? htmlOfCodeLine(line.nodes ?? [], context) : ''}\n`;
    return line.object === 'block' && line.data?.['highlighted'] === true ? htmlElement('strong', text) : text;
  });
  // A line break right behind the tag would not count.
  if (lines[0] === '\n') lines.unshift('\n');
  const code = htmlElement('code', lines.join(''), { class: syntax === '' ? undefined : `lang-${syntax}` });
  return htmlElement('pre', code, {
    class: syntax === '' ? undefined : `language-${syntax}`,
    'data-title': data['title'] as string | undefined,
    'data-overflow': data['overflow'] as string | undefined,
    'data-line-numbers': data['lineNumbers'] === true,
    'data-full-width': data['fullWidth'] === true ? 'true' : undefined,
    'data-expandable': data['expandable'] === true ? 'true' : undefined,
    'data-collapsed-line-count': data['collapsedLineCount'] as number | undefined,
  });
}

function htmlOfCodeLine(nodes: readonly DocumentNode[], context: WriteContext): string {
  return nodes
    .map((node) => {
      if (node.object === 'text')
        return escapedHtml(
          node.leaves
            .map(({ text }) => text)
            .join('')
            .replaceAll(/[\r\n]+/g, ' '),
        );
      return htmlOfInlines([node], context);
    })
    .join('');
}

/** One line, also of several images. */
export function htmlOfImages({ data = {}, nodes = [] }: DocumentBlock, context: WriteContext): string {
  const figures = nodes.filter((node) => node.object === 'block').map((image) => figureOf(image, context));
  const attributes: Attributes = {
    align: data['align'] as string | undefined,
    'data-full-width': said(data['fullWidth']),
    'data-with-frame': said(data['withFrame']),
  };
  const isPlain = Object.values(attributes).every((value) => value === undefined);
  return figures.length === 1 && isPlain ? figures.join('') : htmlElement('div', figures.join(' '), attributes);
}

function figureOf({ data = {}, fragments = [] }: DocumentBlock, context: WriteContext): string {
  const caption = htmlOfBlocks(
    fragments.flatMap(({ nodes }) => nodes),
    context,
  );
  const picture = pictureOf(data, context, { width: lengthText(data['width']), height: lengthText(data['height']) });
  return htmlElement('figure', picture + htmlElement('figcaption', caption));
}

/** `true` and `false` as values that are written. */
export function said(value: unknown): string | undefined {
  return typeof value === 'boolean' ? String(value) : undefined;
}

/** A length as the attributes of images and columns hold it. */
export function lengthText(length: unknown): string | undefined {
  if (typeof length === 'number') return String(length);
  const { value, unit } = (length ?? {}) as { value?: unknown; unit?: unknown };
  return typeof value === 'number' && typeof unit === 'string' ? `${value}${unit}` : undefined;
}

const aligns: Record<string, string> = { start: 'left', center: 'center', end: 'right' };

export function alignOf(align: unknown): string | undefined {
  return typeof align === 'string' ? aligns[align] : undefined;
}
