import { locateInJson } from './locateInJson.ts';
import { locateInYaml } from './locateInYaml.ts';
import { keysOf } from './pointer.ts';
import type { Wanted } from './wanted.ts';

/**
 * Finds places in the text of a document. Reads the text once, and only as deep as the pointers go.
 *
 * @returns  for each pointer the offset of its key or element; that of the nearest parent that is there,
 *   where YAML has the member from an alias
 */
export function offsetsOf(
  { text, format }: { text: string; format: 'json' | 'yaml' },
  pointers: Iterable<string>,
): Map<string, number> {
  const root: Wanted = { children: new Map(), offset: 0 };
  const unique = new Set(pointers);
  for (const pointer of unique) {
    let wanted = root;
    for (const key of keysOf(pointer)) {
      const child: Wanted = wanted.children.get(key) ?? { children: new Map() };
      wanted.children.set(key, child);
      wanted = child;
    }
  }
  if (root.children.size === 0) return new Map([...unique].map((pointer) => [pointer, 0]));
  if (format === 'json') locateInJson(text, root);
  else locateInYaml(text, root);
  return new Map([...unique].map((pointer) => [pointer, offsetIn(root, pointer)]));
}

function offsetIn(root: Wanted, pointer: string): number {
  let offset = root.offset ?? 0;
  let wanted: Wanted | undefined = root;
  for (const key of keysOf(pointer)) {
    wanted = wanted?.children.get(key);
    if (wanted?.offset === undefined) return offset;
    offset = wanted.offset;
  }
  return offset;
}

/** Lines and columns of offsets, both counted from 1. */
export function placesOf(
  text: string,
  offsets: Iterable<number>,
): Map<number, { line: number; column: number }> {
  const places = new Map<number, { line: number; column: number }>();
  let line = 1;
  let lineStart = 0;
  for (const offset of [...new Set(offsets)].sort((a, b) => a - b)) {
    for (
      let end = text.indexOf('\n', lineStart);
      end >= 0 && end < offset;
      end = text.indexOf('\n', lineStart)
    ) {
      line += 1;
      lineStart = end + 1;
    }
    places.set(offset, { line, column: offset - lineStart + 1 });
  }
  return places;
}
