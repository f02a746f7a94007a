import { DocumentTree } from '@bindery/contract';
import { expect, it } from 'vitest';
import { asSource } from './asSource.ts';

it('shows a text verbatim, as a valid document', () => {
  const tree = asSource('# A\0 \uD800 {% hint %}\n');
  expect(DocumentTree.parse(tree)).toEqual(tree);
  expect(tree.nodes.map(({ type }) => type)).toEqual(['hint', 'paragraph']);
  expect(JSON.stringify(tree)).toContain('# A\uFFFD \uFFFD {% hint %}');
});
