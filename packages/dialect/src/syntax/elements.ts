import type { Nodes } from 'mdast';
import type { Attributes } from './attributes.ts';
import { mayLackEnd, wholeOfPart } from './blockTags.ts';
import type { Form, Piece } from './pieces.ts';
import { rangeOf, sourceOfNode } from './sourceOfNode.ts';

/** A beginning with its end and what stands between. `close` is empty when the end was not written. */
export type Element = {
  kind: 'element';
  form: Form;
  name: string;
  attributes: Attributes;
  argument: string;
  open: string;
  close: string;
  children: SourceNode[];
};

/** What a source holds: nodes of Markdown, text as it was written, and elements with such nodes in them. */
export type SourceNode = { kind: 'node'; node: Nodes; source: string } | { kind: 'text'; raw: string } | Element;

/** Deeper than any page; what nests deeper is text. */
const maxDepth = 24;

const wholeOfElement: Readonly<Record<string, readonly string[]>> = {
  li: ['ul', 'ol'],
  td: ['tr', 'tbody', 'thead', 'table'],
  th: ['tr', 'tbody', 'thead', 'table'],
  tr: ['tbody', 'thead', 'tfoot', 'table'],
  option: ['select'],
};
const sameCell: Readonly<Record<string, string>> = { td: 'th', th: 'td' };
const endsParagraph: ReadonlySet<string> = new Set('p div ul ol table figure details pre blockquote h1 h2 h3 h4 h5 h6 hr'.split(' '));

/** An element that nobody closed ends with its surroundings; a tag does only when it is a part of a whole or one itself. */
const wholes: ReadonlySet<string> = new Set([...Object.keys(wholeOfPart), ...Object.values(wholeOfPart)]);

/**
 * Lets beginnings and ends find each other, in linear time and whatever was written.
 *
 * An end without a beginning, and a tag without an end, are text. An element without an end goes up to where what it stands in ends.
 *
 * @param isKnownElement  whether an element's tags are markup; those of all others are text
 */
export function buildElements(pieces: readonly Piece[], isKnownElement: (name: string) => boolean): SourceNode[] {
  const top: SourceNode[] = [];
  const stack: Element[] = [];
  const openCounts = new Map<string, number>();
  const tooDeep = new Map<string, number>();
  const ended = endedPieces(pieces);

  const here = () => stack.at(-1)?.children ?? top;
  const keyOf = (form: Form, name: string) => `${form} ${name}`;
  const count = (key: string, by: number) => openCounts.set(key, (openCounts.get(key) ?? 0) + by);
  const pop = () => {
    const element = stack.pop() as Element;
    count(keyOf(element.form, element.name), -1);
    return element;
  };
  const popTo = (form: Form, name: string): Element => {
    let element = pop();
    while (element.form !== form || element.name !== name) element = pop();
    return element;
  };
  /** Ends an open one of that name that stands in the innermost of these wholes. */
  const endSibling = (form: Form, name: string, wholes: readonly string[]) => {
    if (!openCounts.get(keyOf(form, name))) return;
    for (let index = stack.length - 1; index >= 0; index -= 1) {
      const { form: of, name: at } = stack[index] as Element;
      if (of === form && wholes.includes(at)) return;
      if (of === form && at === name) {
        popTo(form, name);
        return;
      }
    }
  };

  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'node' || piece.kind === 'text') {
      here().push(piece);
      continue;
    }
    const { form, name, raw } = piece;
    const key = keyOf(form, name);
    if (form === 'element' && !isKnownElement(name)) {
      here().push({ kind: 'text', raw });
      continue;
    }
    if (piece.kind === 'close') {
      const skipped = tooDeep.get(key) ?? 0;
      if (skipped > 0) {
        tooDeep.set(key, skipped - 1);
        here().push(form === 'tag' ? rawNode(raw) : { kind: 'text', raw });
      } else if (openCounts.get(key)) popTo(form, name).close = raw;
      else if (form === 'tag') here().push(rawNode(raw));
      continue;
    }
    if (form === 'tag' && wholeOfPart[name]) endSibling(form, name, [wholeOfPart[name]]);
    if (form === 'element') {
      if (wholeOfElement[name]) endSibling(form, name, wholeOfElement[name]);
      if (sameCell[name]) endSibling(form, sameCell[name], wholeOfElement[name] ?? []);
      if (endsParagraph.has(name) && stack.at(-1)?.name === 'p') pop();
    }
    const { attributes, argument } = piece;
    const element: Element = { kind: 'element', form, name, attributes, argument, open: raw, close: '', children: [] };
    if (stack.length >= maxDepth && !piece.isVoid) {
      tooDeep.set(key, (tooDeep.get(key) ?? 0) + 1);
      here().push(form === 'tag' ? rawNode(raw) : { kind: 'text', raw });
    } else if (form === 'tag' && !ended.has(index) && !wholes.has(name) && !mayLackEnd(name)) {
      here().push(rawNode(raw));
    } else {
      here().push(element);
      if (piece.isVoid || (form === 'tag' && mayLackEnd(name) && !ended.has(index))) continue;
      stack.push(element);
      count(key, 1);
    }
  }
  return top;
}

/** A tag that stands alone is a text of its own, and not a part of what is around it. */
function rawNode(raw: string): SourceNode {
  return { kind: 'node', node: { type: 'paragraph', children: [{ type: 'text', value: raw }] }, source: raw };
}

/** The beginnings of tags that have an end of their own, before another one of that name in the case of those that need none. */
function endedPieces(pieces: readonly Piece[]): Set<number> {
  const ended = new Set<number>();
  const open = new Map<string, number[]>();
  for (const [index, piece] of pieces.entries()) {
    if ((piece.kind !== 'open' && piece.kind !== 'close') || piece.form !== 'tag') continue;
    const waiting = open.get(piece.name) ?? [];
    if (piece.kind === 'open') {
      if (mayLackEnd(piece.name)) waiting.length = 0;
      waiting.push(index);
    } else {
      const start = waiting.pop();
      if (start !== undefined) ended.add(start);
    }
    open.set(piece.name, waiting);
  }
  return ended;
}

/** An element as it was written. */
export function rawOf(nodes: readonly SourceNode[]): string {
  return nodes.map((node) => rawOfNode(node)).join('');
}

function rawOfNode(node: SourceNode): string {
  if (node.kind === 'text') return node.raw;
  if (node.kind === 'element') return node.open + rawOf(node.children) + node.close;
  return rangeOf(node.node) ? sourceOfNode(node.node, node.source) : node.source;
}
