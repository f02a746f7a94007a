import type { DocumentBlock } from '@bindery/contract';
import { blockTypesWith } from '../blocks/blocks.ts';
import { maxCharacters, maxValues } from '../tree/limits.ts';
import { plainParagraph, wordsOf } from '../tree/nodes.ts';

type Size = { values: number; characters: number };

/** What a part of a tree takes of what a tree may hold: values of its JSON, and characters (somewhat overestimated). */
function sizeOf(given: unknown): Size {
  const size = { values: 0, characters: 0 };
  count(given, size);
  return size;
}

function count(value: unknown, size: Size): void {
  size.values += 1;
  if (typeof value === 'string') {
    // Line breaks, quotes and backslashes take two characters in JSON, control characters six.
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
 * Shrinks a document to the limits of a tree: replaces the largest blocks by their words, as many as it takes. If all are small, the blocks at the end
 * become one paragraph. The keys stay.
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

/** A block of fewer values is not worth its form. */
const smallestShrunk = 100;

/** Blocks in whose place a paragraph may stand: what only holds others is gone through, and stays. */
function candidates(blocks: readonly DocumentBlock[]): DocumentBlock[] {
  return blocks.flatMap((block) => (containers.has(block.type) ? candidates((block.nodes ?? []) as DocumentBlock[]) : [block]));
}

const containers = blockTypesWith('isContainer');

function replaced(blocks: readonly DocumentBlock[], shrunk: ReadonlyMap<DocumentBlock, DocumentBlock>): DocumentBlock[] {
  return blocks.map((block) =>
    containers.has(block.type)
      ? { ...block, nodes: replaced((block.nodes ?? []) as DocumentBlock[], shrunk) }
      : (shrunk.get(block) ?? block),
  );
}

/** The blocks up to where there is no more room, also in what holds others, and the words of all further ones. */
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

/** Blocks as one paragraph of their words, cut off where there is no room for more. */
function inWords(blocks: readonly DocumentBlock[], room = maxCharacters / 2): DocumentBlock {
  const key = blocks[0]?.key ?? '';
  const made = plainParagraph(truncated(allWords(blocks), room));
  return { ...made, key, nodes: (made.nodes ?? []).map((node) => ({ ...node, key: `${key}.1` })) };
}

/** A text up to where it is too much for a tree. */
export function truncated(text: string, room: number): string {
  if (sizeOf(text).characters <= room) return text;
  let length = Math.min(text.length, room);
  while (sizeOf(text.slice(0, length)).characters > room) length = Math.floor(length * 0.7);
  return `${text.slice(0, length).toWellFormed()}…`;
}

/** All words in blocks, a line for each block; what shows something by what it refers to is that. */
function allWords(blocks: readonly DocumentBlock[]): string {
  return blocks
    .map((block) => {
      const inside = [...(block.nodes ?? []), ...(block.fragments ?? []).flatMap(({ nodes }) => nodes)];
      const blocksInside = inside.filter((node) => node.object === 'block');
      const own = block.isVoid ? wordsOfData(block.data) : wordsOf({ ...block, nodes: inside.filter((node) => node.object !== 'block') });
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
