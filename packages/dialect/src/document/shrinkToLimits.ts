import type { DocumentBlock } from '@bindery/contract';
import { blockTypesWith } from '../blocks/blocks.ts';
import { maxCharacters, maxValues } from '../tree/limits.ts';
import { plainParagraph, wordsOf } from '../tree/nodes.ts';

type Size = { values: number; characters: number };

/** Measures the size of a part of a tree: values of its JSON, and characters (somewhat overestimated). */
function sizeOf(given: unknown): Size {
  const size = { values: 0, characters: 0 };
  count(given, size);
  return size;
}

function count(value: unknown, size: Size): void {
  size.values += 1;
  if (typeof value === 'string') {
    // In JSON, line breaks, quotes and backslashes take two characters, control characters six.
    size.characters += value.length + 3;
    for (let index = 0; index < value.length; index += 1) {
      const code = value.charCodeAt(index);
      if (code < 32) size.characters += 5;
      else if (code === 34 || code === 92) size.characters += 1;
    }
  } else if (typeof value !== 'object' || value === null) size.characters += 8;
  else if (Array.isArray(value)) {
    size.characters += 2;
    for (const each of value) count(each, size);
  } else {
    size.characters += 2;
    for (const key of Object.keys(value)) {
      size.characters += key.length + 4;
      count((value as Record<string, unknown>)[key], size);
    }
  }
}

function isTooLarge({ values, characters }: Size): boolean {
  return values > maxValues || characters > maxCharacters;
}

/**
 * Shrinks a document that exceeds the limits of a tree: replaces the largest blocks by their text until it
 * fits. If all blocks are small, those at the end become one paragraph. Keys stay.
 */
export function shrunkToLimits(blocks: readonly DocumentBlock[]): DocumentBlock[] {
  const total = sizeOf(blocks);
  total.values += 10;
  total.characters += 100;
  if (!isTooLarge(total)) return [...blocks];
  const shrunk = new Map<DocumentBlock, DocumentBlock>();
  const largestFirst = candidates(blocks)
    .map((block) => ({ block, ...sizeOf(block) }))
    .toSorted((a, b) => b.values - a.values);
  for (const { block, values, characters } of largestFirst) {
    if (!isTooLarge(total) || values < smallestShrunk) break;
    const words = inWords([block]);
    const size = sizeOf(words);
    shrunk.set(block, words);
    total.values += size.values - values;
    total.characters += size.characters - characters;
  }
  const result = replaced(blocks, shrunk);
  return isTooLarge(total) ? cutOff(result) : result;
}

/** Replacing a smaller block would save too little. */
const smallestShrunk = 100;

/** Lists the blocks that a paragraph may replace: containers stay, and their blocks are listed instead. */
function candidates(blocks: readonly DocumentBlock[]): DocumentBlock[] {
  return blocks.flatMap((block) =>
    containers.has(block.type) ? candidates((block.nodes ?? []) as DocumentBlock[]) : [block],
  );
}

const containers = blockTypesWith('isContainer');

function replaced(
  blocks: readonly DocumentBlock[],
  shrunk: ReadonlyMap<DocumentBlock, DocumentBlock>,
): DocumentBlock[] {
  return blocks.map((block) =>
    containers.has(block.type)
      ? { ...block, nodes: replaced((block.nodes ?? []) as DocumentBlock[], shrunk) }
      : (shrunk.get(block) ?? block),
  );
}

/**
 * Keeps blocks until the limit is reached, also inside containers, and appends the text of the remaining
 * ones.
 */
function cutOff(blocks: readonly DocumentBlock[]): DocumentBlock[] {
  const room = { values: maxValues - 100, characters: maxCharacters / 2 };
  const rest: DocumentBlock[] = [];
  const cut = (given: readonly DocumentBlock[]): DocumentBlock[] =>
    given.flatMap((block) => {
      const size = sizeOf(block);
      if (rest.length === 0 && size.values <= room.values && size.characters <= room.characters) {
        room.values -= size.values;
        room.characters -= size.characters;
        return [block];
      }
      if (rest.length > 0 || !containers.has(block.type)) {
        rest.push(block);
        return [];
      }
      room.values -= 20;
      const nodes = cut((block.nodes ?? []) as DocumentBlock[]);
      return nodes.length > 0 ? [{ ...block, nodes }] : [];
    });
  const kept = cut(blocks);
  return rest.length > 0 ? [...kept, inWords(rest)] : kept;
}

/** Makes one paragraph with the text of several blocks, cut at the limit. */
function inWords(blocks: readonly DocumentBlock[], room = maxCharacters / 2): DocumentBlock {
  const key = blocks[0]?.key ?? '';
  const made = plainParagraph(truncated(allWords(blocks), room));
  return { ...made, key, nodes: (made.nodes ?? []).map((node) => ({ ...node, key: `${key}.1` })) };
}

/** Cuts a text that exceeds the limit. */
export function truncated(text: string, room: number): string {
  if (sizeOf(text).characters <= room) return text;
  let length = Math.min(text.length, room);
  while (sizeOf(text.slice(0, length)).characters > room) length = Math.floor(length * 0.7);
  return `${text.slice(0, length).toWellFormed()}…`;
}

/** All text in blocks, one line per block; a void block contributes the texts in its data. */
function allWords(blocks: readonly DocumentBlock[]): string {
  return blocks
    .map((block) => {
      const inside = [...(block.nodes ?? []), ...(block.fragments ?? []).flatMap(({ nodes }) => nodes)];
      const blocksInside = inside.filter((node) => node.object === 'block');
      const own = block.isVoid
        ? wordsOfData(block.data)
        : wordsOf({ ...block, nodes: inside.filter((node) => node.object !== 'block') });
      return [own, allWords(blocksInside)].filter((words) => words !== '').join('\n');
    })
    .filter((words) => words !== '')
    .join('\n');
}

function wordsOfData(data: unknown): string {
  if (typeof data === 'string') return data;
  if (typeof data !== 'object' || data === null) return '';
  return Object.values(data)
    .map(wordsOfData)
    .filter((words) => words !== '')
    .join(' ');
}
