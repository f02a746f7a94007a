import { renderTable } from './renderTable.ts';
import type { Block } from '../block.ts';
import { ifRoom } from '../forms/ifRoom.ts';
import { pipeTable } from './pipeTable.ts';
import { readTable } from './readTable.ts';
import { htmlOfTable, tableNode } from './writeTable.ts';

/** A table with pipes, or `<table>`, also as cards. */
export const table: Block = {
  nodes: { table: ifRoom(4, (node, source, context) => [pipeTable(node, source, context)]) },
  elements: { table: readTable },
  write: tableNode,
  writeHtml: htmlOfTable,
  render: renderTable,
};
