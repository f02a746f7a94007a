import type { Nodes, RootContent } from 'mdast';
import { defaultHandlers, toMarkdown, type Handle, type Options } from 'mdast-util-to-markdown';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import { unified } from 'unified';

declare module 'mdast' {
  interface RootContentMap {
    dialect: Dialect;
  }
}

/**
 * A block of the dialect that contains blocks: `open` and `close` are its tags, each on a line of its own.
 */
export type Dialect = {
  type: 'dialect';
  open: string;
  close: string;
  isLoose: boolean;
  children: RootContent[];
};

/**
 * Writes blocks as Markdown, in the form of GitBook's own files. Escapes text that would be read as markup.
 */
export function markdownOfBlocks(children: RootContent[]): string {
  return children.length === 0 ? '' : toMarkdown({ type: 'root', children }, options);
}

/** Writes the line of a page's title; empty without a title. */
export function titleLine(title: string): string {
  const value = title.replaceAll(/\s+/g, ' ').trim();
  return value === ''
    ? ''
    : markdownOfBlocks([{ type: 'heading', depth: 1, children: [{ type: 'text', value }] }]).trimEnd();
}

const dialect: Handle = (node: Dialect, _parent, state, info) => {
  const tracker = state.createTracker(info);
  tracker.move(`${node.open}\n`);
  const inner = state.containerFlow(node as never, tracker.current());
  const space = node.isLoose ? '\n\n' : '\n';
  return [node.open, ...(inner === '' ? [] : [inner]), node.close].join(space);
};

/** Escapes all underscores, also inside words, where Markdown would not need it. */
const text: Handle = (node: Nodes, parent, state, info) =>
  defaultHandlers
    .text(node as never, parent, state, info)
    .replaceAll(/(\\[^])|_/g, (_whole, escape?: string) => escape ?? String.raw`\_`);

/** Always in the `#` form: a line break inside becomes a character reference. */
const heading: Handle = (node: Extract<Nodes, { type: 'heading' }>, _parent, state, info) => {
  const hashes = '#'.repeat(node.depth);
  const tracker = state.createTracker(info);
  tracker.move(`${hashes} `);
  const exits = [state.enter('headingAtx'), state.enter('phrasing')];
  let value = state.containerPhrasing(node, { before: '# ', after: '\n', ...tracker.current() });
  for (const exit of exits.toReversed()) exit();
  // Leading white space would be dropped.
  if (/^[\t ]/.test(value)) value = `&#x${value.charCodeAt(0).toString(16).toUpperCase()};${value.slice(1)}`;
  return value === '' ? hashes : `${hashes} ${value}`;
};

const options: Options = {
  bullet: '*',
  bulletOther: '-',
  emphasis: '_',
  strong: '*',
  rule: '*',
  listItemIndent: 'one',
  fences: true,
  incrementListMarker: true,
  resourceLink: true,
  handlers: { dialect, text, heading } as Partial<NonNullable<Options['handlers']>>,
  join: [
    // In an item, only a list may follow a paragraph without an empty line, and only one that can interrupt
    // it.
    (left, right, parent) => {
      if (parent.type !== 'listItem') return undefined;
      const isList =
        right.type === 'list' &&
        right.children[0]?.children.length !== 0 &&
        (!right.ordered || (right.start ?? 1) === 1);
      return isList && left.type === 'paragraph' ? 0 : 1;
    },
  ],
  unsafe: [
    { character: '{', after: '%', inConstruct: 'phrasing' },
    // Two of them are math, even if they come from different texts.
    { character: '$', after: String.raw`(?=\$)`, inConstruct: 'phrasing' },
    { character: '$', before: String.raw`\$`, inConstruct: 'phrasing' },
    // Escaped even if no address follows.
    { character: '.', before: '[Ww]{3}', inConstruct: 'phrasing' },
  ],
  extensions: extensionsOf(),
};

function extensionsOf(): Options[] {
  const processor = unified()
    .use(remarkGfm, { singleTilde: false })
    .use(remarkMath, { singleDollarTextMath: false })
    .freeze();
  return (processor.data() as { toMarkdownExtensions?: Options[] }).toMarkdownExtensions ?? [];
}
