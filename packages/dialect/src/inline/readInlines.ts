import type { DocumentInline, MarkType } from '@bindery/contract';
import { isSafeTarget } from '@bindery/contract/linkTarget';
import { trimmedEnd } from '@bindery/contract/trimCharacters';
import type { Link, Nodes, PhrasingContent } from 'mdast';
import { iconIn, oneOf, withoutEntities } from '../syntax/attributes.ts';
import { buildElements, rawOf, type Element, type SourceNode } from '../syntax/elements.ts';
import { isInlineElement, isKnownElement } from '../syntax/elementNames.ts';
import { onlyFitting } from '../tree/containers.ts';
import { emojiCode, emojiOfCode } from '../tree/emoji.ts';
import {
  fragment,
  inline,
  mark,
  paragraph,
  present,
  target,
  text,
  wordsOf,
  type Data,
  type Flow,
  type Mark,
} from '../tree/nodes.ts';
import { deeper, type ParseContext } from '../tree/parseContext.ts';
import { tokenizeHtml, type Token } from '../syntax/tokens.ts';
import { inlineImageOfElement, pictureData } from './pictures.ts';
import { InlineWriter } from './inlineWriter.ts';
import { colorMark, iconClass } from './inlineStyle.ts';
import { sourceOfNode } from '../syntax/sourceOfNode.ts';
import { textColors } from './textColors.ts';
import { ownLabel } from '../links/writeRefs.ts';

/** Maximum level of an annotation, which has to leave room for its blocks. */
const deepestAnnotation = 14;

const markOfElement: Readonly<Record<string, Mark>> = {
  b: mark('bold'),
  strong: mark('bold'),
  i: mark('italic'),
  em: mark('italic'),
  s: mark('strikethrough'),
  del: mark('strikethrough'),
  strike: mark('strikethrough'),
  code: mark('code'),
  tt: mark('code'),
  samp: mark('code'),
  kbd: mark('keyboard'),
  sup: mark('superscript'),
  sub: mark('subscript'),
};

/** Reads the content of a paragraph, a heading or a cell. */
export function readInlines(nodes: readonly SourceNode[], context: ParseContext): Flow[] {
  const writer = new InlineWriter();
  write(nodes, { writer, marks: [], context });
  return writer.done(context.isHtml);
}

/** Converts the inline content of a Markdown node, and pairs its HTML tags. */
export function phrasingNodes(children: readonly PhrasingContent[], source: string): SourceNode[] {
  if (!children.some(({ type }) => type === 'html'))
    return children.map((node) => ({ kind: 'node', node, source }));
  const tokens: Token[] = [];
  for (const node of children) {
    if (node.type === 'html') tokens.push(...tokenizeHtml(node.value));
    else tokens.push({ kind: 'node', node, source });
  }
  return buildElements(tokens, { isKnownElement });
}

type Writing = { writer: InlineWriter; marks: readonly Mark[]; context: ParseContext };

function write(nodes: readonly SourceNode[], writing: Writing): void {
  for (const [index, node] of nodes.entries()) {
    if (node.kind === 'text') writeText(plainOf(node.raw, writing.context), writing);
    else if (node.kind === 'element') writeElement(node, writing);
    else if (isAnnotated(node.node, nodes[index + 1])) continue;
    else writeNode(node.node, { ...writing, source: node.source, before: nodes[index - 1] });
  }
}

/** Decodes text between tags; in HTML, a run of white space is one space. */
function plainOf(raw: string, { isHtml }: ParseContext): string {
  const plain = withoutEntities(raw);
  return isHtml ? plain.replaceAll(/[ \t\r\n\f]+/g, ' ') : plain;
}

function writeText(words: string, { writer, marks }: Writing): void {
  if (!words.includes(':') || marks.some(({ type }) => type === 'code')) return writer.words(words, marks);
  let from = 0;
  for (const match of words.matchAll(/:([a-z0-9_+-]{1,50}):/gi)) {
    const code = emojiCode(match[1] as string);
    if (code === undefined || match.index < from) continue;
    writer.words(words.slice(from, match.index), marks);
    writeEmoji(code, { writer, marks });
    from = match.index + match[0].length;
  }
  writer.words(words.slice(from), marks);
}

function writeEmoji(code: string, { writer, marks }: Pick<Writing, 'writer' | 'marks'>): void {
  if (writer.after) writer.words(emojiOfCode(code), marks);
  else writer.inline(inline('emoji', { data: { code } }));
}

