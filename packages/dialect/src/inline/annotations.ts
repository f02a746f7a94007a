import type { DocumentInline } from '@bindery/contract';
import type { Element } from '../syntax/elements.ts';
import { readInlines } from './readInlines.ts';
import type { ParseContext } from '../tree/parseContext.ts';

/** Reads `<a data-footnote-ref href="#user-content-fn-1">annotated</a>` in code. */
export function annotationOf(element: Element, context: ParseContext): DocumentInline | undefined {
  const [node, ...more] = readInlines([element], context);
  return more.length === 0 && node?.object === 'inline' && node.type === 'annotation' ? node : undefined;
}
