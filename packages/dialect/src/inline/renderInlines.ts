import type { DocumentInline, DocumentNode, InlineType, MarkType } from '@bindery/contract';
import { wordIn } from '../syntax/writeTags.ts';
import { emojiOfCode } from '../tree/emoji.ts';
import { classes, element, lines, type Html } from '../tree/html.ts';
import { wordsOf, type Data } from '../tree/nodes.ts';
import type { RenderContext, RenderedLink } from '../tree/renderContext.ts';
import { symbolOfIcon } from './iconSymbols.ts';
import { markTree, type Mark, type Marked } from './markTree.ts';
import { textColors } from './textColors.ts';

/** Renders the content of a paragraph, a heading and the like. */
export function renderInlines(nodes: readonly DocumentNode[], context: RenderContext): Html {
  return renderMarked(markTree(nodes), context);
}

function renderMarked(marked: readonly Marked[], context: RenderContext): Html {
  return marked.map((each): Html => {
    if (typeof each === 'string') return lines(each);
    const children = renderMarked(each.children, context);
    if ('mark' in each) return markElements[each.mark.type](children, each.mark);
    return inlineElements[each.inline.type](
      { ...each.inline, data: each.inline.data ?? {}, children },
      context,
    );
  });
}

const markElements: Record<MarkType, (children: Html, mark: Mark) => Html> = {
  bold: (children) => element('strong', {}, children),
  italic: (children) => element('em', {}, children),
  code: (children) => element('code', {}, children),
  keyboard: (children) => element('kbd', {}, children),
  strikethrough: (children) => element('s', {}, children),
  superscript: (children) => element('sup', {}, children),
  subscript: (children) => element('sub', {}, children),
  color: (children, { data = {} }) => {
    const [text, back] = [colorClass('text', data['text']), colorClass('back', data['background'])];
    return element(back === undefined ? 'span' : 'mark', { class: classes(text, back) }, children);
  },
};

/** `text-red`, `back-primary`; undefined for the default and for an unknown colour. */
function colorClass(use: 'text' | 'back', color: unknown): string | undefined {
  const known = textColors.find((each) => each === color);
  return known === undefined || known === 'default' ? undefined : `${use}-${known.replace('$', '')}`;
}

type RenderInline = (inline: DocumentInline & { data: Data; children: Html }, context: RenderContext) => Html;

const inlineElements: Record<InlineType, RenderInline> = {
  link: ({ data, nodes = [], children }, context) => {
    const { href, title } = context.linkOf(data['ref']);
    return element(href === undefined ? 'span' : 'a', { href }, nodes.length > 0 ? children : title);
  },
  mention: ({ data }, context) => {
    const { href, title } = context.linkOf(data['ref']);
    const isUser = (data['ref'] as Data | undefined)?.['kind'] === 'user';
    const label = wordIn(data, 'label') || title;
    return element(
      href === undefined ? 'span' : 'a',
      { class: 'mention', href },
      isUser && !label.startsWith('@') ? `@${label}` : label,
    );
  },
  annotation: ({ nodes = [], fragments = [], children }, context) => {
    const { number, noteId, referenceId } = context.noteOf(fragments.flatMap(({ nodes }) => nodes));
    const reference = element('a', { href: `#${noteId}`, id: referenceId }, String(number));
    const note = element('sup', { class: 'note' }, reference);
    // A note about no words in particular has its own label for words.
    const words = nodes.map((node) => (node.object === 'text' ? wordsOf(node) : '')).join('');
    return words === String(number) ? note : [element('span', { class: 'annotated' }, children), note];
  },
  emoji: ({ data }) => element('span', { class: 'emoji' }, emojiOfCode(wordIn(data, 'code'))),
  icon: ({ data }) => iconOf(wordIn(data, 'icon'), colorClass('text', data['color'])),
  expression: ({ data }) => element('code', { class: 'expression' }, wordIn(data, 'expression')),
  'inline-math': ({ data }, context) => context.formula(wordIn(data, 'formula'), 'inline'),
  'inline-image': ({ data }, context) => {
    const picture = context.pictureOf(data['ref']);
    const alt = wordIn(data, 'alt') || wordIn(data, 'caption');
    if (!('src' in picture)) return missingPicture(picture, alt);
    return element('img', {
      src: picture.src,
      alt,
      class: classes('inline', data['size'] === 'line' && 'line-high'),
    });
  },
  button: ({ data }, context) => {
    const { href } = data['ref'] === undefined ? {} : context.linkOf(data['ref']);
    const label = wordIn(data, 'label');
    return element(
      href === undefined ? 'span' : 'a',
      { href, class: classes('button', data['kind'] === 'primary' && 'primary') },
      label,
    );
  },
};

/** An icon as a symbol, or as its name where no symbol says the same. */
function iconOf(name: string, color?: string): Html {
  const symbol = symbolOfIcon(name);
  return symbol === undefined
    ? element('span', { class: classes('icon-name', color) }, name.replaceAll(/[-_]+/g, ' '))
    : element('span', { class: classes('icon', color) }, symbol);
}

/** A picture that cannot be shown: its text and where it is. */
export function missingPicture({ title, href }: RenderedLink, alt: string): Html {
  const words = alt.trim() || title;
  return element(href === undefined ? 'span' : 'a', { href, class: 'picture-link' }, words);
}
