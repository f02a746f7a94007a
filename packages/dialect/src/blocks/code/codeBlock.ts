import type { DocumentBlock } from '@bindery/contract';
import { block, leaf, text, type Data } from '../../tree/nodes.ts';

/** Makes a code block with one node per line. */
export function codeBlock(code: string, data: Data): DocumentBlock {
  const lines = code.split(/\r\n?|\n/);
  return block('code', {
    data,
    nodes: lines.map((line) =>
      block('code-line', { data: {}, nodes: [text(line === '' ? [] : [leaf(line)])] }),
    ),
  });
}
