import { fromMarkdown } from 'mdast-util-from-markdown';
import { mdastNodes, mdastText, type MdastNode } from '../support/mdastText.ts';

/** The content of a page, as this reader finds it. */
export type PageFacts = {
  words: string[];
  headings: string[];
  codeLines: string[];
  links: string[];
  images: string[];
};

/**
 * A second reader of pages, to check the product by: CommonMark by another entrance, and regular expressions
 * for HTML and block tags. Shares no code with the product and is right for tidy pages only.
 */
export function readPageIndependently(markdown: string): PageFacts {
  const source = withoutTags(withoutComments(markdown.replaceAll(/\r\n?/g, '\n')));
  const facts: PageFacts = { words: [], headings: [], codeLines: [], links: source.links, images: [] };
  const root = fromMarkdown(source.markdown);
  const definitions = new Map<string, string>();
  const nodes = [...mdastNodes(root)];
  for (const node of nodes)
    if (node.type === 'definition' && !definitions.has(node.identifier))
      definitions.set(node.identifier, node.url);
  addText(source.text, facts);
  for (const node of nodes) readNode(node, { facts, definitions });
  return facts;
}

type Reading = { facts: PageFacts; definitions: ReadonlyMap<string, string> };

function readNode(node: MdastNode, { facts, definitions }: Reading): void {
  if (node.type === 'heading') facts.headings.push(oneLine(textIn(node)));
  if (node.type === 'code') facts.codeLines.push(...node.value.split('\n'));
  if (node.type === 'code' || node.type === 'inlineCode' || node.type === 'text') addText(node.value, facts);
  if (node.type === 'link') facts.links.push(node.url);
  if (node.type === 'image') {
    facts.images.push(node.url);
    addText(node.alt ?? '', facts);
  }
  if (node.type === 'linkReference' || node.type === 'imageReference') {
    const url = definitions.get(node.identifier);
    if (url !== undefined) facts[node.type === 'linkReference' ? 'links' : 'images'].push(url);
  }
  if (node.type === 'html') readHtml(node.value, facts);
}

function readHtml(html: string, facts: PageFacts): void {
  for (const [, code = ''] of html.matchAll(/<pre\b[^>]*>([^]*?)<\/pre>/gi)) {
    const text = plain(code).replace(/^\n/, '').replace(/\n$/, '');
    facts.codeLines.push(...text.split('\n'));
  }
  for (const [, content = ''] of html.matchAll(/<h[1-6]\b[^>]*>([^]*?)<\/h[1-6]>/gi))
    facts.headings.push(oneLine(plain(content)));
  for (const [, element = '', argument = ''] of html.matchAll(
    /<(a|img|source|iframe)\b((?:"[^"]*"|'[^']*'|[^>"'])*)>/gi,
  )) {
    const value = (name: string) => {
      const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(
        argument,
      );
      const written = match?.[1] ?? match?.[2] ?? match?.[3];
      return written === undefined ? undefined : entities(written);
    };
    const target = value('href') ?? value('src') ?? value('srcset');
    addText(value('alt') ?? '', facts);
    if (target !== undefined && /^(?:a|iframe)$/i.test(element)) facts.links.push(target);
    else if (target !== undefined) facts.images.push(target);
  }
  addText(plain(html), facts);
}

/** Returns the texts and links in attributes of block tags, and the source without the lines of such tags. */
function withoutTags(markdown: string): { markdown: string; text: string; links: string[] } {
  const links: string[] = [];
  const words: string[] = [];
  const lines = markdown.split('\n');
  let fence: string | undefined;
  for (const [index, line] of lines.entries()) {
    const mark = /^[\s>*\d.+-]*?(```+(?!.*`)|~~~+|<pre\b)/.exec(line)?.[1];
    if (fence !== undefined) {
      if (fence === '<pre' ? line.includes('</pre>') : line.trim().startsWith(fence)) fence = undefined;
      continue;
    }
    if (mark && !(mark === '<pre' && line.includes('</pre>'))) {
      fence = mark;
      continue;
    }
    if (!/^[\s>]*\{%.*%\}\s*$/.test(line)) continue;
    for (const [, name = '', double, typographic] of line.matchAll(
      /\b(url|src|title|caption|description)\s*=\s*(?:"([^"]*)"|[“”]([^“”"]*))/g,
    )) {
      const value = entities(double ?? typographic ?? '');
      if (name === 'url' || name === 'src') links.push(value);
      else words.push(value);
    }
    const include = /\{%\s*include\s+"([^"]*)"/.exec(line)?.[1];
    if (include !== undefined) links.push(entities(include));
    const condition = /\{%\s*if\s+(.*?)\s*%\}/.exec(line)?.[1];
    if (condition !== undefined) words.push(condition);
    lines[index] = '';
  }
  return { markdown: lines.join('\n'), text: words.join('\n'), links };
}

/** Comments say nothing to a reader. Those in fences are text. */
function withoutComments(markdown: string): string {
  return markdown.replaceAll(
    /^([ \t]*(```+|~~~+)[^]*?^[ \t]*\2|`[^`\n]*`)|<!--[^]*?-->/gm,
    (_whole, code?: string) => code ?? '',
  );
}

const inlineTag =
  /<\/?(?:a|b|strong|i|em|code|kbd|mark|span|sub|sup|del|s|u|font|small|img|picture|source|button|abbr)(?=[\s/>])(?:"[^"]*"|'[^']*'|[^>"'])*>/gi;
const blockTag =
  /<\/?(?:br|p|div|table|thead|tbody|tr|td|th|ul|ol|li|figure|figcaption|details|summary|pre|h[1-6]|hr|blockquote|center|iframe|select|option|section|video|colgroup|col)(?=[\s/>])(?:"[^"]*"|'[^']*'|[^>"'])*>/gi;

/** Without the tags that there are in HTML; what only looks like one, such as `<T>`, is text. */
function plain(html: string): string {
  return entities(html.replaceAll(inlineTag, '').replaceAll(blockTag, ' '));
}

/** The text of a heading, with what only looks like HTML in it. */
function textIn(node: MdastNode): string {
  if (node.type === 'html') return plain(node.value);
  return 'children' in node ? node.children.map(textIn).join('') : mdastText(node);
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

function entities(text: string): string {
  return text
    .replaceAll(/&#x([0-9a-f]{1,6});/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d{1,7});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&([a-z]+);/gi, (whole, name: string) => named[name] ?? whole);
}

function addText(text: string, facts: PageFacts): void {
  for (const [word] of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) facts.words.push(word);
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\u00a0]+/g, ' ').trim();
}
