import type { DocumentInline, DocumentNode } from '@bindery/contract';
import { markTree, type Mark, type Marked, type MarkedInline } from './markTree.ts';
import { trimmed } from './trimmed.ts';
import { nameOfTarget } from '../links/writeRefs.ts';
import type { WriteContext } from '../tree/writeContext.ts';
import { emojiCode, emojiOfCode } from '../tree/emoji.ts';
import { htmlElement, htmlTag, htmlText, wordIn, type Attributes } from '../syntax/writeTags.ts';

type Data = Record<string, unknown>;

/** Writes the content of a paragraph as HTML on one line, without white space around it. */
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

/** Writes text so that it is read as that text. */
export function htmlWords(text: string): string {
  return withoutEmojiNames(text).map(htmlText).join(noComment);
}

/** An invisible separator: the words on its two sides stay separate. */
export const noComment = '<!---->';

/** Splits text such as `:smile:`, which would be read as an emoji, after the first colon. */
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
  if (type === 'link')
    return htmlElement('a', htmlOfMarked(children, context), { href: context.targetOf(data['ref']) });
  if (type === 'annotation') {
    const label = context.addNote(fragments.flatMap(({ nodes }) => nodes));
    return htmlElement('a', htmlOfMarked(children, context), {
      'data-footnote-ref': true,
      href: `#user-content-fn-${label}`,
    });
  }
  const { open, text, close } = elementOf(inline, context);
  return open + (type === 'icon' ? htmlText(text) : htmlWords(text)) + close;
}

type InlineElement = { open: string; text: string; close: string };

/**
 * Writes an inline without nested inlines as an HTML element, also in Markdown where that has no form. `text`
 * must still be escaped.
 */
export function elementOf({ type, data = {} }: DocumentInline, context: WriteContext): InlineElement {
  return inlineElements[type]?.(data, context) ?? { open: '', text: '', close: '' };
}

function element(name: string, text: string, attributes: Attributes): InlineElement {
  return { open: htmlTag(name, attributes), text, close: `</${name}>` };
}

const inlineElements: Partial<
  Record<DocumentInline['type'], (data: Data, context: WriteContext) => InlineElement>
> = {
  mention: (data, context) => {
    const target = context.targetOf(data['ref']);
    return element('a', wordIn(data, 'label') || nameOfTarget(target), {
      'data-mention': true,
      href: target,
    });
  },
  emoji: (data) => {
    const code = wordIn(data, 'code');
    return element('span', emojiOfCode(code), {
      'data-gb-custom-inline': true,
      'data-tag': 'emoji',
      'data-code': code,
    });
  },
  icon: (data) => {
    const [icon, color] = [wordIn(data, 'icon'), wordIn(data, 'color')];
    return element('i', `:${icon}:`, {
      class: `fa-${icon}`,
      style: color === '' ? undefined : `color:${color};`,
    });
  },
  expression: (data) => element('code', wordIn(data, 'expression'), { class: 'expression' }),
  // HTML has no form for formulas.
  'inline-math': (data) => ({ open: '', text: `$$${wordIn(data, 'formula')}$$`, close: '' }),
  'inline-image': (data, context) => {
    const more = {
      'data-size': data['size'] as string | undefined,
      title: data['caption'] as string | undefined,
    };
    return { open: pictureOf(data, context, more), text: '', close: '' };
  },
  button: buttonOf,
};

/** Tells whether Markdown's own form loses nothing of an image. */
export function isPlainImage({ data = {} }: DocumentInline): boolean {
  return data['refDark'] === undefined && data['size'] === undefined;
}

/** Writes `<img>`, inside a `<picture>` if it has a source for dark mode. */
export function pictureOf(data: Data, context: WriteContext, more: Attributes): string {
  const image = htmlTag('img', { src: context.targetOf(data['ref']), alt: wordIn(data, 'alt'), ...more });
  if (data['refDark'] === undefined) return image;
  const dark = htmlTag('source', {
    srcset: context.targetOf(data['refDark']),
    media: '(prefers-color-scheme: dark)',
  });
  return htmlElement('picture', dark + image);
}

function buttonOf(data: Data, context: WriteContext): InlineElement {
  const style = {
    class: ['button', wordIn(data, 'kind'), wordIn(data, 'size')].filter((name) => name !== '').join(' '),
  };
  const icon = { 'data-icon': data['icon'] as string | undefined };
  const text = wordIn(data, 'label');
  if (data['ref'] !== undefined)
    return {
      open: htmlTag('a', { href: context.targetOf(data['ref']), ...style, ...icon }),
      text,
      close: '</a>',
    };
  const { action, ...further } = (data['action'] ?? {}) as Data;
  const more = Object.entries(further).map(([name, value]) => [
    `data-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const does: Attributes = { 'data-action': String(action), ...Object.fromEntries(more) };
  return {
    open: htmlTag('button', { type: 'button', ...style, ...does, ...icon }),
    text,
    close: '</button>',
  };
}

/** Writes booleans as words. */
export function said(value: unknown): string | undefined {
  return typeof value === 'boolean' ? String(value) : undefined;
}

/** Writes a length as in the attributes of images and columns. */
export function lengthText(length: unknown): string | undefined {
  if (typeof length === 'number') return String(length);
  const { value, unit } = (length ?? {}) as { value?: unknown; unit?: unknown };
  return typeof value === 'number' && typeof unit === 'string' ? `${value}${unit}` : undefined;
}
