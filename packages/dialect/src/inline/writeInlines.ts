import type { DocumentInline, DocumentNode } from '@bindery/contract';
import type { PhrasingContent } from 'mdast';
import { markTree, type Mark, type Marked, type MarkedInline } from './markTree.ts';
import { emojiName } from '../tree/emoji.ts';
import { elementOf, htmlTagsOf, isPlainImage, noComment, withoutEmojiNames } from './writeHtml.ts';
import type { WriteContext } from '../tree/writeContext.ts';
import { nameOfTarget } from '../links/writeRefs.ts';
import { htmlText, wordIn } from '../syntax/writeTags.ts';

/** Writes the content of a paragraph as Markdown nodes where possible, and as HTML otherwise. */
export function phrasingOf(nodes: readonly DocumentNode[], context: WriteContext): PhrasingContent[] {
  return phrasing(markTree(nodes), context).map((child, index, all) =>
    index === all.length - 1 ? withoutBreak(child) : child,
  );
}

/**
 * Replaces a line break at the end of a paragraph or of emphasis, where its backslash would be read as a
 * backslash.
 */
function withoutBreak(child: PhrasingContent): PhrasingContent {
  return child.type === 'break' ? { type: 'html', value: '<br>' } : child;
}

function phrasing(marked: readonly Marked[], context: WriteContext): PhrasingContent[] {
  const nodes = marked.flatMap((each) => {
    if (typeof each === 'string') return textNodes(each);
    return 'mark' in each ? markNodes(each.mark, each.children, context) : inlineNodes(each, context);
  });
  return nodes.flatMap((node, index) =>
    takesColon(nodes[index - 1], node) ? [{ type: 'html' as const, value: noComment }, node] : [node],
  );
}

/**
 * Tells whether the first colon of an emoji would end a name in the text before it: `:a` and `:smile:` would
 * be read as `:a:` and `smile:`.
 */
function takesColon(before: PhrasingContent | undefined, node: PhrasingContent): boolean {
  return (
    before?.type === 'text' &&
    node.type === 'text' &&
    node.value.startsWith(':') &&
    /:[a-z0-9_+-]{1,50}$/i.test(before.value)
  );
}

/** Writes text so that it is read as that text, with its line breaks. */
export function textNodes(text: string): PhrasingContent[] {
  return text
    .split(/\r\n?|\n/)
    .flatMap((line, index): PhrasingContent[] => [
      ...(index > 0 ? [{ type: 'break' as const }] : []),
      ...withoutEmojiNames(line).flatMap((part, at): PhrasingContent[] => [
        ...(at > 0 ? [{ type: 'html' as const, value: noComment }] : []),
        ...(part === '' ? [] : [{ type: 'text' as const, value: part }]),
      ]),
    ]);
}

const mdastMarks: Partial<Record<Mark['type'], 'strong' | 'emphasis' | 'delete'>> = {
  bold: 'strong',
  italic: 'emphasis',
  strikethrough: 'delete',
};

function markNodes(mark: Mark, children: readonly Marked[], context: WriteContext): PhrasingContent[] {
  if (mark.type === 'code') {
    const value = children
      .filter((child) => typeof child === 'string')
      .join('')
      .replaceAll(/\r\n?|\n/g, ' ');
    return [{ type: 'inlineCode', value }];
  }
  const type = mdastMarks[mark.type];
  const inner = phrasing(children, context);
  if (type)
    return [
      {
        type,
        children: inner.map((child, index) =>
          index === 0 || index === inner.length - 1 ? withoutBreak(child) : child,
        ),
      },
    ];
  const [open, close] = htmlTagsOf(mark);
  return [{ type: 'html', value: open }, ...inner, { type: 'html', value: close }];
}

function inlineNodes(marked: MarkedInline, context: WriteContext): PhrasingContent[] {
  const { type, data = {} } = marked.inline;
  const nodes = forms[type]?.(marked, { data, context });
  if (nodes) return nodes;
  const { open, text, close } = elementOf(marked.inline, context);
  if (type === 'expression') return [{ type: 'html', value: open + verbatim(text) + close }];
  const words = text.replaceAll(/[\r\n]+/g, ' ');
  const inner: PhrasingContent[] = type === 'icon' ? [{ type: 'text', value: words }] : textNodes(words);
  return [
    { type: 'html', value: open },
    ...inner,
    ...(close === '' ? [] : [{ type: 'html' as const, value: close }]),
  ];
}

type Form = (
  marked: MarkedInline,
  given: { data: Record<string, unknown>; context: WriteContext },
) => PhrasingContent[] | undefined;

/** The inlines with a form in Markdown; undefined if that would lose information. */
const forms: Partial<Record<DocumentInline['type'], Form>> = {
  link: ({ children }, { data, context }) => [
    {
      type: 'link',
      url: context.targetOf(data['ref']),
      title: null,
      children: phrasing(children, context) as never,
    },
  ],
  mention: (_, { data, context }) => {
    const url = context.targetOf(data['ref']);
    return [
      {
        type: 'link',
        url,
        title: 'mention',
        children: [{ type: 'text', value: wordIn(data, 'label') || nameOfTarget(url) }],
      },
    ];
  },
  'inline-image': ({ inline }, { data, context }) => {
    if (!isPlainImage(inline)) return undefined;
    return [
      {
        type: 'image',
        url: context.targetOf(data['ref']),
        alt: wordIn(data, 'alt'),
        title: wordIn(data, 'caption') || null,
      },
    ];
  },
  'inline-math': (_, { data }) => [{ type: 'inlineMath', value: wordIn(data, 'formula') } as never],
  annotation: (marked, { context }) => annotation(marked, context),
  emoji: (_, { data }) => {
    const name = emojiName(wordIn(data, 'code'));
    return name === undefined ? undefined : [{ type: 'text', value: `:${name}:` }];
  },
};

/** Escapes text that must not pair with its surroundings. */
function verbatim(text: string): string {
  return htmlText(text).replaceAll(
    /[`*[\]~$\\]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
    (letter) => `&#x${letter.charCodeAt(0).toString(16).toUpperCase()};`,
  );
}

/** Writes text with its own footnote, GitBook's form of annotations. */
function annotation(
  { inline, children }: { inline: DocumentInline; children: Marked[] },
  context: WriteContext,
): PhrasingContent[] {
  const label = context.addNote(inline.fragments?.flatMap(({ nodes }) => nodes) ?? []);
  return [
    {
      type: 'link',
      url: `#user-content-fn-${label}`,
      title: null,
      children: phrasing(children, context) as never,
    },
    { type: 'footnoteReference', identifier: label, label },
  ];
}
