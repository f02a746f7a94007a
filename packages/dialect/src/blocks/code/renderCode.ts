import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import { renderInlines } from '../../inline/renderInlines.ts';
import { wordIn } from '../../syntax/writeTags.ts';
import { classes, element, type Html } from '../../tree/html.ts';
import { wordsOf, type Flow } from '../../tree/nodes.ts';
import type { CodeToken, RenderContext } from '../../tree/renderContext.ts';
import type { FullBlock } from '../block.ts';

/** An inline in a line of code, and the length of the code before its end. */
type Placed = { end: number; html: Html };
type Line = { text: string; isHighlighted: boolean; inlines: Placed[] };

/** Renders code with its title, and with the notes and values in its lines. */
export function renderCode({ data, nodes }: FullBlock, context: RenderContext): Html {
  const codeLines = nodes.flatMap((line) => (line.object === 'block' ? [lineOf(line, context)] : []));
  const source = codeLines.map(({ text }) => text).join('\n');
  const language = wordIn(data, 'syntax');
  const rows = context
    .highlighted(source, language)
    .then((tokens): Html => codeLines.map((line, index) => renderLine(line, tokens[index] ?? [])));
  const title = wordIn(data, 'title');
  return element('figure', { class: 'code', role: 'group' }, [
    title.trim() === '' ? '' : element('figcaption', {}, title),
    element(
      'pre',
      {
        class: data['lineNumbers'] === true ? 'numbered' : undefined,
        dir: 'ltr',
        'data-language': language,
      },
      element('code', {}, { pending: rows }),
    ),
  ]);
}

function lineOf({ data = {}, nodes = [] }: DocumentBlock, context: RenderContext): Line {
  let text = '';
  const inlines: Placed[] = [];
  for (const node of nodes) {
    if (node.object === 'block') continue;
    text += textIn(node).replaceAll(/[\r\n]+/g, ' ');
    const html = node.object === 'text' ? undefined : inlineInCode(node, context);
    if (html !== undefined) inlines.push({ end: text.length, html });
  }
  return { text, isHighlighted: data['highlighted'] === true, inlines };
}

function textIn(node: Flow): string {
  return node.object === 'inline' && node.type === 'expression'
    ? wordIn(node.data ?? {}, 'expression')
    : wordsOf(node);
}

/** The number of a note goes behind the words that it is about; a value is code like the rest. */
function inlineInCode(node: Exclude<DocumentNode, DocumentBlock>, context: RenderContext): Html | undefined {
  if (node.object !== 'inline' || node.type !== 'annotation') return undefined;
  return renderInlines([{ ...node, nodes: [] }], context);
}

/** The line break is inside: each line is a block of its own, so that it can be numbered and wrapped. */
function renderLine({ isHighlighted, inlines }: Line, tokens: readonly CodeToken[]): Html {
  const parts: Html[] = [];
  const left = [...inlines];
  let end = 0;
  for (const { text, color } of tokens) {
    let from = 0;
    end += text.length;
    for (let next = left[0]; next && next.end <= end; next = left[0]) {
      const until = text.length - (end - next.end);
      parts.push(token(text.slice(from, until), color), next.html);
      from = until;
      left.shift();
    }
    parts.push(token(text.slice(from), color));
  }
  parts.push(...left.map(({ html }) => html), '\n');
  return element('span', { class: classes('line', isHighlighted && 'highlighted') }, parts);
}

function token(text: string, color: string | undefined): Html {
  return text === '' || color === undefined ? text : element('span', { class: color }, text);
}
