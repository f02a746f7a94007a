import {
  emptyDocument,
  jsonLimits,
  type DocumentBlock,
  type DocumentInline,
  type DocumentText,
  type DocumentTree,
} from '@bindery/contract';
import MarkdownIt, { type Token } from 'markdown-it';

/**
 * Markdown as a document tree: paragraphs, headings, lists, quotes, code and dividers, with the usual marks and links.
 *
 * Whatever else there is becomes a paragraph of its source text; so does what nests deeper, or is more, than a tree may be.
 */
export function markdownToDocument(markdown: string): DocumentTree {
  const reading: Reading = { tokens: parser.parse(markdown, {}), at: 0, lines: markdown.split(/\r\n?|\n/), size: 0 };
  const nodes = readBlocks(reading, { until: undefined, room: maxRoom, of: 'top' });
  if (reading.size <= jsonLimits.nodes - 10) return { ...emptyDocument, nodes };
  return { ...emptyDocument, nodes: [paragraph({ ...reading, size: 0 }, [{ object: 'text', leaves: [plainLeaf(markdown)] }])] };
}

/** Reads tokens one after the other; `size` counts the values of the JSON that was made. */
type Reading = { tokens: readonly Token[]; at: number; lines: readonly string[]; size: number };

/** `room` is how many levels of JSON may still be used for nesting; `of` is what the blocks stand in. */
type Place = { until: string | undefined; room: number; of: 'top' | 'list-item' | 'blockquote' };

// A marked text in a link in a paragraph takes eleven levels.
const maxRoom = jsonLimits.depth - 12;

const parser = new MarkdownIt('commonmark').enable('strikethrough');
// Targets stay as they were written; those that a browser would run are not taken as links.
parser.normalizeLink = (url) => url;
parser.normalizeLinkText = (url) => url;

function readBlocks(reading: Reading, place: Place): DocumentBlock[] {
  const blocks: DocumentBlock[] = [];
  for (let token = reading.tokens[reading.at]; token && token.type !== place.until; token = reading.tokens[reading.at]) {
    blocks.push(readBlock(reading, token, place));
  }
  reading.at += 1;
  return blocks;
}

function readBlock(reading: Reading, token: Token, { room, of }: Place): DocumentBlock {
  const inline = reading.tokens[reading.at + 1];
  switch (token.type) {
    case 'paragraph_open':
      reading.at += 3;
      return paragraph(reading, readInlines(reading, inline?.children ?? []));
    case 'heading_open':
      reading.at += 3;
      return block(reading, headingOf(token.tag), { data: {}, nodes: readInlines(reading, inline?.children ?? []) });
    case 'hr':
      reading.at += 1;
      return block(reading, 'divider', { isVoid: true, data: {} });
    case 'fence':
    case 'code_block':
      if (of === 'blockquote') break;
      reading.at += 1;
      return codeBlock(reading, token);
    case 'blockquote_open':
      if (room < 2) break;
      reading.at += 1;
      return block(reading, 'blockquote', { nodes: readBlocks(reading, { until: 'blockquote_close', room: room - 2, of: 'blockquote' }) });
    case 'bullet_list_open':
    case 'ordered_list_open':
      if (room < 4) break;
      return list(reading, token, room - 4);
    default:
  }
  return sourceOf(reading, token);
}

function list(reading: Reading, token: Token, room: number): DocumentBlock {
  const isOrdered = token.type === 'ordered_list_open';
  const items: DocumentBlock[] = [];
  reading.at += 1;
  while (reading.tokens[reading.at]?.type === 'list_item_open') {
    reading.at += 1;
    items.push(block(reading, 'list-item', { nodes: readBlocks(reading, { until: 'list_item_close', room, of: 'list-item' }) }));
  }
  reading.at += 1;
  if (!isOrdered) return block(reading, 'list-unordered', { nodes: items });
  const start = Number(token.attrGet('start') ?? 1);
  return block(reading, 'list-ordered', { data: start === 1 ? {} : { start }, nodes: items });
}

