import type { DocumentBlock } from '@bindery/contract';
import { flagIn, oneOf, withoutEntities, type Attributes } from '../../syntax/attributes.ts';
import { rawOf, type Element, type SourceNode } from '../../syntax/elements.ts';
import { block, inline, leaf, present, text, type Data, type Flow } from '../../tree/nodes.ts';
import type { ParseContext } from '../../tree/parseContext.ts';
import { annotationOf } from '../../inline/annotations.ts';

/**
 * Reads `<pre class="language-js"><code>`: code with highlighted lines (`<strong>` around them) and
 * annotations, which a fence cannot express.
 */
export function readPre({ attributes, children }: Element, context: ParseContext): DocumentBlock[] {
  const code = children.find((child) => child.kind === 'element' && child.name === 'code') as
    | Element
    | undefined;
  const lines = new Lines();
  writeCode(code ? children.flatMap((child) => (child === code ? code.children : [child])) : children, {
    lines,
    context,
    isHighlighted: false,
  });
  const classes = `${attributes.get('class') ?? ''} ${code?.attributes.get('class') ?? ''}`;
  const [, syntax] = /(?:^|\s)lang(?:uage)?-([^\s]{1,60})/.exec(classes) ?? [];
  return [
    block('code', { data: present({ syntax, ...codeData(attributes, 'data-') }), nodes: lines.blocks() }),
  ];
}

/** The options of a code block; in HTML their names begin with `data-` and have hyphens. */
export function codeData(attributes: Attributes, prefix: '' | 'data-'): Data {
  const named = (name: string) =>
    prefix === ''
      ? name.toLowerCase()
      : prefix + name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const count = Number(attributes.get(named('collapsedLineCount')));
  return present({
    title: attributes.get(named('title')) || undefined,
    overflow: oneOf(attributes.get(named('overflow')), ['scroll', 'wrap']),
    lineNumbers: flagIn(attributes, named('lineNumbers')),
    fullWidth: flagIn(attributes, named('fullWidth')),
    expandable: flagIn(attributes, named('expandable')),
    collapsedLineCount: Number.isSafeInteger(count) && count > 0 ? count : undefined,
  });
}

type Writing = { lines: Lines; context: ParseContext; isHighlighted: boolean };

function writeCode(nodes: readonly SourceNode[], writing: Writing): void {
  const { lines, context } = writing;
  for (const node of nodes) {
    if (node.kind === 'node') lines.words(rawOf([node]), writing.isHighlighted);
    else if (node.kind === 'text') lines.words(withoutEntities(node.raw), writing.isHighlighted);
    else if (node.name === 'br') lines.words('\n', writing.isHighlighted);
    else if (node.name === 'code' && /\bexpression\b/.test(node.attributes.get('class') ?? '')) {
      lines.inline(
        inline('expression', { data: { expression: withoutEntities(rawOf(node.children)).trim() } }),
      );
    } else {
      const annotation = node.attributes.has('data-footnote-ref') ? annotationOf(node, context) : undefined;
      if (annotation) lines.inline(annotation);
      else
        writeCode(node.children, {
          ...writing,
          isHighlighted: writing.isHighlighted || node.name === 'strong',
        });
    }
  }
}

/** Collects lines of code; a line is highlighted if a part of it is. */
class Lines {
  private readonly lines: { nodes: Flow[]; words: string; isHighlighted: boolean }[] = [
    { nodes: [], words: '', isHighlighted: false },
  ];

  words(words: string, isHighlighted: boolean): void {
    for (const [index, part] of words.split(/\r\n?|\n/).entries()) {
      if (index > 0) this.lines.push({ nodes: [], words: '', isHighlighted: false });
      const line = this.lines.at(-1);
      if (!line || part === '') continue;
      line.words += part;
      line.isHighlighted ||= isHighlighted;
    }
  }

  inline(node: Flow): void {
    const line = this.lines.at(-1);
    if (!line) return;
    if (line.words !== '') line.nodes.push(text([leaf(line.words)]));
    line.words = '';
    line.nodes.push(node);
  }

  blocks(): DocumentBlock[] {
    const lines = this.lines;
    // The end of the last line, and a line break after `<pre>`, do not begin lines.
    if (lines.length > 1 && isEmpty(lines.at(-1))) lines.pop();
    if (lines.length > 1 && isEmpty(lines[0])) lines.shift();
    return lines.map(({ nodes, words, isHighlighted }) => {
      const all =
        words !== '' || nodes.length === 0 ? [...nodes, text(words === '' ? [] : [leaf(words)])] : nodes;
      return block('code-line', { data: isHighlighted ? { highlighted: true } : {}, nodes: all });
    });
  }
}

function isEmpty(line: { nodes: Flow[]; words: string } | undefined): boolean {
  return line?.nodes.length === 0 && line.words === '';
}
