import type { Nodes } from 'mdast';
import type { Attributes } from './attributes.ts';
import { createBlockTags, type BlockTags } from './blockTags.ts';
import type { Form, Token } from './tokens.ts';
import { rangeOf, sourceOfNode } from './sourceOfNode.ts';

/**
 * An opening and a closing tag with the content between them. `close` is empty without a written closing tag.
 */
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

/** A piece of a source: a Markdown node, text as written, or an element with such pieces in it. */
export type SourceNode =
  | { kind: 'node'; node: Nodes; source: string }
  | { kind: 'text'; raw: string }
  | Element;

const noTags = createBlockTags({});

/** Deeper than any page; deeper elements become text. */
const maxDepth = 24;

const wholeOfElement: Readonly<Record<string, readonly string[]>> = {
  li: ['ul', 'ol'],
  td: ['tr', 'tbody', 'thead', 'table'],
  th: ['tr', 'tbody', 'thead', 'table'],
  tr: ['tbody', 'thead', 'tfoot', 'table'],
  option: ['select'],
};
const sameCell: Readonly<Record<string, string>> = { td: 'th', th: 'td' };
const endsParagraph: ReadonlySet<string> = new Set(
  'p div ul ol table figure details pre blockquote h1 h2 h3 h4 h5 h6 hr'.split(' '),
);

/**
 * Pairs opening and closing tags, in linear time for any input.
 *
 * A closing tag without an opening one is text, and so is a block tag without its closing tag. An element
 * without its closing tag ends with its surroundings; so does a block tag that is a part, or a container of
 * parts.
 *
 * @param isKnownElement  tells whether an element's tags are markup; those of all others are text
 * @param tags            the block tags; without them, all elements are HTML
 */
export function buildElements(
  tokens: readonly Token[],
  { isKnownElement, tags = noTags }: { isKnownElement: (name: string) => boolean; tags?: BlockTags },
): SourceNode[] {
  const top: SourceNode[] = [];
  const stack: Element[] = [];
  const openCounts = new Map<string, number>();
  const tooDeep = new Map<string, number>();
  const ended = closedTags(tokens, tags);

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
  /** Closes the open element of that name, unless one of `wholes` was opened inside it. */
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

  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'node' || token.kind === 'text') {
      here().push(token);
      continue;
    }
    const { form, name, raw } = token;
    const key = keyOf(form, name);
    if (form === 'element' && !isKnownElement(name)) {
      here().push({ kind: 'text', raw });
      continue;
    }
    if (token.kind === 'close') {
      const skipped = tooDeep.get(key) ?? 0;
      if (skipped > 0) {
        tooDeep.set(key, skipped - 1);
        here().push(form === 'tag' ? rawNode(raw) : { kind: 'text', raw });
      } else if (openCounts.get(key)) popTo(form, name).close = raw;
      else if (form === 'tag') here().push(rawNode(raw));
      continue;
    }
    const whole = form === 'tag' ? tags.wholeOf(name) : undefined;
    if (whole !== undefined) endSibling(form, name, [whole]);
    if (form === 'element') {
      if (wholeOfElement[name]) endSibling(form, name, wholeOfElement[name]);
      if (sameCell[name]) endSibling(form, sameCell[name], wholeOfElement[name] ?? []);
      if (endsParagraph.has(name) && stack.at(-1)?.name === 'p') pop();
    }
    const { attributes, argument } = token;
    const element: Element = {
      kind: 'element',
      form,
      name,
      attributes,
      argument,
      open: raw,
      close: '',
      children: [],
    };
    if (stack.length >= maxDepth && !token.isVoid) {
      tooDeep.set(key, (tooDeep.get(key) ?? 0) + 1);
      here().push(form === 'tag' ? rawNode(raw) : { kind: 'text', raw });
    } else if (
      form === 'tag' &&
      !ended.has(index) &&
      !tags.endsWithSurroundings(name) &&
      !tags.mayLackClosingTag(name)
    ) {
      here().push(rawNode(raw));
    } else {
      here().push(element);
      if (token.isVoid || (form === 'tag' && tags.mayLackClosingTag(name) && !ended.has(index))) continue;
      stack.push(element);
      count(key, 1);
    }
  }
  return top;
}

/** Makes an unpaired tag a separate text, outside of the surrounding one. */
function rawNode(raw: string): SourceNode {
  return { kind: 'node', node: { type: 'paragraph', children: [{ type: 'text', value: raw }] }, source: raw };
}

/**
 * Finds the opening tags that have a closing tag; an optional closing tag counts only before the next opening
 * tag of its name.
 */
function closedTags(tokens: readonly Token[], tags: BlockTags): Set<number> {
  const ended = new Set<number>();
  const open = new Map<string, number[]>();
  for (const [index, token] of tokens.entries()) {
    if ((token.kind !== 'open' && token.kind !== 'close') || token.form !== 'tag') continue;
    const waiting = open.get(token.name) ?? [];
    if (token.kind === 'open') {
      if (tags.mayLackClosingTag(token.name)) waiting.length = 0;
      waiting.push(index);
    } else {
      const start = waiting.pop();
      if (start !== undefined) ended.add(start);
    }
    open.set(token.name, waiting);
  }
  return ended;
}

/** Returns the source of nodes. */
export function rawOf(nodes: readonly SourceNode[]): string {
  return nodes.map((node) => rawOfNode(node)).join('');
}

function rawOfNode(node: SourceNode): string {
  if (node.kind === 'text') return node.raw;
  if (node.kind === 'element') return node.open + rawOf(node.children) + node.close;
  return rangeOf(node.node) ? sourceOfNode(node.node, node.source) : node.source;
}
