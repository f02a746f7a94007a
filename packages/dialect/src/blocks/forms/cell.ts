import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import { htmlOfInlines } from '../../inline/writeHtml.ts';
import { nameOfTarget } from '../../links/writeRefs.ts';
import { htmlElement, htmlText } from '../../syntax/writeTags.ts';
import type { Data } from '../../tree/nodes.ts';
import type { WriteContext } from '../../tree/writeContext.ts';
import { picturesOnly } from '../images.ts';

/** Writes the content of a table cell as HTML on one line. A single paragraph gets no `<p>`. */
export function htmlOfCell(nodes: readonly DocumentNode[], context: WriteContext): string {
  const [only] = nodes;
  if (
    nodes.length === 1 &&
    only?.object === 'block' &&
    only.type === 'paragraph' &&
    only.data?.['align'] === undefined
  )
    return picturesOnly(only, context) ?? htmlOfInlines(only.nodes ?? [], context);
  return context.htmlOfBlocks(nodes);
}

/** Writes blocks without a form for cells: a reference as a link, and the text of all others. */
export function htmlOfOther(
  { data = {}, nodes = [], fragments = [] }: DocumentBlock,
  context: WriteContext,
): string {
  const inner = context.htmlOfBlocks([...fragments.flatMap((fragment) => fragment.nodes), ...nodes]);
  const target = targetIn(data, context);
  const link =
    target === '' ? '' : htmlElement('p', htmlElement('a', htmlText(nameOfTarget(target)), { href: target }));
  return link + inner;
}

function targetIn({ url, ref }: Data, context: WriteContext): string {
  if (typeof url === 'string') return url;
  return ref === undefined ? '' : context.targetOf(ref);
}
