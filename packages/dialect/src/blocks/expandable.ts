import { renderInlines } from '../inline/renderInlines.ts';
import { element } from '../tree/html.ts';
import type { DocumentBlock, DocumentFragment } from '@bindery/contract';
import { readInlines } from '../inline/readInlines.ts';
import { htmlOfInlines } from '../inline/writeHtml.ts';
import type { Element } from '../syntax/elements.ts';
import { htmlElement, htmlTag } from '../syntax/writeTags.ts';
import { contained } from '../tree/containers.ts';
import { deepestBlock } from '../tree/limits.ts';
import { block, fragment, paragraph, type Data, type Flow } from '../tree/nodes.ts';
import { blocksOf, deeper, type ParseContext } from '../tree/parseContext.ts';
import type { Block } from './block.ts';
import { html } from './forms/tagWriters.ts';

/** `<details>` with a `<summary>` */
export const expandable: Block = {
  elements: {
    details: readDetails,
    summary: ({ children }, context) => blocksOf(children, { ...context, isHtml: true }),
  },
  write: ({ data, fragments = [] }, context) => {
    const { title, body } = partsOf(fragments);
    const summary = html(htmlElement('summary', htmlOfInlines(title, context)));
    const open = htmlTag('details', { open: data['defaultExpanded'] === true });
    const children = [summary, ...context.flowOf(body)];
    return [{ type: 'dialect', open, close: '</details>', isLoose: true, children }];
  },
  // Open, also when the author had it closed, where nobody can open it.
  render: ({ data, fragments = [] }, context) => {
    const { title, body } = partsOf(fragments);
    const summary = element('summary', {}, renderInlines(title, context));
    const isOpen = !context.tabGroup || data['defaultExpanded'] === true;
    return element('details', { open: isOpen, class: 'expandable' }, summary, context.render(body));
  },
};

function partsOf(fragments: readonly DocumentFragment[]) {
  const nodesOf = (name: string) =>
    fragments.filter(({ fragment: own }) => own === name).flatMap(({ nodes }) => nodes);
  const title = nodesOf('expandable-title').flatMap((node) => ('nodes' in node ? (node.nodes ?? []) : []));
  return { title, body: nodesOf('expandable-body') };
}

function readDetails({ attributes, children }: Element, context: ParseContext): DocumentBlock[] {
  if (context.level + 4 > deepestBlock) return blocksOf(children, context);
  const summary = children.find((child) => child.kind === 'element' && child.name === 'summary') as
    | Element
    | undefined;
  const rest = children.filter((child) => child !== summary);
  const title = summary ? readInlines(summary.children, { ...deeper(context, 4), isHtml: true }) : [];
  const data = attributes.has('open') ? { defaultExpanded: true } : {};
  return contained(blocksOf(rest, { ...deeper(context, 4), isHtml: false }), {
    container: 'expandable-body',
    hasTitle: true,
    // Each piece needs its own copy of the title.
    make: (nodes) => expandableOf(structuredClone(title), nodes, data),
  });
}

function expandableOf(title: Flow[], nodes: DocumentBlock[], data: Data): DocumentBlock {
  const body = nodes.length > 0 ? nodes : [paragraph([])];
  return block('expandable', {
    data,
    fragments: [fragment('expandable-title', [paragraph(title)]), fragment('expandable-body', body)],
  });
}