function withMark(marks: readonly Mark[], added: Mark): readonly Mark[] {
  return marks.some(({ type }) => type === added.type) ? marks : [...marks, added];
}

type NodeWriting = Writing & { source: string; before: SourceNode | undefined };

function writeNode(node: Nodes, writing: NodeWriting): void {
  const writeType = writers[node.type] as ((node: Nodes, writing: NodeWriting) => void) | undefined;
  if (writeType) writeType(node, writing);
  // Blocks where only text is allowed become their text.
  else if ('children' in node)
    write(phrasingNodes(node.children as PhrasingContent[], writing.source), writing);
  else if ('value' in node) writing.writer.words(node.value, writing.marks);
}

function marked(type: MarkType) {
  return ({ children }: { children: PhrasingContent[] }, writing: NodeWriting) =>
    write(phrasingNodes(children, writing.source), {
      ...writing,
      marks: withMark(writing.marks, mark(type)),
    });
}

const writers: {
  [Type in Nodes['type']]?: (node: Extract<Nodes, { type: Type }>, writing: NodeWriting) => void;
} = {
  text: ({ value }, writing) => {
    const { before } = writing;
    const isRest =
      before?.kind === 'node' && before.node.type === 'link' && bareRest(before.node, before.source)?.isCut;
    writeText((isRest ? value.replace(/^;/, '') : value).replaceAll('\n', ' '), writing);
  },
  strong: marked('bold'),
  emphasis: marked('italic'),
  delete: marked('strikethrough'),
  inlineCode: ({ value }, { writer, marks }) => writer.words(value, withMark(marks, mark('code'))),
  break: (_, { writer, marks }) => writer.words('\n', marks),
  link: (node, writing) => {
    const content = phrasingNodes(node.children, writing.source);
    const rest = bareRest(node, writing.source);
    if (!rest) return writeLink({ url: node.url, title: node.title ?? undefined, content }, writing);
    const words = withoutEnd(wordsOfBare(node), rest.raw);
    writeLink(
      {
        url: withoutEnd(node.url, rest.raw),
        title: undefined,
        content: [{ kind: 'node', node: { type: 'text', value: words }, source: words }],
      },
      writing,
    );
    writeText(withoutEntities(rest.isCut ? `${rest.raw};` : rest.raw), writing);
  },
  linkReference: (node, writing) => {
    const { url, title } = writing.context.page.definitions.get(node.identifier) ?? {};
    const content = phrasingNodes(node.children, writing.source);
    if (url === undefined) write(content, writing);
    else writeLink({ url, title: title ?? undefined, content }, writing);
  },
  image: (node, writing) => writeImage({ url: node.url, alt: node.alt, title: node.title, node }, writing),
  imageReference: (node, writing) => {
    const { url, title } = writing.context.page.definitions.get(node.identifier) ?? {};
    if (url === undefined) writing.writer.words(node.alt ?? '', writing.marks);
    else writeImage({ url, alt: node.alt, title, node }, writing);
  },
  inlineMath: ({ value }, { writer, marks }) => {
    if (writer.after) writer.words(`$$${value}$$`, marks);
    else writer.inline(inline('inline-math', { data: { formula: value } }));
  },
  footnoteReference: ({ identifier, label }, writing) =>
    writeFootnote(identifier, label ?? identifier, writing),
};

