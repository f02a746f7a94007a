import type { DocumentBlock } from '@bindery/contract';
import {
  describeBlock,
  excerptOf,
  openSpecification,
  outlineOf,
  type OpenapiBlock,
  type Part,
  type SpecificationFile,
  type SpecificationOutline,
} from '@bindery/dialect/openapi';
import { LRUCache } from 'lru-cache';

/** The files of a version for a thread: `key` is equal for equal bytes. */
export type SpecToRead = { key: string; bytes: SharedArrayBuffer };

/** An outline without its operations, and these as JSON in pieces that the receiver parses one by one. */
export type OutlineInPieces = Omit<SpecificationOutline, 'operations'> & { operations: string[] };

/** The files that this thread read last, with the places of their names, which take longest to find. */
const opened = new LRUCache<string, SpecificationFile>({ max: 2 });
const operationsInPiece = 1_000;
/** Of the descriptions of all blocks of a page, as JSON; further blocks are named only. */
const maxCharacters = 4_000_000;

function open({ key, bytes }: SpecToRead): SpecificationFile {
  const file = opened.get(key) ?? openSpecification(Buffer.from(bytes));
  opened.set(key, file);
  return file;
}

export function readOutline(spec: SpecToRead): OutlineInPieces {
  const { operations, ...outline } = outlineOf(open(spec));
  const pieces = [];
  for (let at = 0; at < operations.length; at += operationsInPiece)
    pieces.push(JSON.stringify(operations.slice(at, at + operationsInPiece)));
  return { ...outline, operations: pieces };
}

type BlocksOfSpec = { spec: SpecToRead; blocks: readonly OpenapiBlock[] };

export function readExcerpt({ spec, blocks, room }: BlocksOfSpec & { room: number }): Part {
  return excerptOf(open(spec), blocks, room);
}

/** @returns undefined for each block that names nothing, or for which there is no room */
export function describeBlocks({ spec, blocks }: BlocksOfSpec): (DocumentBlock[] | undefined)[] {
  const file = open(spec);
  let room = maxCharacters;
  return blocks.map((block) => {
    const described = room > 0 ? describeBlock(excerptOf(file, [block]), block) : undefined;
    room -= described ? JSON.stringify(described).length : 0;
    return described;
  });
}