function codeBlock(reading: Reading, token: Token): DocumentBlock {
  const syntax = token.info.trim().split(/\s+/)[0] ?? '';
  const lines = token.content.replace(/\n$/, '').split('\n');
  return block(reading, 'code', {
    data: syntax === '' ? {} : { syntax },
    nodes: lines.map((line) => block(reading, 'code-line', { data: {}, nodes: [textNode(reading, [plainLeaf(line)])] })),
  });
}

/** A block that there is nothing else for: its lines, as they were written. */
function sourceOf(reading: Reading, token: Token): DocumentBlock {
  const [start, end] = token.map ?? [0, 0];
  const source = reading.lines.slice(start, end).join('\n').trim();
  skipBlock(reading, token);
  return paragraph(reading, [textNode(reading, [plainLeaf(source)])]);
}

function skipBlock(reading: Reading, { nesting, level }: Token): void {
  reading.at += 1;
  if (nesting !== 1) return;
  while (reading.at < reading.tokens.length && reading.tokens[reading.at]?.level !== level) reading.at += 1;
  reading.at += 1;
}

/** The title of a page is its own heading of the first level: in a text, the second is the highest, and only three are told apart. */
function headingOf(tag: string): 'heading-1' | 'heading-2' | 'heading-3' {
  const level = Number(tag.slice(1));
  if (level <= 2) return 'heading-1';
  return level === 3 ? 'heading-2' : 'heading-3';
}

type Leaf = DocumentText['leaves'][number];
type MarkType = Leaf['marks'][number]['type'];

const markOf: Record<string, MarkType> = { strong: 'bold', em: 'italic', s: 'strikethrough' };

function readInlines(reading: Reading, tokens: readonly Token[]): (DocumentText | DocumentInline)[] {
  const nodes: (DocumentText | DocumentInline)[] = [];
  const marks: MarkType[] = [];
  let leaves: Leaf[] = [];
  let link: string | undefined;
  const add = (text: string, ...more: MarkType[]) => {
    const types = [...new Set([...marks, ...more])];
    const last = leaves.at(-1);
    if (last && last.marks.length === types.length && last.marks.every(({ type }, i) => type === types[i])) last.text += text;
    else leaves.push({ object: 'leaf', text, marks: types.map((type) => ({ object: 'mark', type })) });
  };
  const close = () => {
    const text = textNode(reading, leaves);
    leaves = [];
    if (link === undefined) {
      if (text.leaves.length > 0) nodes.push(text);
      return;
    }
    reading.size += 8;
    nodes.push({ object: 'inline', type: 'link', isVoid: false, data: { ref: { kind: 'url', url: link } }, nodes: [text] });
    link = undefined;
  };
  for (const token of tokens) {
    const [, name = '', end] = /^(\w+)_(open|close)$/.exec(token.type) ?? [];
    const mark = markOf[name];
    if (name === 'link') {
      close();
      if (end === 'open') link = String(token.attrGet('href') ?? '');
    } else if (mark && end === 'open') marks.push(mark);
    else if (mark) marks.splice(marks.lastIndexOf(mark), 1);
    else if (token.type === 'code_inline') add(token.content, 'code');
    else if (token.type === 'softbreak' || token.type === 'hardbreak') add('\n');
    else if (token.type === 'image') add(`![${token.content}](${token.attrGet('src') ?? ''})`);
    else add(token.content);
  }
  close();
  return nodes.length > 0 ? nodes : [textNode(reading, [])];
}

function paragraph(reading: Reading, nodes: (DocumentText | DocumentInline)[]): DocumentBlock {
  return block(reading, 'paragraph', { nodes });
}

function block(
  reading: Reading,
  type: DocumentBlock['type'],
  { isVoid = false, ...fields }: Partial<Pick<DocumentBlock, 'isVoid' | 'data' | 'nodes'>>,
): DocumentBlock {
  reading.size += 6 + Object.keys(fields.data ?? {}).length;
  return { object: 'block', type, isVoid, ...fields };
}

function textNode(reading: Reading, leaves: Leaf[]): DocumentText {
  reading.size += 3 + leaves.reduce((sum, { marks }) => sum + 4 + 3 * marks.length, 0);
  return { object: 'text', leaves };
}

function plainLeaf(text: string): Leaf {
  return { object: 'leaf', text, marks: [] };
}