/** White space written as a character reference so that editors keep it. */
const writtenSpace = /&(?:#(?:x0*(?:20|a0)|0*(?:32|160))|nbsp)(?:;|$)/i;

/**
 * Finds text after a bare link that the parser counts as part of the URL: in `https://example.org&#x20;`, the
 * reference is a space, but the parser takes all of it except the final semicolon.
 */
function bareRest(node: Link, source: string): { raw: string; isCut: boolean } | undefined {
  const words = wordsOfBare(node);
  const { index } = writtenSpace.exec(words) ?? {};
  const from = node.position?.start.offset;
  if (
    index === undefined ||
    from === undefined ||
    !source.startsWith(words, from) ||
    !node.url.endsWith(words)
  )
    return undefined;
  const raw = words.slice(trimmedEnd(words.slice(0, index), '?!.,:*_~').length);
  return { raw, isCut: !raw.endsWith(';') && /&[#\w]+$/.test(raw) && source[from + words.length] === ';' };
}

function wordsOfBare({ children: [only] }: Link): string {
  return only?.type === 'text' ? only.value : '';
}

function withoutEnd(text: string, end: string): string {
  return text.slice(0, text.length - end.length);
}

/** The `href` of a link that only marks annotated text. */
const annotatedLink = /^#user-content-fn-(.+)$/;

/** Tells whether the second part annotates the first, as in `[annotated](#user-content-fn-1)[^1]`. */
function isAnnotated(node: Nodes, next: SourceNode | undefined): boolean {
  return (
    node.type === 'link' &&
    annotatedLink.test(node.url) &&
    next?.kind === 'node' &&
    next.node.type === 'footnoteReference'
  );
}

function writeFootnote(identifier: string, label: string, writing: NodeWriting): void {
  const { before, writer, marks, source } = writing;
  const annotated =
    before?.kind === 'node' && before.node.type === 'link' && isAnnotated(before.node, footnoteNode)
      ? before.node
      : undefined;
  const nodes: SourceNode[] = annotated
    ? phrasingNodes(annotated.children, source)
    : [{ kind: 'node', node: { type: 'text', value: label }, source }];
  if (!writeAnnotation(identifier, nodes, writing)) writer.words(`[^${label}]`, marks);
}
const footnoteNode: SourceNode = {
  kind: 'node',
  node: { type: 'footnoteReference', identifier: '' },
  source: '',
};

function writeAnnotation(
  identifier: string,
  nodes: readonly SourceNode[],
  { writer, marks, context }: Writing,
): boolean {
  const footnote = context.page.footnotes.get(identifier.toLowerCase());
  const isPossible = footnote && !writer.after && !context.isAnnotation && context.level <= deepestAnnotation;
  const content = new InlineWriter([]);
  write(nodes, { writer: content, marks, context });
  const texts = content.done(false).filter((node) => node.object === 'text');
  if (!isPossible) {
    for (const { leaves } of texts) for (const each of leaves) writer.words(each.text, each.marks);
    for (const node of content.after ?? []) writer.inline(node);
    return false;
  }
  footnote.isUsed = true;
  const { definition, source } = footnote;
  const blocks = context.page.blocksOf(
    definition.children.map((node) => ({ kind: 'node', node, source })),
    { ...deeper(context, 5), isAnnotation: true, isHtml: false },
  );
  const fitting = onlyFitting(blocks, 'annotation-body');
  const body = fitting.length > 0 ? fitting : [paragraph([])];
  writer.inline(inline('annotation', { nodes: texts, fragments: [fragment('annotation-body', body)] }));
  for (const node of content.after ?? []) writer.inline(node);
  return true;
}

type LinkSource = { url: string; title: string | undefined; content: readonly SourceNode[] };

function writeLink({ url, title, content }: LinkSource, writing: Writing): void {
  const { writer, marks, context } = writing;
  if (!isSafeTarget(url)) return write(content, writing);
  const [, footnote] = annotatedLink.exec(url) ?? [];
  if (footnote !== undefined && writeAnnotation(footnote, content, writing)) return;
  if (writer.after) return write(content, writing);
  const inner = new InlineWriter([]);
  write(content, { writer: inner, marks, context });
  const nodes = inner.done(false);
  if (title === 'mention') {
    const label = ownLabel(nodes.map(wordsOf).join(''), url);
    return writer.inline(inline('mention', { data: present({ ref: target(url), label }) }));
  }
  writer.inline(inline('link', { data: { ref: target(url) }, nodes: nodes.length > 0 ? nodes : [text([])] }));
  for (const each of inner.after ?? []) writer.inline(each);
}

type ImageSource = {
  url: string;
  alt: string | null | undefined;
  title: string | null | undefined;
  node: Nodes;
};

function writeImage({ url, alt, title, node }: ImageSource, { writer, marks, source }: NodeWriting): void {
  const data = pictureData(url);
  if (!data) {
    writer.words(sourceOfNode(node, source), marks);
    return;
  }
  writer.inline(
    inline('inline-image', {
      data: present({ ...data, alt: alt || undefined, caption: title || undefined }),
    }),
  );
}

function writeElement(element: Element, writing: Writing): void {
  const { name, attributes, children } = element;
  const { writer, marks, context } = writing;
  const inside = (added?: Mark) =>
    write(children, { ...writing, marks: added ? withMark(marks, added) : marks });
  if (element.form === 'tag') {
    writer.words(element.open, marks);
    inside();
    return writer.words(element.close, marks);
  }
  switch (name) {
    case 'br':
      return writer.words('\n', marks);
    case 'img':
    case 'picture': {
      const image = inlineImageOfElement(element);
      if (image) return writer.inline(image);
      return writer.words(rawOf([element]), marks);
    }
    case 'a':
      return writeAnchor(element, writing);
    case 'button': {
      const button = actionButton(element);
      return button ? writer.inline(button) : inside();
    }
    case 'i': {
      const icon = iconClass(attributes);
      if (icon === undefined) return inside(markOfElement['i']);
      const [, color] = /(?:^|;)\s*color:\s*(\$?\w+)/i.exec(attributes.get('style') ?? '') ?? [];
      return writer.inline(inline('icon', { data: present({ icon, color: oneOf(color, textColors) }) }));
    }
    case 'span': {
      const code = attributes.get('data-tag') === 'emoji' ? attributes.get('data-code') : undefined;
      return code !== undefined && /^[0-9a-f-]{2,80}$/i.test(code)
        ? writeEmoji(code.toLowerCase(), writing)
        : inside();
    }
    case 'code': {
      if (!/\bexpression\b/.test(attributes.get('class') ?? '')) return inside(markOfElement['code']);
      const expression = plainOf(rawOf(children), context).trim();
      if (writer.after) return writer.words(expression, withMark(marks, mark('code')));
      return writer.inline(inline('expression', { data: { expression } }));
    }
    case 'mark': {
      const color = colorMark(attributes);
      return inside(color);
    }
    default:
      inside(markOfElement[name]);
      // Words in different blocks on one line are different words.
      if (!isInlineElement(name)) writer.words(' ', marks);
  }
}

function writeAnchor(element: Element, writing: Writing): void {
  const { attributes, children } = element;
  const { writer, context } = writing;
  const code = attributes.get('data-tag') === 'emoji' ? attributes.get('data-code') : undefined;
  if (code !== undefined && /^[0-9a-f-]{2,80}$/i.test(code)) return writeEmoji(code.toLowerCase(), writing);
  const url = attributes.get('href');
  const isEmpty = rawOf(children).trim() === '';
  // `<a id="x"></a>` is an anchor, not a link.
  if (url === undefined || (isEmpty && (attributes.has('id') || attributes.has('name'))))
    return write(children, writing);
  const classes = (attributes.get('class') ?? '').split(/\s+/);
  if (classes.includes('button') && !writer.after && isSafeTarget(url)) {
    return writer.inline(inline('button', { data: { ...buttonData(element, context), ref: target(url) } }));
  }
  const title = attributes.has('data-mention') ? 'mention' : attributes.get('title');
  writeLink({ url, title, content: children }, writing);
}

function buttonData({ attributes, children }: Element, context: ParseContext): Data {
  const classes = (attributes.get('class') ?? '').split(/\s+/);
  const writer = new InlineWriter([]);
  write(children, { writer, marks: [], context: { ...context, isHtml: true } });
  const label = writer
    .done(true)
    .map((node) => (node.object === 'text' ? node.leaves.map((each) => each.text).join('') : ''))
    .join('');
  return present({
    label,
    kind: classes.includes('secondary') ? 'secondary' : 'primary',
    size: (['small', 'medium', 'large'] as const).find((size) => classes.includes(size)),
    icon: iconIn(attributes, 'data-icon'),
  });
}

/** Reads a button with an action instead of a target. */
function actionButton(element: Element): DocumentInline | undefined {
  const { attributes } = element;
  const action = oneOf(attributes.get('data-action'), ['search', 'ask', 'select']);
  const slug = attributes.get('data-slug');
  if (action === undefined || (action === 'select' && slug === undefined)) return undefined;
  const query = attributes.get('data-query');
  const does = action === 'select' ? { action, slug } : present({ action, query });
  return inline('button', { data: { ...buttonData(element, plainContext), action: does } });
}
const plainContext: ParseContext = {
  page: {
    footnotes: new Map(),
    repeated: [],
    definitions: new Map(),
    blocksOf: () => [],
    childrenOf: () => [],
  },
  level: 0,
  isHtml: true,
  isQuoted: false,
  isReread: true,
  isAnnotation: true,
};
