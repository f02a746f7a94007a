import type { BlockType, InlineType } from '@bindery/contract';
import type { Block } from '../blocks/block.ts';
import { blocks } from '../blocks/blocks.ts';
import type { LinkUse } from '../links/resolve.ts';
import type { Data } from '../tree/nodes.ts';

/** The use of `data.ref`, by the type of block or inline. */
export const useOfType: Readonly<Partial<Record<BlockType | InlineType, LinkUse>>> = {
  link: 'link',
  mention: 'link',
  button: 'link',
  'inline-image': 'image',
  ...Object.fromEntries(
    Object.entries(blocks).flatMap(([type, { refersTo }]: [string, Block]) =>
      refersTo ? [[type, refersTo]] : [],
    ),
  ),
};

const useOfColumn: Readonly<Record<string, LinkUse>> = {
  'content-ref': 'content-ref',
  image: 'image',
  files: 'file',
};

/** A cell that may contain a reference. */
export type CellReference = { record: string; column: string; use: LinkUse; value: unknown };

/** Yields the cells of a table that may contain references, by the types of their columns. */
export function* cellReferences(data: Data): Iterable<CellReference> {
  const { definition = {}, records = {} } = data as {
    definition?: Record<string, { type: string }>;
    records?: Record<string, { values: Data }>;
  };
  const columns = Object.entries(definition).flatMap(([column, { type }]) =>
    useOfColumn[type] ? [{ column, use: useOfColumn[type] }] : [],
  );
  if (columns.length === 0) return;
  for (const [record, { values }] of Object.entries(records)) {
    for (const { column, use } of columns) {
      const value = values[column];
      if (typeof value === 'object' && value !== null) yield { record, column, use, value };
    }
  }
}
