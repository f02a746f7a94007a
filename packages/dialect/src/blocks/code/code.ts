import { renderCode } from './renderCode.ts';
import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import type { RootContent } from 'mdast';
import type { Element } from '../../syntax/elements.ts';
import { blockTag, wordIn } from '../../syntax/writeTags.ts';
import { present } from '../../tree/nodes.ts';
import { blocksOf, type ParseContext } from '../../tree/parseContext.ts';
import type { Block, WriteBlock } from '../block.ts';
import { readPlain } from '../forms/tagReaders.ts';
import { dialect, html, words } from '../forms/tagWriters.ts';
import { codeBlock } from './codeBlock.ts';
import { htmlOfCode } from './htmlOfCode.ts';
import { codeData, readPre } from './readPre.ts';

/** A fence, also in `{% code title="" %}`; `<pre>` if a line is highlighted or annotated. */
export const code: Block = {
  tags: { code: { read: readCode } },
  nodes: {
    code: ({ lang, meta, value }) => [
      codeBlock(value, present({ syntax: lang ?? undefined, meta: meta ?? undefined })),
    ],
  },
  elements: { pre: readPre },
  write: writeCode,
  // A blank line would end the surrounding table.
  writeHtml: (block, context) => htmlOfCode(block, context).replaceAll('\n', '&#xA;'),
  render: renderCode,
};

/** The code block writes its lines. */
export const codeLine: Block = { write: () => [], render: () => '' };

function readCode({ attributes, children, ...element }: Element, context: ParseContext): DocumentBlock[] {
  const blocks = blocksOf(children, context);
  const index = blocks.findIndex(({ type }) => type === 'code');
  const found = blocks[index];
  if (!found) return readPlain({ attributes, children, ...element }, context);
  const data = { ...found.data, ...codeData(attributes, '') };
  return blocks.with(index, { ...found, data });
}

function writeCode(...[block, context]: Parameters<WriteBlock>): RootContent[] {
  const { data, nodes } = block;
  const isRich = nodes.some(
    (line) =>
      line.object === 'block' &&
      (line.data?.['highlighted'] === true || line.nodes?.some(({ object }) => object !== 'text')),
  );
  if (isRich) return [html(htmlOfCode(block, context))];
  const value = nodes.map((line) => (line.object === 'block' ? textOf(line.nodes ?? []) : '')).join('\n');
  const fence: RootContent = {
    type: 'code',
    lang: wordIn(data, 'syntax') || null,
    meta: wordIn(data, 'meta') || null,
    value,
  };
  const attributes = words(
    data,
    'title',
    'overflow',
    'lineNumbers',
    'fullWidth',
    'expandable',
    'collapsedLineCount',
  );
  const isPlain = Object.values(attributes).every((each) => each === undefined);
  return isPlain ? [fence] : [dialect(blockTag('code', attributes), 'code', [fence])];
}

function textOf(nodes: readonly DocumentNode[]): string {
  return nodes
    .flatMap((node) => (node.object === 'text' ? node.leaves.map(({ text }) => text) : []))
    .join('')
    .replaceAll(/[\r\n]+/g, ' ');
}
