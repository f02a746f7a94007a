import type { DocumentBlock } from '@bindery/contract';
import { block, leaf, text, type Data } from '../../tree/nodes.ts';

/** Code as a block of its lines. */
export function codeBlock(code: string, data: Data): DocumentBlock {
  const lines = code.split(/\r\n?|\n/);
  return block('code', {
    data,
    nodes: lines.map((line) => block('code-line', { data: {}, nodes: [text(line === '' ? [] : [leaf(line)])] })),
  });
}
