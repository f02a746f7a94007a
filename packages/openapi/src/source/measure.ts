import type { ReadLimits } from '../face.ts';
import { Unreadable } from './unreadable.ts';

/**
 * Counts what is in a parsed document, and refuses one that is too deep or too large. YAML may lead to the
 * same value by many aliases: it counts each time, because the bundle repeats it.
 *
 * @throws Unreadable
 */
export function measure(document: unknown, limits: ReadLimits): { ownKeys: number } {
  let ownKeys = 0;
  let nodes = 0;
  let characters = 0;

  function add(value: unknown, depth: number): void {
    nodes += 1;
    if (typeof value === 'string') characters += value.length;
    if (typeof value !== 'object' || value === null) return;
    if (depth > limits.depth) {
      const message = `The document is nested deeper than ${limits.depth} levels, or an alias contains itself.`;
      throw new Unreadable('too-deep', message);
    }
    if (nodes > limits.nodes || characters > limits.totalBytes) {
      const message = 'The document is too large once its aliases are replaced by what they stand for.';
      throw new Unreadable('too-large', message);
    }
    if (Array.isArray(value)) {
      for (const element of value) add(element, depth + 1);
      return;
    }
    for (const key in value) {
      ownKeys += 1;
      characters += key.length;
      add((value as Record<string, unknown>)[key], depth + 1);
    }
  }

  add(document, 1);
  return { ownKeys };
}
